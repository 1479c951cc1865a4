#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/attention/problem.h"
#include "core/attention/rotate.h"
#include "core/attention/shift_map.h"
#include "core/cancelled.h"
#include "core/encodings/sinusoidal.h"
#include "core/figures/distance_curve.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/token_map.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

constexpr double tolerance = 1e-12;
constexpr std::int64_t mostPositions = 1024;

/// Where an exact 0 stands on the logarithmic axis of residuals.
constexpr double smallestDrawn = 1e-18;

/// The map, and what it misses at each position it was tried at.
struct ShiftResult {
    RowMatrix map;
    std::vector<double> positions, residuals;  ///< largest |M·PE(i) − PE(i + Δ)| over channels
    /// Where the map was fitted, of an encoding whose map no formula gives (learned).
    std::vector<double> fittedPositions, fittedResiduals;

    [[nodiscard]] bool isFitted() const { return !fittedPositions.empty(); }
};

double residualAt(const RowMatrix& map, const Eigen::RowVectorXd& from, const Eigen::RowVectorXd& to) {
    return (map * from.transpose() - to.transpose()).cwiseAbs().maxCoeff();
}

/// Every position that is shown, or 1024 of them.
std::vector<std::int64_t> triedPositions(const Scene& scene) {
    const std::int64_t count = std::min(scene.view.positions, mostPositions);
    std::vector<std::int64_t> positions;
    for (std::int64_t index = 0; index < count; ++index) {
        positions.push_back(scene.view.start + index * scene.view.positions / count);
    }
    return positions;
}

/// What the map misses at the tried positions; those after a stop are left out.
template <class RowAt>
void tryPositions(ShiftResult& result, const Scene& scene, RowAt rowAt, const std::stop_token& stop) {
    for (const std::int64_t position : triedPositions(scene)) {
        if (!result.positions.empty() && stop.stop_requested()) {
            return;
        }
        result.positions.push_back(static_cast<double>(position));
        result.residuals.push_back(
            residualAt(result.map, rowAt(position), rowAt(position + scene.view.shift)));
    }
}

ShiftResult sinusoidalResult(const Scene& scene, const std::stop_token& stop) {
    const int width = scene.headDim;
    ShiftResult result;
    result.map = sinusoidalShift(scene.sinusoidal, width, scene.view.shift);
    const auto rowAt = [&](std::int64_t position) -> Eigen::RowVectorXd {
        const std::vector<double> row = sinusoidalRows(scene.sinusoidal, width, position, 1);
        return Eigen::Map<const Eigen::RowVectorXd>(row.data(), width);
    };
    tryPositions(result, scene, rowAt, stop);
    return result;
}

/// A vector of ones stands for queries and keys: turned at i and then by the map, or at i + Δ at once.
Result<ShiftResult> rotationResult(const Scene& scene, const std::stop_token& stop) {
    Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    PairRotation rotation = *std::move(plan->rotation);
    rotation.axisPositions.clear();
    rotation.attentionFactor = 1.0;
    ShiftResult result;
    result.map = rotationShift(rotation, scene.headDim, scene.view.shift);
    const auto rowAt = [&](std::int64_t position) {
        Eigen::RowVectorXd row = Eigen::RowVectorXd::Ones(scene.headDim);
        rotatePairs({row.data(), static_cast<std::size_t>(row.size())}, rotation, position);
        return row;
    };
    tryPositions(result, scene, rowAt, stop);
    return result;
}

/// Positions with a row that have another one `shift` further on.
std::int64_t shiftedRows(const Scene& scene, const EncodingPlan& plan) {
    return std::min(plan.definedTokens.value_or(mostPositions + scene.view.shift) - scene.view.shift,
                    mostPositions);
}

