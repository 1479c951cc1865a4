#include <cmath>

#include <fmt/format.h>

#include "core/attention/problem.h"
#include "core/encodings/learned.h"
#include "core/figures/color_range.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/pair_axes.h"
#include "core/number_text.h"
#include "core/phase/phase_turns.h"

namespace phaseladder {
namespace {

/// The columns that show one frequency pair.
struct PairColumns {
    std::size_t sine = 0;
    std::size_t cosine = 0;
};

/// Rotations: cosines of all pairs, then their sines. Sinusoidal rows: as their layout says. Vectors by
/// distance (Transformer-XL): halves.
///   rotation  cos0 cos1 .. sin0 sin1 ..   interleaved  sin0 cos0 sin1 cos1 ..   halves  sin0 .. cos0 cos1 ..
std::vector<PairColumns> pairColumns(const Scene& scene, const EncodingPlan& plan, std::size_t pairs) {
    const bool isInterleaved = hasRows(plan) && scene.sinusoidal.layout == SinusoidalLayout::interleaved;
    std::vector<PairColumns> columns;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        if (plan.rotation) {
            columns.push_back({pairs + pair, pair});
        } else if (isInterleaved) {
            columns.push_back({2 * pair, 2 * pair + 1});
        } else {
            columns.push_back({pair, pairs + pair});
        }
    }
    return columns;
}

/// Cells × 2 pairs, at the first position of each cell.
Matrix encodingMatrix(const Ladder& ladder, const PairAxes& axes, const std::vector<PairColumns>& columns,
                      const PositionCells& cells) {
    const std::vector<std::uint64_t> turns = phaseTurns(ladder);
    const std::size_t width = 2 * turns.size();
    Matrix matrix;
    matrix.rows = cells.cells;
    matrix.columns = static_cast<std::int64_t>(width);
    matrix.values.resize(static_cast<std::size_t>(matrix.rows) * width);
    for (std::int64_t cell = 0; cell < cells.cells; ++cell) {
        const std::int64_t token = cells.firstPosition(cell);
        double* row = matrix.values.data() + static_cast<std::size_t>(cell) * width;
        for (std::size_t pair = 0; pair < turns.size(); ++pair) {
            const auto place = static_cast<std::uint64_t>(axes.place(pair, token));
            const CosSin value = cosSin(phaseOf(turns[pair], place));
            row[columns[pair].sine] = value.sine;
            row[columns[pair].cosine] = value.cosine;
        }
    }
    return matrix;
}

Heatmap heatmap(const Matrix& matrix, const PositionCells& cells) {
    Heatmap map;
    map.rows = matrix.rows;
    map.columns = matrix.columns;
    map.values = matrix.values;
    map.rowStart = static_cast<double>(cells.start) - 0.5;
    map.rowStep = static_cast<double>(cells.step);
    map.low = -1.0;
    map.high = 1.0;
    map.valueTitle = "value";
    return map;
}

/// Hatches the columns of pairs that turn more than half a turn within a row's positions.
void hatchAliased(Figure& figure, Heatmap& map, const std::vector<std::size_t>& aliased,
                  const std::vector<PairColumns>& columns, const PositionCells& cells) {
    if (aliased.empty()) {
        return;
    }
    map.states.assign(map.values.size(), CellState::shown);
    const auto width = static_cast<std::size_t>(map.columns);
    for (std::size_t row = 0; row < map.states.size(); row += width) {
        for (const std::size_t pair : aliased) {
            map.states[row + columns[pair].sine] = CellState::aliased;
            map.states[row + columns[pair].cosine] = CellState::aliased;
        }
    }
    figure.warnings.push_back(fmt::format(
        "A row spans {} positions: {} would show a false pattern and {} hatched (aliased). Show fewer "
        "positions to see {}.",
        groupedNumber(cells.step), pairRangeText(aliased), aliased.size() == 1 ? "is" : "are",
        aliased.size() == 1 ? "it" : "them"));
}

Panel matrixPanel(Heatmap map, const PairAxes& axes, const PositionCells& cells) {
    Panel panel;
    panel.id = "encoding";
    panel.x.meaning = AxisMeaning::dimension;
    panel.x.title = "dimension";
    panel.x.minimum = -0.5;
    panel.x.maximum = static_cast<double>(map.columns) - 0.5;
    panel.x.wholeNumbers = true;
    panel.y = placedAxis(axes, cells.start, cells.step * cells.cells);
    panel.y.reversed = true;
    panel.layers.push_back(std::move(map));
    return panel;
}

/// Two tables side by side, told apart by a line and their names; lines also where another axis begins.
void nameTables(Figure& figure, Panel& panel, const Ladder& ladder, const PairAxes& axes) {
    const std::size_t pairs = ladder.inverseFrequency.size();
    panel.x.title = fmt::format("cos of pairs 0–{0}, then sin of pairs 0–{0}", pairs - 1);
    panel.layers.push_back(
        Rule{"", Role::muted, Orientation::vertical, static_cast<double>(pairs) - 0.5, ""});
    for (const AxisSection& section : axisSections(axes)) {
        for (const std::size_t table : {std::size_t{0}, pairs}) {
            if (section.first > 0) {
                panel.layers.push_back(Rule{"", Role::muted, Orientation::vertical,
                                            static_cast<double>(table + section.first) - 0.5, ""});
            }
        }
    }
    if (axes.areSeveral()) {
        figure.readouts.push_back(Readout{"axes", "pairs of each axis", pairsByAxis(axes), "", std::nullopt,
                                          pairsByAxis(axes), Tone::neutral});
        figure.notes.emplace_back("Each pair has a token's angle on the axis that turns it.");
    }
    if (ladder.attentionFactor != 1.0) {
        figure.notes.push_back(
            fmt::format("Cos and sin are multiplied by {} before they turn queries and keys.",
                        formatForPeople(ladder.attentionFactor)));
    }
}

/// What stands where there is no matrix, and where to look instead.
std::string emptyState(const Scene& scene) {
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan || hasRows(*plan) || hasFrequencies(scene)) {
        return {};
    }
    return !hasPositions(*plan)
               ? "No positions: nothing is added or turned. Choose RoPE or sinusoidal."
               : "This encoding has no row a position: it acts on distances: see Relative bias.";
}

