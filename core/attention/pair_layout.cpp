#include "core/attention/pair_layout.h"

#include <numeric>

namespace phaseladder {

std::vector<int> interleavingOrder(int rotaryDim, int width) {
    std::vector<int> order(static_cast<std::size_t>(width));
    std::iota(order.begin(), order.end(), 0);
    for (int pair = 0; pair < rotaryDim / 2; ++pair) {
        order[static_cast<std::size_t>(2 * pair)] = pair;
        order[static_cast<std::size_t>(2 * pair + 1)] = pair + rotaryDim / 2;
    }
    return order;
}

std::vector<int> halvingOrder(int rotaryDim, int width) {
    const std::vector<int> interleaving = interleavingOrder(rotaryDim, width);
    std::vector<int> order(interleaving.size());
    for (std::size_t place = 0; place < order.size(); ++place) {
        order[static_cast<std::size_t>(interleaving[place])] = static_cast<int>(place);
    }
    return order;
}

Eigen::RowVectorXd permuted(const Eigen::RowVectorXd& row, const std::vector<int>& order) {
    Eigen::RowVectorXd result(row.size());
    for (Eigen::Index place = 0; place < row.size(); ++place) {
        result[place] = row[order[static_cast<std::size_t>(place)]];
    }
    return result;
}

PairRotation otherLayout(const PairRotation& rotation) {
    PairRotation other = rotation;
    other.layout = rotation.layout == RopeLayout::half ? RopeLayout::interleaved : RopeLayout::half;
    return other;
}

double pairwiseProduct(const Eigen::RowVectorXd& query, const Eigen::RowVectorXd& key,
                       const PairRotation& rotation) {
    const auto pairs = static_cast<Eigen::Index>(rotation.turnsPerToken.size());
    const bool isHalf = rotation.layout == RopeLayout::half;
    double sum = 0.0;
    for (Eigen::Index pair = 0; pair < pairs; ++pair) {
        const Eigen::Index first = isHalf ? pair : 2 * pair;
        const Eigen::Index second = isHalf ? pair + pairs : 2 * pair + 1;
        sum += query[first] * key[first] + query[second] * key[second];
    }
    for (Eigen::Index channel = 2 * pairs; channel < query.size(); ++channel) {
        sum += query[channel] * key[channel];
    }
    return sum;
}

}  // namespace phaseladder
