#include "core/attention/rotate.h"

#include <cassert>
#include <cmath>

namespace phaseladder {

std::int64_t positionOnAxis(const PairRotation& rotation, std::size_t pair, std::int64_t position) {
    if (rotation.axisPositions.empty()) {
        return position;
    }
    const std::size_t axis = rotation.axisOfPair.empty() ? 0 : rotation.axisOfPair[pair];
    return rotation.axisPositions[static_cast<std::size_t>(position) * rotation.axisNames.size() + axis];
}

namespace {

void fillAngles(const PairRotation& rotation, std::int64_t position, std::vector<CosSin>& angles) {
    angles.resize(rotation.turnsPerToken.size());
    for (std::size_t pair = 0; pair < angles.size(); ++pair) {
        const auto onAxis = static_cast<std::uint64_t>(positionOnAxis(rotation, pair, position));
        const CosSin exact = cosSin(phaseOf(rotation.turnsPerToken[pair], onAxis));
        angles[pair] = {exact.cosine * rotation.attentionFactor, exact.sine * rotation.attentionFactor};
    }
}

/// Calls change(x, y, pair) for the two channels of each pair.
template <class Change>
void forEachPair(double* row, const PairRotation& rotation, Change change) {
    const std::size_t pairs = rotation.turnsPerToken.size();
    const std::size_t step = rotation.layout == RopeLayout::half ? 1 : 2;
    const std::size_t partner = rotation.layout == RopeLayout::half ? pairs : 1;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        change(row[pair * step], row[pair * step + partner], pair);
    }
}

void turn(double* row, const PairRotation& rotation, const std::vector<CosSin>& angles) {
    forEachPair(row, rotation, [&](double& first, double& second, std::size_t pair) {
        const double x = first;
        const double y = second;
        first = x * angles[pair].cosine - y * angles[pair].sine;
        second = x * angles[pair].sine + y * angles[pair].cosine;
    });
}

/// Queries grow by exp(g (p - centre)), keys by its inverse.
void grow(double* row, const PairRotation& rotation, std::int64_t position, double sign) {
    if (rotation.logGrowthPerToken.empty()) {
        return;
    }
    const auto distance = static_cast<double>(position - rotation.growthCentre);
    forEachPair(row, rotation, [&](double& first, double& second, std::size_t pair) {
        const double growth = std::exp(sign * rotation.logGrowthPerToken[pair] * distance);
        first *= growth;
        second *= growth;
    });
}

}  // namespace

std::vector<CosSin> anglesAt(const PairRotation& rotation, std::int64_t position) {
    std::vector<CosSin> angles;
    fillAngles(rotation, position, angles);
    return angles;
}

double growthAt(const PairRotation& rotation, std::size_t pair, std::int64_t position) {
    return rotation.logGrowthPerToken.empty()
               ? 1.0
               : std::exp(rotation.logGrowthPerToken[pair] *
                          static_cast<double>(position - rotation.growthCentre));
}

void rotatePairs(std::span<double> row, const PairRotation& rotation, std::int64_t position) {
    assert(row.size() >= 2 * rotation.turnsPerToken.size());
    turn(row.data(), rotation, anglesAt(rotation, position));
}

void rotateQuery(std::span<double> row, const PairRotation& rotation, std::int64_t position) {
    rotatePairs(row, rotation, position);
    grow(row.data(), rotation, position, 1.0);
}

void rotateKey(std::span<double> row, const PairRotation& rotation, std::int64_t position) {
    rotatePairs(row, rotation, position);
    grow(row.data(), rotation, position, -1.0);
}

void rotateRows(RowMatrix& queries, RowMatrix& keys, const PairRotation& rotation, std::int64_t begin,
                std::int64_t end) {
    assert(queries.rows() == keys.rows() && queries.cols() == keys.cols());
    assert(begin >= 0 && begin <= end && end <= queries.rows());
    std::vector<CosSin> angles;
    for (Eigen::Index position = begin; position < end; ++position) {
        fillAngles(rotation, position, angles);
        turn(queries.row(position).data(), rotation, angles);
        turn(keys.row(position).data(), rotation, angles);
        grow(queries.row(position).data(), rotation, position, 1.0);
        grow(keys.row(position).data(), rotation, position, -1.0);
    }
}

void rotateRowsAt(RowMatrix& queries, RowMatrix& keys, const PairRotation& rotation, std::int64_t position) {
    assert(queries.rows() == keys.rows() && queries.cols() == keys.cols());
    const std::vector<CosSin> angles = anglesAt(rotation, position);
    for (Eigen::Index row = 0; row < queries.rows(); ++row) {
        turn(queries.row(row).data(), rotation, angles);
        turn(keys.row(row).data(), rotation, angles);
        grow(queries.row(row).data(), rotation, position, 1.0);
        grow(keys.row(row).data(), rotation, position, -1.0);
    }
}

}  // namespace phaseladder