/// How many rows a text can use. Only a learned table has an end, and rows that its offset skips.
void addUsableRows(Figure& figure, const Scene& scene) {
    if (scene.encoding != "learned") {
        return;
    }
    const Result<LearnedTable> table = learnedTable(scene, 0);
    figure.readouts.push_back(Readout{
        "usable_positions", "positions with a row", static_cast<double>(table->usable), "tokens",
        std::nullopt,
        fmt::format("{} of {} rows usable", groupedNumber(table->usable), groupedNumber(table->tableRows)),
        Tone::neutral});
}

/// The rows of an absolute encoding as they are, undefined where there are none.
Result<Figure> makeOfRows(const Scene& scene, const PositionCells& cells) {
    const std::int64_t rows = cells.lastPosition() + 1;
    const double bytesPerRow = 2.0 * sizeof(double) * scene.headDim;
    if (Result<void> fits =
            checkFigureMemory(static_cast<double>(rows) * bytesPerRow, bytesPerRow, "position");
        !fits) {
        return tl::unexpected(fits.error());
    }
    const Result<EncodingPlan> plan = makePlan(scene, rows);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const auto width = static_cast<std::size_t>(scene.headDim);
    const std::int64_t defined = plan->definedTokens.value_or(rows);
    Matrix matrix{cells.cells, scene.headDim, {}};
    std::vector<CellState> states;
    for (std::int64_t cell = 0; cell < cells.cells; ++cell) {
        const auto row = static_cast<std::size_t>(cells.firstPosition(cell)) * width;
        const bool isDefined = cells.firstPosition(cell) < defined;
        for (std::size_t channel = 0; channel < width; ++channel) {
            matrix.values.push_back(isDefined ? positionRows(*plan)[row + channel] : noValue);
            const bool isShown = std::isfinite(matrix.values.back());
            states.push_back(isShown ? CellState::shown : CellState::undefined);
        }
    }
    Figure figure;
    Heatmap map = heatmap(matrix, cells);
    map.states = std::move(states);
    setDivergingRange(map);
    figure.panels.push_back(matrixPanel(std::move(map), PairAxes{}, cells));
    addUsableRows(figure, scene);
    // Of a text that is itself too long the scene's own warning says it.
    const std::int64_t shown = std::min(rows, scene.view.start + scene.view.positions);
    if (defined < shown && sequenceLength(scene) <= defined) {
        figure.warnings.push_back(
            fmt::format("Positions from {} on have no row: undefined, and hatched.", groupedNumber(defined)));
    }
    if (cells.step > 1) {
        figure.notes.push_back(fmt::format("One row in {} is shown.", groupedNumber(cells.step)));
    }
    figure.matrix = std::move(matrix);
    return figure;
}

/// Sines and cosines of a ladder.
Result<Figure> makeOfLadder(const Scene& scene, const EncodingPlan& plan, const Ladder& ladder,
                            const PositionCells& cells) {
    const Result<PairAxes> axes = pairAxes(scene, cells.lastPosition());
    if (!axes) {
        return tl::unexpected(axes.error());
    }
    Figure figure;
    const std::vector<PairColumns> columns = pairColumns(scene, plan, ladder.inverseFrequency.size());
    Matrix matrix = encodingMatrix(ladder, *axes, columns, cells);
    Heatmap map = heatmap(matrix, cells);
    hatchAliased(figure, map, aliasedPairs(ladder, *axes, cells), columns, cells);
    Panel panel = matrixPanel(std::move(map), *axes, cells);
    std::string use =
        scene.join == AbsoluteJoin::add ? "added to the token vectors" : "set beside the token vectors";
    if (plan.rotation) {
        nameTables(figure, panel, ladder, *axes);
        use = "cos and sin tables";
    } else if (plan.relativeKeys) {
        panel.y.meaning = AxisMeaning::distance;
        panel.y.title = "distance i − j (tokens)";
        use = "R by distance, before W_r";
    }
    figure.readouts.push_back(Readout{"columns", "columns", static_cast<double>(matrix.columns), "",
                                      std::nullopt, std::move(use), Tone::neutral});
    figure.panels.push_back(std::move(panel));
    figure.matrix = std::move(matrix);
    return figure;
}

Result<Figure> makeEncoding(const Scene& scene, const FigureRequest& request, Engine&, std::stop_token) {
    const PositionCells cells = positionCells(scene.view, request.pixelRows);
    const Result<std::optional<SceneLadders>> ladders = figureLadders(scene);
    if (!ladders) {
        return tl::unexpected(ladders.error());
    }
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    return ladders->has_value() ? makeOfLadder(scene, *plan, (*ladders)->scaled.ladder, cells)
                                : makeOfRows(scene, cells);
}

}  // namespace

FigureKind encodingFigureKind() {
    return {.id = "encoding",
            .label = "Encoding",
            .help =
                "The encoding itself, position by dimension: sinusoidal or learned rows, or the cos and sin "
                "tables of RoPE.",
            .make = makeEncoding,
            .emptyState = emptyState};
}

}  // namespace phaseladder
