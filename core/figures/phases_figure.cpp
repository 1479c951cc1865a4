#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/pair_axes.h"
#include "core/number_text.h"
#include "core/phase/phase_turns.h"

namespace phaseladder {
namespace {

constexpr double fullTurn = 2.0 * std::numbers::pi;

/// Share of a lane that a wave fills from its middle to its crest.
constexpr double laneAmplitude = 0.42;

/// Pairs × cells: the phase of the first token of each cell on the axis that turns the pair, exact from
/// 64-bit turns.
Heatmap phaseMap(const std::vector<std::uint64_t>& turns, const PairAxes& axes, const PositionCells& cells,
                 const std::vector<std::size_t>& aliased) {
    Heatmap map;
    map.rows = static_cast<std::int64_t>(turns.size());
    map.columns = cells.cells;
    map.columnStart = static_cast<double>(cells.start) - 0.5;
    map.columnStep = static_cast<double>(cells.step);
    map.map = ColorMapKind::cyclic;
    map.low = 0.0;
    map.high = fullTurn;
    map.valueTitle = "phase (rad)";
    map.phaseTicks = true;
    map.values.reserve(static_cast<std::size_t>(map.rows * map.columns));
    for (std::size_t pair = 0; pair < turns.size(); ++pair) {
        for (std::int64_t cell = 0; cell < cells.cells; ++cell) {
            const auto place = static_cast<std::uint64_t>(axes.place(pair, cells.firstPosition(cell)));
            map.values.push_back(phaseRadians(phaseOf(turns[pair], place)));
        }
    }
    if (!aliased.empty()) {
        map.states.assign(map.values.size(), CellState::shown);
        for (const std::size_t pair : aliased) {
            std::fill_n(map.states.begin() + static_cast<std::ptrdiff_t>(pair) * cells.cells, cells.cells,
                        CellState::aliased);
        }
    }
    return map;
}

Panel mapPanel(Heatmap map, const PairAxes& axes, const PositionCells& cells) {
    Panel panel;
    panel.id = "phases";
    panel.title = axes.areSeveral() ? "turned by " + pairsByAxis(axes) : std::string();
    panel.x = placedAxis(axes, cells.start, cells.step * cells.cells);
    panel.y.meaning = AxisMeaning::pair;
    panel.y.title = "pair";
    panel.y.minimum = -0.5;
    panel.y.maximum = static_cast<double>(map.rows) - 0.5;
    panel.y.reversed = true;
    panel.y.wholeNumbers = true;
    panel.layers.push_back(std::move(map));
    for (const AxisSection& section : axisSections(axes)) {
        if (section.first > 0) {
            panel.layers.push_back(
                Rule{"", Role::muted, Orientation::horizontal, static_cast<double>(section.first) - 0.5, ""});
        }
    }
    return panel;
}

/// Up to `wanted` of some pairs spread evenly from the first to the last.
std::vector<std::size_t> spread(const std::vector<std::size_t>& pairs, std::size_t wanted) {
    const std::size_t count = std::min(pairs.size(), wanted);
    std::vector<std::size_t> chosen;
    for (std::size_t index = 0; index < count; ++index) {
        chosen.push_back(
            pairs[count == 1 ? 0 : (index * (pairs.size() - 1) + (count - 1) / 2) / (count - 1)]);
    }
    return chosen;
}

/// Up to `wanted` pairs from the fastest to the slowest, as many of each axis.
std::vector<std::size_t> spreadPairs(std::size_t pairs, const PairAxes& axes, std::size_t wanted) {
    const std::size_t count = std::max<std::size_t>(axes.rotation.axisNames.size(), 1);
    std::vector<std::size_t> chosen;
    for (std::size_t axis = 0; axis < count; ++axis) {
        std::vector<std::size_t> own;
        for (std::size_t pair = 0; pair < pairs; ++pair) {
            if (!axes.areSeveral() || axes.rotation.axisOfPair[pair] == axis) {
                own.push_back(pair);
            }
        }
        const std::vector<std::size_t> some = spread(own, (wanted + count - 1 - axis) / count);
        chosen.insert(chosen.end(), some.begin(), some.end());
    }
    std::ranges::sort(chosen);
    return chosen;
}

/// sin over the shown positions at `samplesPerPosition` points a position (or the first position of each
/// cell), on a lane.
Curve sineCurve(std::uint64_t turnsPerToken, const PositionCells& cells, std::int64_t samplesPerPosition,
                double lane) {
    Curve curve;
    const bool isFine = cells.step == 1;
    const std::int64_t points = isFine ? (cells.cells - 1) * samplesPerPosition + 1 : cells.cells;
    const double spacing =
        isFine ? 1.0 / static_cast<double>(samplesPerPosition) : static_cast<double>(cells.step);
    const std::uint64_t turnsPerPoint = isFine
                                            ? turnsPerToken / static_cast<std::uint64_t>(samplesPerPosition)
                                            : turnsPerToken * static_cast<std::uint64_t>(cells.step);
    std::uint64_t phase = phaseOf(turnsPerToken, static_cast<std::uint64_t>(cells.start));
    for (std::int64_t point = 0; point < points; ++point) {
        curve.x.push_back(static_cast<double>(cells.start) + static_cast<double>(point) * spacing);
        curve.y.push_back(lane + laneAmplitude * cosSin(phase).sine);
        phase += turnsPerPoint;
    }
    return curve;
}

/// sin of each shown token, level over its cell: between two tokens of an image there is nothing.
Curve sineSteps(std::uint64_t turnsPerToken, const PairAxes& axes, std::size_t pair,
                const PositionCells& cells, double lane) {
    Curve curve;
    curve.role = axisRole(axes.rotation.axisOfPair[pair]);
    for (std::int64_t cell = 0; cell < cells.cells; ++cell) {
        const std::int64_t token = cells.firstPosition(cell);
        const auto place = static_cast<std::uint64_t>(axes.place(pair, token));
        const double level = lane + laneAmplitude * cosSin(phaseOf(turnsPerToken, place)).sine;
        const double begin = static_cast<double>(token) - 0.5;
        curve.x.insert(curve.x.end(), {begin, begin + static_cast<double>(cells.step)});
        curve.y.insert(curve.y.end(), {level, level});
    }
    return curve;
}

/// The range of a wave from `low` to `high`, in place of its line.
Envelope swing(const Axis& positions, double lane, double low = -1.0, double high = 1.0) {
    Envelope envelope;
    envelope.role = Role::live;
    envelope.x = {positions.minimum, positions.maximum};
    envelope.low.assign(2, lane + laneAmplitude * low);
    envelope.high.assign(2, lane + laneAmplitude * high);
    return envelope;
}

/// The range of the sines of all shown tokens on a pair's axis.
Envelope sineRange(std::uint64_t turnsPerToken, const PairAxes& axes, std::size_t pair, const Axis& positions,
                   const PositionCells& cells, double lane) {
    double low = 1.0;
    double high = -1.0;
    for (std::int64_t token = cells.start; token < cells.start + cells.step * cells.cells; ++token) {
        const auto place = static_cast<std::uint64_t>(axes.place(pair, token));
        const double sine = cosSin(phaseOf(turnsPerToken, place)).sine;
        low = std::min(low, sine);
        high = std::max(high, sine);
    }
    Envelope envelope = swing(positions, lane, low, high);
    envelope.role = axisRole(axes.rotation.axisOfPair[pair]);
    return envelope;
}

/// Mean step from one cell to the next on a pair's axis, in positions.
double meanStep(const PairAxes& axes, std::size_t pair, const PositionCells& cells) {
    double sum = 0.0;
    for (std::int64_t cell = 1; cell < cells.cells; ++cell) {
        sum += static_cast<double>(std::abs(axes.place(pair, cells.firstPosition(cell)) -
                                            axes.place(pair, cells.firstPosition(cell - 1))));
    }
    return sum / static_cast<double>(std::max<std::int64_t>(cells.cells - 1, 1));
}

/// A lane for each of a few pairs, the fastest on top. A wave too dense to be seen as a line is an
/// envelope.
Panel lanesPanel(const Ladder& ladder, const std::vector<std::uint64_t>& turns, const PairAxes& axes,
                 const std::vector<std::size_t>& aliased, const PositionCells& cells,
                 const FigureRequest& request) {
    constexpr std::int64_t rowsPerLane = 48;
    constexpr double densestPeriodPixels = 16.0;
    const double pixelsPerCell =
        static_cast<double>(std::max(request.pixelColumns, 1)) / static_cast<double>(cells.cells);
    const auto wanted =
        static_cast<std::size_t>(std::clamp<std::int64_t>(request.pixelRows / rowsPerLane, 3, 8));
    const std::vector<std::size_t> pairs = spreadPairs(turns.size(), axes, wanted);
    const std::int64_t samples = std::clamp<std::int64_t>(
        2 * std::max(request.pixelColumns, 1) / std::max<std::int64_t>(cells.cells, 1), 1, 8);
    Panel panel;
    panel.id = "waves";
    panel.title = "sine of the phase";
    panel.x = placedAxis(axes, cells.start, cells.step * cells.cells);
    panel.y.minimum = -0.5;
    panel.y.maximum = static_cast<double>(pairs.size()) - 0.5;
    panel.y.wholeNumbers = true;
    panel.y.laneHeight = laneAmplitude;
    panel.y.labels.resize(pairs.size());
    bool hasDense = false;
    bool hasAliased = false;
    for (std::size_t index = 0; index < pairs.size(); ++index) {
        const std::size_t lane = pairs.size() - 1 - index;
        const std::size_t pair = pairs[index];
        const double step = axes.areSeveral() ? meanStep(axes, pair, cells) : static_cast<double>(cells.step);
        const double turnsPerCell = static_cast<double>(ladder.inverseFrequency[pair]) * step / fullTurn;
        const bool isAliased = std::ranges::binary_search(aliased, pair);
        const bool isShaded = isAliased || turnsPerCell > pixelsPerCell / densestPeriodPixels;
        panel.y.labels[lane] = fmt::format("pair {}", pair);
        hasAliased = hasAliased || isAliased;
        hasDense = hasDense || (isShaded && !isAliased);
        const auto at = static_cast<double>(lane);
        if (axes.areSeveral()) {
            panel.y.labels[lane] += " " + axes.nameOf(pair);
            panel.layers.push_back(isShaded ? Layer(sineRange(turns[pair], axes, pair, panel.x, cells, at))
                                            : Layer(sineSteps(turns[pair], axes, pair, cells, at)));
        } else {
            panel.layers.push_back(isShaded ? Layer(swing(panel.x, at))
                                            : Layer(sineCurve(turns[pair], cells, samples, at)));
        }
    }
    if (hasDense || hasAliased) {
        panel.title += !hasAliased ? " (shaded: too dense)"
                       : hasDense  ? " (shaded: too dense or aliased)"
                                   : " (shaded: aliased)";
    }
    return panel;
}

void describeAliasing(Figure& figure, const std::vector<std::size_t>& aliased, const PositionCells& cells) {
    Readout readout{"resolution", "how the phases are shown", "exact", "", std::nullopt, "exact", Tone::good};
    if (!aliased.empty()) {
        const std::string which = pairRangeText(aliased);
        readout.value = which + " aliased";
        readout.chip = which + " aliased";
        readout.tone = Tone::warning;
        figure.warnings.push_back(fmt::format(
            "A column spans {} positions from position {} on: {} turn{} more than half a turn in it and {} "
            "hatched "
            "(aliased). Show fewer positions to see {}.",
            groupedNumber(cells.step), groupedNumber(cells.start), which, aliased.size() == 1 ? "s" : "",
            aliased.size() == 1 ? "is" : "are", aliased.size() == 1 ? "it" : "them"));
    } else if (cells.step > 1) {
        figure.notes.push_back(fmt::format("A column spans {} positions; it shows the first of them.",
                                           groupedNumber(cells.step)));
    }
    figure.readouts.push_back(readout);
}

Result<Figure> makePhases(const Scene& scene, const FigureRequest& request, Engine&, std::stop_token) {
    Result<std::optional<SceneLadders>> ladders = figureLadders(scene);
    if (!ladders) {
        return tl::unexpected(ladders.error());
    }
    Figure figure;
    const Ladder& ladder = (*ladders)->scaled.ladder;
    const std::vector<std::uint64_t> turns = phaseTurns(ladder);
    const PositionCells cells = positionCells(scene.view, request.pixelColumns);
    const Result<PairAxes> axes = pairAxes(scene, cells.lastPosition());
    if (!axes) {
        return tl::unexpected(axes.error());
    }
    const std::vector<std::size_t> aliased = aliasedPairs(ladder, *axes, cells);
    Heatmap map = phaseMap(turns, *axes, cells, aliased);
    figure.matrix = Matrix{map.rows, map.columns, map.values};
    figure.panels.push_back(mapPanel(std::move(map), *axes, cells));
    figure.panels.push_back(lanesPanel(ladder, turns, *axes, aliased, cells, request));
    describeAliasing(figure, aliased, cells);
    if (axes->areSeveral()) {
        figure.notes.emplace_back("Each pair has a token's angle on the axis that turns it.");
    }
    const double longest = longestWavelength(ladder);
    figure.readouts.push_back(
        Readout{"longest_wavelength", "longest wavelength", longest, "tokens", std::nullopt,
                std::isnan(longest) ? "" : "longest λ " + formatForPeople(longest, 5), Tone::neutral});
    return figure;
}

}  // namespace

FigureKind phasesFigureKind() {
    return {.id = "phases",
            .label = "Phases",
            .help =
                "Phase of each frequency pair at each position, exact at any distance; a few pairs also as "
                "waves.",
            .make = makePhases,
            .emptyState = [](const Scene& scene) { return noFrequenciesSentence(scene, "phases"); }};
}

}  // namespace phaseladder
