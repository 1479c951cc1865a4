#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/encodings/encoding.h"
#include "core/figures/figure.h"
#include "core/figures/figure_parts.h"
#include "core/result.h"

namespace phaseladder {

/// The axis that turns each pair, and where tokens stand on it: the position in the text, or an image's time,
/// row and column (the grid editor's).
struct PairAxes {
    PairRotation rotation{};  ///< of which only the axes count

    /// Whether pairs are turned by several axes.
    [[nodiscard]] bool areSeveral() const { return rotation.axisNames.size() > 1; }
    /// Where a token stands on the axis of a pair: what its frequency is multiplied by in attention.
    [[nodiscard]] std::int64_t place(std::size_t pair, std::int64_t token) const;
    [[nodiscard]] const std::string& nameOf(std::size_t pair) const;
};

/// Of tokens 0 .. lastToken of the scene. Refused where their places do not fit the memory.
[[nodiscard]] Result<PairAxes> pairAxes(const Scene& scene, std::int64_t lastToken);

/// The colour of an axis, the same in every figure.
[[nodiscard]] Role axisRole(std::size_t axis);

/// Pairs first .. last that follow one axis.
struct AxisSection {
    std::size_t axis = 0, first = 0, last = 0;
};
/// The sections where each axis has one of its own, in turn; empty where axes take turns pair by pair.
[[nodiscard]] std::vector<AxisSection> axisSections(const PairAxes& axes);

/// "time 0–15 · row 16–39 · column 40–63", or "time 0, 3 … 63 · row 1, 4 … 58 · …" where axes take turns.
[[nodiscard]] std::string pairsByAxis(const PairAxes& axes);

/// "time 4, row 5, column 6": where a token stands.
[[nodiscard]] std::string placeText(const PairAxes& axes, std::int64_t token);

/// Cells of positions, or of tokens where several axes place them.
[[nodiscard]] Axis placedAxis(const PairAxes& axes, std::int64_t start, std::int64_t count);

/// Pairs that turn more than half a turn within a cell, so that a picture of them would show a false pattern.
/// Ascending; none where a cell is one position.
[[nodiscard]] std::vector<std::size_t> aliasedPairs(const Ladder& ladder, const PairAxes& axes,
                                                    const PositionCells& cells);

}  // namespace phaseladder