/// Fitted on every second position, tried on the others. There must be two.
Result<ShiftResult> fittedResult(const Scene& scene, const std::stop_token& stop) {
    const std::int64_t shift = scene.view.shift;
    const double bytesPerRow = 3.0 * sizeof(double) * scene.headDim;
    if (Result<void> fits =
            checkFigureMemory(static_cast<double>(mostPositions + shift) * bytesPerRow, bytesPerRow, "shift");
        !fits) {
        return tl::unexpected(fits.error());
    }
    const Result<EncodingPlan> plan = makePlan(scene, mostPositions + shift);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const Eigen::Index usable = shiftedRows(scene, *plan);
    const Eigen::Map<const RowMatrix> rows(positionRows(*plan).data(), usable + shift, scene.headDim);
    const Eigen::Index fitted = (usable + 1) / 2;
    RowMatrix from(fitted, scene.headDim);
    RowMatrix to(fitted, scene.headDim);
    for (Eigen::Index index = 0; index < fitted; ++index) {
        from.row(index) = rows.row(2 * index);
        to.row(index) = rows.row(2 * index + shift);
    }
    ShiftResult result;
    if (stop.stop_requested()) {
        return cancelled();
    }
    result.map = fittedMap(from, to);
    for (Eigen::Index position = 0; position < usable; ++position) {
        if (stop.stop_requested()) {
            return cancelled();
        }
        const bool isFitted = position % 2 == 0;
        (isFitted ? result.fittedPositions : result.positions).push_back(static_cast<double>(position));
        (isFitted ? result.fittedResiduals : result.residuals)
            .push_back(residualAt(result.map, rows.row(position), rows.row(position + shift)));
    }
    return result;
}

Panel mapPanel(const Scene& scene, const ShiftResult& result) {
    const RowMatrix& map = result.map;
    Panel panel;
    panel.id = "map";
    const std::string shift = groupedNumber(scene.view.shift);
    panel.title = result.isFitted() ? fmt::format("best M for PE(i + {}) ≈ M PE(i)", shift)
                                    : fmt::format("M with PE(i + {}) = M PE(i)", shift);
    for (Axis* axis : {&panel.x, &panel.y}) {
        axis->meaning = AxisMeaning::dimension;
        axis->wholeNumbers = true;
        axis->minimum = -0.5;
        axis->maximum = static_cast<double>(map.rows()) - 0.5;
    }
    panel.x.title = "dimension of PE(i)";
    panel.y.title = fmt::format("dimension of PE(i + {})", shift);
    panel.y.reversed = true;
    panel.squareCells = true;
    panel.layers.push_back(centredMap(map, result.isFitted() ? 0.0 : 1.0, "entry of M"));
    return panel;
}

Panel residualPanel(const ShiftResult& result) {
    Panel panel;
    panel.id = "residual";
    panel.title = "largest |M PE(i) − PE(i + Δ)|";
    const std::int64_t first =
        static_cast<std::int64_t>(result.fittedPositions.empty() ? result.positions.front() : 0.0);
    const auto last = static_cast<std::int64_t>(std::max(
        result.positions.back(), result.fittedPositions.empty() ? 0.0 : result.fittedPositions.back()));
    panel.x = positionAxis(first, last - first + 1);
    panel.x.title = "position i (tokens)";
    if (result.isFitted()) {
        panel.y = valueAxis("residual", {&result.residuals, &result.fittedResiduals});
        panel.y.minimum = 0.0;
        panel.layers.push_back(
            Points{"fitted positions", Role::category2, result.fittedPositions, result.fittedResiduals});
        panel.layers.push_back(Points{"other positions", Role::live, result.positions, result.residuals});
        return panel;
    }
    panel.y.meaning = AxisMeaning::value;
    panel.y.title = "residual";
    panel.y.scale = AxisScale::log10;
    panel.y.minimum = smallestDrawn / 2.0;
    panel.y.maximum = 10.0 * std::max(std::ranges::max(result.residuals), tolerance);
    panel.layers.push_back(Rule{"tolerance", Role::muted, Orientation::horizontal, tolerance, ""});
    std::vector<double> drawn = result.residuals;
    for (double& residual : drawn) {
        residual = std::max(residual, smallestDrawn);
    }
    panel.layers.push_back(Points{"", Role::live, result.positions, std::move(drawn)});
    return panel;
}

/// One row a position, marked by whether the map was fitted there where it was fitted anywhere.
std::vector<TableColumn> residualTable(const ShiftResult& result) {
    std::vector<TableColumn> table{{"position", result.positions}, {"residual", result.residuals}};
    if (result.isFitted()) {
        table[0].values.insert(table[0].values.end(), result.fittedPositions.begin(),
                               result.fittedPositions.end());
        table[1].values.insert(table[1].values.end(), result.fittedResiduals.begin(),
                               result.fittedResiduals.end());
        table.push_back(TableColumn{"fitted", std::vector<double>(result.positions.size(), 0.0)});
        table[2].values.resize(table[0].values.size(), 1.0);
    }
    return table;
}

