#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/attention/content.h"
#include "core/attention/problem.h"
#include "core/attention/rotate.h"
#include "core/cancelled.h"
#include "core/figures/distance_curve.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/token_map.h"
#include "core/number_text.h"
#include "core/phase/phase_turns.h"

namespace phaseladder {
namespace {

/// Cells a side of the matrix, and rows of a learned table whose pairs are averaged.
constexpr int mostCells = 256;
constexpr std::int64_t mostAveragedRows = 512;

/// How alike two positions are, by their offset, 1 at 0: the mean over pairs of cos(offset · ω), each times
/// its gain where there is one.
double pairSimilarity(const PairRotation& rotation, std::int64_t offset) {
    double sum = 0.0;
    for (std::size_t pair = 0; pair < rotation.turnsPerToken.size(); ++pair) {
        const auto distance = static_cast<std::uint64_t>(offset);
        sum +=
            cosSin(phaseOf(rotation.turnsPerToken[pair], distance)).cosine * growthAt(rotation, pair, offset);
    }
    return sum / static_cast<double>(rotation.turnsPerToken.size());
}

/// Whether a position's code is made of pairs that turn, or of sines and cosines.
bool hasPairs(const Scene& scene) {
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    return plan && (plan->rotation || (hasRows(*plan) && hasFrequencies(scene)));
}

/// The pairs of the encoding: those that turn, or the sines and cosines that are added.
Result<PairRotation> pairsOf(const Scene& scene) {
    Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    if (!plan->rotation) {
        const Result<std::optional<SceneLadders>> ladders = figureLadders(scene);
        return PairRotation{.turnsPerToken = phaseTurns((*ladders)->scaled.ladder)};
    }
    plan->rotation->growthCentre = 0;
    return *std::move(plan->rotation);
}

struct SimilarityCurve {
    std::string label, column;
    Role role = Role::live;
    std::vector<double> values;
};

SimilarityCurve pairCurve(const PairRotation& rotation, std::string label, std::string column, Role role,
                          const DistanceSamples& samples, const std::stop_token& stop) {
    SimilarityCurve curve{std::move(label), std::move(column), role, {}};
    StopLook isStopped(stop);
    for (const std::int64_t offset : samples.distances) {
        curve.values.push_back(isStopped() ? noValue : pairSimilarity(rotation, offset));
    }
    return curve;
}

/// Positions × positions of the view, by offset.
RowMatrix offsetMatrix(const PairRotation& rotation, const PositionCells& cells,
                       const std::stop_token& stop) {
    RowMatrix matrix(cells.cells, cells.cells);
    StopLook isStopped(stop);
    for (Eigen::Index offset = 0; offset < cells.cells && !isStopped(); ++offset) {
        const double value = pairSimilarity(rotation, offset * cells.step);
        for (Eigen::Index row = 0; row + offset < cells.cells; ++row) {
            matrix(row, row + offset) = value;
            matrix(row + offset, row) = value;
        }
    }
    return matrix;
}

/// The rows of a table that are defined, each of length 1.
RowMatrix unitRows(const EncodingPlan& plan, std::int64_t rows, int width) {
    const std::int64_t defined = std::min(plan.definedTokens.value_or(rows), rows);
    RowMatrix unit = Eigen::Map<const RowMatrix>(positionRows(plan).data(), defined, width);
    unit.rowwise().normalize();
    return unit;
}

/// Cosine of each two shown rows; NaN where one is past the table.
RowMatrix rowMatrix(const RowMatrix& unit, const PositionCells& cells, const std::stop_token& stop) {
    RowMatrix matrix(cells.cells, cells.cells);
    for (Eigen::Index row = 0; row < cells.cells && !stop.stop_requested(); ++row) {
        for (Eigen::Index column = 0; column < cells.cells; ++column) {
            const std::int64_t first = cells.firstPosition(row);
            const std::int64_t second = cells.firstPosition(column);
            matrix(row, column) =
                std::max(first, second) < unit.rows() ? unit.row(first).dot(unit.row(second)) : noValue;
        }
    }
    return matrix;
}

Panel matrixPanel(const RowMatrix& matrix, const PositionCells& cells) {
    Heatmap map = centredMap(matrix, 1.0, "similarity");
    map.low = -1.0;
    map.high = 1.0;
    map.rowStart = map.columnStart = static_cast<double>(cells.start) - 0.5;
    map.rowStep = map.columnStep = static_cast<double>(cells.step);
    Panel panel;
    panel.id = "matrix";
    panel.title = "similarity of two positions";
    panel.x = positionAxis(cells.start, cells.step * cells.cells);
    panel.y = positionAxis(cells.start, cells.step * cells.cells);
    panel.y.reversed = true;
    panel.squareCells = true;
    panel.layers.push_back(std::move(map));
    return panel;
}

void addReadouts(Figure& figure, const std::vector<double>& offsets, const std::vector<double>& values) {
    const auto add = [&](std::string id, std::size_t at) {
        const double value = values[at];
        const auto offset = static_cast<std::int64_t>(offsets[at]);
        figure.readouts.push_back(
            Readout{std::move(id), fmt::format("similarity at offset {}", groupedNumber(offset)), value, "",
                    std::nullopt, fmt::format("{} at {}", formatForPeople(value, 3), groupedNumber(offset)),
                    Tone::neutral});
    };
    if (values.size() > 1) {
        add("similarity_at_one", 1);
    }
    add("similarity_at_last", values.size() - 1);
}

/// The mean over all positions of each offset, in the range from the lowest to the highest.
void addTableCurve(Figure& figure, const RowMatrix& unit, const std::stop_token& stop) {
    const Eigen::Index rows = std::min<Eigen::Index>(unit.rows(), mostAveragedRows);
    Envelope range{"lowest to highest", Role::category1, {}, {}, {}};
    Curve mean{"mean over positions", Role::live, {}, {}};
    // The longest offsets have too few pairs to say anything.
    const Eigen::Index offsets = std::max<Eigen::Index>(rows - rows / 8, 1);
    for (Eigen::Index offset = 0; offset < offsets && (offset < 2 || !stop.stop_requested()); ++offset) {
        const Eigen::VectorXd cosines =
            unit.topRows(rows - offset).cwiseProduct(unit.middleRows(offset, rows - offset)).rowwise().sum();
        range.x.push_back(static_cast<double>(offset));
        range.low.push_back(cosines.minCoeff());
        range.high.push_back(cosines.maxCoeff());
        mean.x.push_back(static_cast<double>(offset));
        mean.y.push_back(cosines.mean());
    }
    figure.table = {
        {"offset", mean.x}, {"similarity", mean.y}, {"lowest", range.low}, {"highest", range.high}};
    addReadouts(figure, mean.x, mean.y);
    Panel panel;
    panel.id = "similarity";
    panel.title = "cosine of two rows";
    panel.x.meaning = AxisMeaning::distance;
    panel.x.title = "offset (tokens)";
    panel.x.wholeNumbers = true;
    panel.x.maximum = std::max(mean.x.back(), 1.0);
    panel.y = valueAxis("similarity", {&range.low, &range.high});
    panel.layers = {std::move(range), std::move(mean)};
    figure.panels.push_back(std::move(panel));
    figure.notes.push_back(
        "A table has no notion of distance: unless training put some there, the mean falls to 0 at once.");
}

Result<Figure> makeOfRows(const Scene& scene, const PositionCells& cells, const std::stop_token& stop) {
    const std::int64_t last = std::max(cells.firstPosition(cells.cells - 1) + 1, mostAveragedRows);
    const double bytesPerRow = 3.0 * sizeof(double) * scene.headDim;
    if (Result<void> fits =
            checkFigureMemory(static_cast<double>(last) * bytesPerRow, bytesPerRow, "position");
        !fits) {
        return tl::unexpected(fits.error());
    }
    const Result<EncodingPlan> plan = makePlan(scene, last);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    Figure figure;
    const RowMatrix unit = unitRows(*plan, last, scene.headDim);
    addTableCurve(figure, unit, stop);
    const RowMatrix matrix = rowMatrix(unit, cells, stop);
    figure.panels.push_back(matrixPanel(matrix, cells));
    figure.matrix = Matrix{matrix.rows(), matrix.cols(), {matrix.data(), matrix.data() + matrix.size()}};
    if (cells.firstPosition(cells.cells - 1) >= unit.rows()) {
        figure.notes.push_back(
            fmt::format("Positions from {} on have no row: hatched.", groupedNumber(unit.rows())));
    }
    return figure;
}

/// Longest offset of the curves of pairs.
constexpr std::int64_t longestOffset = 1 << 20;

std::int64_t lastOffset(const Scene& scene) {
    return std::clamp<std::int64_t>(scene.length.target, 1, longestOffset);
}

std::vector<std::int64_t> similarityOffsets(const Scene& scene) {
    return hasPairs(scene) ? std::vector{lastOffset(scene)} : std::vector<std::int64_t>();
}

std::string curveTitle(const EncodingPlan& plan) {
    return hasRows(plan)     ? "PE(i)·PE(j), 1 at offset 0"
           : hasGrowth(plan) ? "mean cos × gain over pairs"
                             : "mean cos over pairs";
}

Result<Figure> makeOfPairs(const Scene& scene, const EncodingPlan& plan, const FigureRequest& request,
                           const PositionCells& cells, const std::stop_token& stop) {
    const Result<PairRotation> rotation = pairsOf(scene);
    if (!rotation) {
        return tl::unexpected(rotation.error());
    }
    const DistanceSamples samples = distanceSamples(lastOffset(scene), longestOffset, request);
    std::vector<SimilarityCurve> curves;
    const bool hasBase = isScaled(scene);
    if (hasBase) {
        Scene plain = scene;
        plain.scaling.method = "none";
        const Result<PairRotation> base = pairsOf(plain);
        if (!base) {
            return tl::unexpected(base.error());
        }
        curves.push_back(pairCurve(*base, "base", "base_similarity", Role::base, samples, stop));
    }
    curves.push_back(
        pairCurve(*rotation, hasBase ? scalingLabel(scene) : "", "similarity", Role::live, samples, stop));
    if (stop.stop_requested()) {
        return cancelled();
    }
    Figure figure;
    figure.table.push_back(TableColumn{"offset", distanceColumn(samples)});
    Panel panel;
    panel.id = "similarity";
    panel.title = curveTitle(plan);
    panel.x = distanceAxis(samples, "offset (tokens)");
    std::vector<const std::vector<double>*> values;
    for (const SimilarityCurve& curve : curves) {
        values.push_back(&curve.values);
    }
    panel.y = valueAxis("similarity", values);
    for (const SimilarityCurve& curve : curves) {
        addDistanceCurve(panel, samples, curve.label, curve.role, curve.values);
        figure.table.push_back(TableColumn{curve.column, curve.values});
    }
    figure.panels.push_back(std::move(panel));
    const RowMatrix matrix = offsetMatrix(*rotation, cells, stop);
    figure.panels.push_back(matrixPanel(matrix, cells));
    figure.matrix = Matrix{matrix.rows(), matrix.cols(), {matrix.data(), matrix.data() + matrix.size()}};
    addReadouts(figure, figure.table.front().values, curves.back().values);
    noteDensity(figure, samples);
    if (!hasRows(plan)) {
        figure.notes.push_back(
            "Of unit pairs, since nothing is added to the tokens: how far the pairs still agree after so "
            "many tokens.");
    }
    if (rotation->axisNames.size() > 1) {
        figure.notes.emplace_back("An offset moves a token on every axis.");
    }
    return figure;
}

std::string emptyState(const Scene& scene) {
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    return !plan || plan->rotation || hasRows(*plan)
               ? ""
               : "This encoding gives positions no code of their own. Choose sinusoidal, learned or RoPE to "
                 "compare positions.";
}

Result<Figure> makeSimilarity(const Scene& scene, const FigureRequest& request, Engine&,
                              std::stop_token stop) {
    const PositionCells cells = positionCells(scene.view, std::min(request.pixelRows, mostCells));
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    Result<Figure> figure =
        hasPairs(scene) ? makeOfPairs(scene, *plan, request, cells, stop) : makeOfRows(scene, cells, stop);
    if (figure && cells.step > 1) {
        figure->notes.push_back(fmt::format("A cell of the matrix spans {} positions; it shows the first.",
                                            groupedNumber(cells.step)));
    }
    return figure;
}

}  // namespace

FigureKind similarityFigureKind() {
    return {.id = "similarity",
            .label = "Similarity",
            .help = "How alike the codes of two positions are, against their offset and as a matrix.",
            .make = makeSimilarity,
            .emptyState = emptyState,
            .distances = similarityOffsets};
}

}  // namespace phaseladder
