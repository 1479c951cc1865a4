#include "core/attention/rotate.h"

#include <cassert>
#include <vector>

#include "core/phase/phase_turns.h"

namespace phaseladder {
namespace {

/// cos and sin of each pair at a position, with the attention factor.
void anglesAt(const PairRotation& rotation, std::int64_t position, std::vector<CosSin>& angles) {
    angles.resize(rotation.turnsPerToken.size());
    for (std::size_t pair = 0; pair < angles.size(); ++pair) {
        const CosSin exact =
            cosSin(phaseOf(rotation.turnsPerToken[pair], static_cast<std::uint64_t>(position)));
        angles[pair] = {exact.cosine * rotation.attentionFactor, exact.sine * rotation.attentionFactor};
    }
}

void turn(double* row, const std::vector<CosSin>& angles, RopeLayout layout) {
    const std::size_t step = layout == RopeLayout::half ? 1 : 2;
    const std::size_t partner = layout == RopeLayout::half ? angles.size() : 1;
    for (std::size_t pair = 0; pair < angles.size(); ++pair) {
        double& first = row[pair * step];
        double& second = row[pair * step + partner];
        const double x = first;
        const double y = second;
        first = x * angles[pair].cosine - y * angles[pair].sine;
        second = x * angles[pair].sine + y * angles[pair].cosine;
    }
}

}  // namespace

void rotatePairs(std::span<double> row, const PairRotation& rotation, std::int64_t position) {
    assert(row.size() >= 2 * rotation.turnsPerToken.size());
    std::vector<CosSin> angles;
    anglesAt(rotation, position, angles);
    turn(row.data(), angles, rotation.layout);
}

void rotateRows(RowMatrix& queries, RowMatrix& keys, const PairRotation& rotation, std::int64_t begin,
                std::int64_t end) {
    assert(queries.rows() == keys.rows() && queries.cols() == keys.cols());
    assert(begin >= 0 && begin <= end && end <= queries.rows());
    std::vector<CosSin> angles;
    for (Eigen::Index position = begin; position < end; ++position) {
        anglesAt(rotation, position, angles);
        turn(queries.row(position).data(), angles, rotation.layout);
        turn(keys.row(position).data(), angles, rotation.layout);
    }
}

}  // namespace phaseladder
