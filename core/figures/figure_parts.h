#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/ladder/scaling.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// An empty cell of a table, and a break of a curve.
inline constexpr double noValue = std::numeric_limits<double>::quiet_NaN();

/// Whether the encoding has frequency pairs: figureLadders() has something then.
[[nodiscard]] bool hasFrequencies(const Scene& scene);

/// Why there is no ladder, or no phases, of an encoding without frequencies, and where to look instead; an
/// empty text where it has some.
[[nodiscard]] std::string noFrequenciesSentence(const Scene& scene, std::string_view what);

/// A count or length with commas for thousands: "65,536".
[[nodiscard]] std::string groupedNumber(std::int64_t value);

/// "no pairs", "1 pair", "29 pairs".
[[nodiscard]] std::string countOf(std::int64_t count, std::string_view noun);

/// "YaRN ×4": the scene's scaling with its factor where it uses one; without what its label says in brackets.
[[nodiscard]] std::string scalingLabel(const Scene& scene);

/// Pair indices for lines: the first and the last pair are the ends of the axis.
[[nodiscard]] Axis pairAxis(std::size_t pairs);

/// Text positions start .. start + count - 1 as cells.
[[nodiscard]] Axis positionAxis(std::int64_t start, std::int64_t count);

/// 0, 1 .. count-1.
[[nodiscard]] std::vector<double> indices(std::size_t count);

/// What the figures of frequency pairs are about: the encoding's own ladders. Nothing for an encoding without
/// frequencies.
[[nodiscard]] Result<std::optional<SceneLadders>> figureLadders(const Scene& scene);

/// Whether the scene's scaling changes its ladder or the factor on the logits.
[[nodiscard]] bool isScaled(const Scene& scene);

/// Whether each further token brings key vectors of new distances (Transformer-XL), so that long texts are
/// dear; a clipped table brings none.
[[nodiscard]] bool hasVectorPerDistance(const Scene& scene);

/// How positions are shared out to pixels: `step` positions a cell, the last cell may reach past the last
/// position.
struct PositionCells {
    std::int64_t start = 0;
    std::int64_t step = 1;
    std::int64_t cells = 1;

    [[nodiscard]] std::int64_t firstPosition(std::int64_t cell) const { return start + cell * step; }
    [[nodiscard]] std::int64_t lastPosition() const { return firstPosition(cells) - 1; }
};
[[nodiscard]] PositionCells positionCells(const ViewSettings& view, int pixels);

/// "pairs 0–11", "pair 3", or "7 pairs from 0 to 20" where they are not next to each other. Pairs ascending,
/// not empty.
[[nodiscard]] std::string pairRangeText(std::span<const std::size_t> pairs);

/// Refuses an amount of memory above half of what the machine has free with the three numbers that a person
/// needs.
[[nodiscard]] Result<void> checkFigureMemory(double neededBytes, double bytesPerItem,
                                             std::string_view itemName);

}  // namespace phaseladder
