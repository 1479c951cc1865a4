#include "core/attention/shift_map.h"

#include <algorithm>

#include <Eigen/QR>

#include "core/attention/rotate.h"
#include "core/encodings/sinusoidal.h"
#include "core/phase/phase_turns.h"

namespace phaseladder {

RowMatrix sinusoidalShift(const SinusoidalSettings& settings, int width, std::int64_t shift) {
    const std::vector<std::uint64_t> turns = phaseTurns(sinusoidalLadder(settings.spacing, width));
    const auto sines = static_cast<Eigen::Index>(turns.size());
    const Eigen::Index cosines = std::min<Eigen::Index>(sines, width - sines);
    const bool halves = settings.layout == SinusoidalLayout::halves;
    RowMatrix map = RowMatrix::Zero(width, width);
    for (Eigen::Index pair = 0; pair < sines; ++pair) {
        const CosSin turn =
            cosSin(phaseOf(turns[static_cast<std::size_t>(pair)], static_cast<std::uint64_t>(shift)));
        const Eigen::Index sine = halves ? pair : 2 * pair;
        map(sine, sine) = turn.cosine;
        if (pair < cosines) {
            const Eigen::Index cosine = halves ? sines + pair : 2 * pair + 1;
            map(sine, cosine) = turn.sine;
            map(cosine, sine) = -turn.sine;
            map(cosine, cosine) = turn.cosine;
        }
    }
    return map;
}

RowMatrix rotationShift(const PairRotation& rotation, int width, std::int64_t shift) {
    PairRotation plain = rotation;
    plain.axisPositions.clear();
    plain.attentionFactor = 1.0;
    RowMatrix images = RowMatrix::Identity(width, width);
    for (Eigen::Index row = 0; row < width; ++row) {
        rotatePairs({images.row(row).data(), static_cast<std::size_t>(width)}, plain, shift);
    }
    // Row k is what the map makes of unit vector k, which is the map's column.
    return images.transpose();
}

RowMatrix fittedMap(const RowMatrix& from, const RowMatrix& to) {
    const Eigen::MatrixXd transposed = from.completeOrthogonalDecomposition().solve(to);
    return transposed.transpose();
}

}  // namespace phaseladder
