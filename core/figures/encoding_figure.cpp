#include <fmt/format.h>

#include "core/encodings/learned.h"
#include "core/figures/color_range.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/number_text.h"
#include "core/phase/phase_turns.h"

namespace phaseladder {
namespace {

/// The columns that show one frequency pair.
struct PairColumns {
    std::size_t sine = 0;
    std::size_t cosine = 0;
};

bool isRotation(const Scene& scene) {
    return scene.encoding == "rope" || scene.encoding == "xpos";
}

/// RoPE: cosines of all pairs, then their sines. Sinusoidal: as its layout says. Transformer-XL: halves.
///   RoPE  cos0 cos1 .. sin0 sin1 ..    interleaved  sin0 cos0 sin1 cos1 ..    halves  sin0 sin1 .. cos0 cos1
///   ..
std::vector<PairColumns> pairColumns(const Scene& scene, std::size_t pairs) {
    std::vector<PairColumns> columns;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        if (isRotation(scene)) {
            columns.push_back({pairs + pair, pair});
        } else if (scene.encoding == "sinusoidal" &&
                   scene.sinusoidal.layout == SinusoidalLayout::interleaved) {
            columns.push_back({2 * pair, 2 * pair + 1});
        } else {
            columns.push_back({pair, pairs + pair});
        }
    }
    return columns;
}

/// Cells × 2 pairs, at the first position of each cell.
Matrix encodingMatrix(const Ladder& ladder, const std::vector<PairColumns>& columns,
                      const PositionCells& cells) {
    const std::vector<std::uint64_t> turns = phaseTurns(ladder);
    const std::size_t width = 2 * turns.size();
    Matrix matrix;
    matrix.rows = cells.cells;
    matrix.columns = static_cast<std::int64_t>(width);
    matrix.values.resize(static_cast<std::size_t>(matrix.rows) * width);
    for (std::int64_t cell = 0; cell < cells.cells; ++cell) {
        const auto position = static_cast<std::uint64_t>(cells.firstPosition(cell));
        double* row = matrix.values.data() + static_cast<std::size_t>(cell) * width;
        for (std::size_t pair = 0; pair < turns.size(); ++pair) {
            const CosSin value = cosSin(phaseOf(turns[pair], position));
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

/// Hatches the columns of pairs that turn more than half a turn from one row to the next.
void hatchAliased(Figure& figure, Heatmap& map, const Ladder& ladder, const std::vector<PairColumns>& columns,
                  const PositionCells& cells) {
    const std::vector<std::size_t> aliased = aliasedPairs(ladder, cells.step);
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

Panel matrixPanel(Heatmap map, const PositionCells& cells) {
    Panel panel;
    panel.id = "encoding";
    panel.x.meaning = AxisMeaning::dimension;
    panel.x.title = "dimension";
    panel.x.minimum = -0.5;
    panel.x.maximum = static_cast<double>(map.columns) - 0.5;
    panel.x.wholeNumbers = true;
    panel.y = positionAxis(cells.start, cells.step * cells.cells);
    panel.y.reversed = true;
    panel.layers.push_back(std::move(map));
    return panel;
}

/// Two tables side by side, told apart by a line and their names.
void nameTables(Figure& figure, Panel& panel, const Ladder& ladder) {
    const std::size_t pairs = ladder.inverseFrequency.size();
    panel.x.title = fmt::format("cos of pairs 0–{0}, then sin of pairs 0–{0}", pairs - 1);
    panel.layers.push_back(
        Rule{"", Role::muted, Orientation::vertical, static_cast<double>(pairs) - 0.5, ""});
    if (ladder.attentionFactor != 1.0) {
        figure.notes.push_back(
            fmt::format("Cos and sin are multiplied by {} before they turn queries and keys.",
                        formatForPeople(ladder.attentionFactor)));
    }
}

/// What stands where there is no matrix, and where to look instead.
std::string emptyState(const Scene& scene) {
    return scene.encoding == "none"
               ? "No positions: nothing is added or turned. Choose RoPE or sinusoidal."
               : "This encoding has no row a position: it acts on distances. Open the figure relative-bias.";
}

/// A learned table, whose rows past its end are undefined.
Result<Figure> makeLearned(const Scene& scene, const PositionCells& cells) {
    const std::int64_t last = cells.firstPosition(cells.cells - 1);
    const double bytesPerRow = 2.0 * sizeof(double) * scene.headDim;
    if (Result<void> fits =
            checkFigureMemory(static_cast<double>(last + 1) * bytesPerRow, bytesPerRow, "position");
        !fits) {
        return tl::unexpected(fits.error());
    }
    const Result<LearnedTable> table = learnedTable(scene, last + 1);
    if (!table) {
        return tl::unexpected(table.error());
    }
    const auto width = static_cast<std::size_t>(scene.headDim);
    Matrix matrix{cells.cells, scene.headDim, {}};
    std::vector<CellState> states;
    for (std::int64_t cell = 0; cell < cells.cells; ++cell) {
        const auto row = static_cast<std::size_t>(cells.firstPosition(cell)) * width;
        const bool isDefined = cells.firstPosition(cell) < table->usable;
        for (std::size_t channel = 0; channel < width; ++channel) {
            matrix.values.push_back(isDefined ? table->rows[row + channel] : noValue);
        }
        states.insert(states.end(), width, isDefined ? CellState::shown : CellState::undefined);
    }
    Figure figure;
    Heatmap map = heatmap(matrix, cells);
    map.states = std::move(states);
    setDivergingRange(map);
    figure.panels.push_back(matrixPanel(std::move(map), cells));
    figure.readouts.push_back(Readout{
        "usable_positions", "positions with a row", static_cast<double>(table->usable), "tokens",
        std::nullopt,
        fmt::format("{} of {} rows usable", groupedNumber(table->usable), groupedNumber(table->tableRows)),
        Tone::neutral});
    if (cells.start + cells.step * cells.cells > table->usable) {
        figure.warnings.push_back(fmt::format("Positions from {} on have no row: undefined, and hatched.",
                                              groupedNumber(table->usable)));
    }
    if (cells.step > 1) {
        figure.notes.push_back(fmt::format("One row in {} is shown.", groupedNumber(cells.step)));
    }
    figure.matrix = std::move(matrix);
    return figure;
}

/// Sines and cosines of a ladder.
Figure makeFromLadder(const Scene& scene, const Ladder& ladder, const PositionCells& cells) {
    Figure figure;
    const std::vector<PairColumns> columns = pairColumns(scene, ladder.inverseFrequency.size());
    Matrix matrix = encodingMatrix(ladder, columns, cells);
    Heatmap map = heatmap(matrix, cells);
    hatchAliased(figure, map, ladder, columns, cells);
    Panel panel = matrixPanel(std::move(map), cells);
    std::string use =
        scene.join == AbsoluteJoin::add ? "added to the token vectors" : "set beside the token vectors";
    if (isRotation(scene)) {
        nameTables(figure, panel, ladder);
        use = "cos and sin tables";
    } else if (scene.encoding == "transformer_xl") {
        panel.y.meaning = AxisMeaning::distance;
        panel.y.title = "distance i − j (tokens)";
        use = "R by distance, before W_r";
    }
    noteTextPositions(figure, scene);
    figure.readouts.push_back(Readout{"columns", "columns", static_cast<double>(matrix.columns), "",
                                      std::nullopt, std::move(use), Tone::neutral});
    figure.panels.push_back(std::move(panel));
    figure.matrix = std::move(matrix);
    return figure;
}

Result<Figure> makeEncoding(const Scene& scene, const FigureRequest& request, Engine&, std::stop_token) {
    const PositionCells cells = positionCells(scene.view, request.pixelRows);
    if (scene.encoding == "learned") {
        return makeLearned(scene, cells);
    }
    const Result<std::optional<SceneLadders>> ladders = figureLadders(scene);
    if (!ladders) {
        return tl::unexpected(ladders.error());
    }
    if (!ladders->has_value()) {
        Figure figure;
        figure.emptyState = emptyState(scene);
        return figure;
    }
    return makeFromLadder(scene, (*ladders)->scaled.ladder, cells);
}

}  // namespace

FigureKind encodingFigureKind() {
    return {"encoding", "Encoding",
            "The encoding itself, position by dimension: sinusoidal or learned rows, or the cos and sin "
            "tables of RoPE.",
            makeEncoding};
}

}  // namespace phaseladder