void describe(Figure& figure, const Scene& scene, const EncodingPlan& plan, const ShiftResult& result) {
    const double largest = std::ranges::max(result.residuals);
    const bool isMap = largest <= tolerance;
    figure.readouts.push_back(Readout{"largest_residual", "largest |M PE(i) − PE(i + Δ)|", largest, "",
                                      tolerance,
                                      (isMap ? "one map for all positions · " : "no such map · ") +
                                          (largest == 0.0 ? "exactly 0" : fmt::format("{:.2g}", largest)),
                                      isMap ? Tone::good : Tone::warning});
    if (result.isFitted()) {
        const double fitted = std::ranges::max(result.fittedResiduals);
        figure.readouts.push_back(Readout{"largest_fitted_residual", "largest residual where M was fitted",
                                          fitted, "", std::nullopt, "", Tone::neutral});
        figure.notes.push_back(fmt::format("M is fitted on {} positions and tried on the {} between them.",
                                           result.fittedPositions.size(), result.positions.size()));
        if (static_cast<int>(result.fittedPositions.size()) <= scene.headDim) {
            figure.notes.push_back(
                fmt::format("So few rows can always be fitted with {} channels: only the "
                            "others tell whether there is a map.",
                            scene.headDim));
        }
    } else if (plan.rotation) {
        figure.notes.push_back(plan.rotation->axisNames.size() < 2
                                   ? "The rotation itself is the map: PE(i) is a vector of ones, turned."
                                   : "The rotation itself is the map; Δ moves a token on every axis.");
    }
    if (!result.isFitted() && std::ranges::min(result.residuals) == 0.0) {
        figure.notes.push_back("Exact zeros stand at the bottom of the axis of residuals.");
    }
    if (scene.view.shift == 0) {
        figure.notes.push_back("A shift of 0 is the identity: choose a larger one.");
    }
    if (!result.isFitted() && scene.view.positions > mostPositions) {
        figure.notes.push_back(fmt::format("Tried at {} of {} positions, evenly spread.",
                                           groupedNumber(mostPositions),
                                           groupedNumber(scene.view.positions)));
    }
}

Figure figureOfMap(const Scene& scene, const EncodingPlan& plan, const ShiftResult& result) {
    Figure figure;
    figure.panels.push_back(mapPanel(scene, result));
    figure.panels.push_back(residualPanel(result));
    figure.table = residualTable(result);
    figure.matrix = Matrix{
        result.map.rows(), result.map.cols(), {result.map.data(), result.map.data() + result.map.size()}};
    describe(figure, scene, plan, result);
    return figure;
}

std::string emptyState(const Scene& scene) {
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan || isPureRotation(*plan)) {
        return {};
    }
    if (!hasRows(*plan)) {
        return "This encoding gives positions no vector that a shift could map. Choose sinusoidal, learned "
               "or RoPE.";
    }
    return shiftedRows(scene, *plan) >= 2
               ? ""
               : fmt::format(
                     "A shift of {} leaves fewer than two rows of the table to compare. Choose a "
                     "smaller shift.",
                     groupedNumber(scene.view.shift));
}

Result<Figure> makeShift(const Scene& scene, const FigureRequest&, Engine&, std::stop_token stop) {
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const auto figureOf = [&](const ShiftResult& result) { return figureOfMap(scene, *plan, result); };
    // Its map has a formula; that of any other table of rows must be fitted.
    if (scene.encoding == "sinusoidal") {
        return figureOf(sinusoidalResult(scene, stop));
    }
    if (isPureRotation(*plan)) {
        return rotationResult(scene, stop).map(figureOf);
    }
    return fittedResult(scene, stop).map(figureOf);
}

}  // namespace

FigureKind shiftFigureKind() {
    return {.id = "shift",
            .label = "Shift map",
            .help =
                "The linear map that takes the code of every position to the one some tokens on, and what it "
                "misses.",
            .make = makeShift,
            .emptyState = emptyState};
}

}  // namespace phaseladder
