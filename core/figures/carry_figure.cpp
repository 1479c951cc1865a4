#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <Eigen/QR>

#include "core/attention/captured.h"
#include "core/attention/layers.h"
#include "core/engine.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/token_map.h"
#include "core/number_text.h"
#include "core/random.h"

namespace phaseladder {
namespace {

constexpr int shownLayers = 4;

/// Positions for each channel of the stream: half of them to fit on, half to test on. Below two a channel the
/// fit would not be determined.
constexpr std::int64_t positionsPerChannel = 4;
constexpr std::int64_t mostPositions = 1024;

/// What is left of the positions in the stream before each layer and after the last one.
struct Carried {
    std::vector<double> projection;       ///< mean over positions; empty without rows of positions
    std::vector<double> lowest, highest;  ///< over positions
    std::vector<double> readOut;          ///< R² on positions that were not fitted
};

/// Words of the scene drawn at random, so that no word tells where it stands.
Scene drawnText(const Scene& scene, std::int64_t positions) {
    Scene text = scene;
    text.order.clear();
    text.textLength = 0;
    std::vector<std::string> words;
    Random random(streamSeed(static_cast<std::uint64_t>(scene.seed), "carry"));
    for (std::int64_t position = 0; position < positions; ++position) {
        words.push_back(scene.tokens[random.below(scene.tokens.size())]);
    }
    text.tokens = std::move(words);
    return text;
}

/// Share of the variance of the position that a linear function of the rows explains: fitted by least squares
/// on the even rows, tested on the odd ones. 0 and below: nothing.
double readOutOfPosition(const RowMatrix& stream) {
    const Eigen::Index half = stream.rows() / 2;
    const auto rowsFrom = [&](Eigen::Index first) {
        RowMatrix rows(half, stream.cols() + 1);
        Eigen::VectorXd positions(half);
        for (Eigen::Index index = 0; index < half; ++index) {
            rows.row(index) << stream.row(2 * index + first), 1.0;
            positions[index] = static_cast<double>(2 * index + first) / static_cast<double>(stream.rows());
        }
        return std::pair(std::move(rows), std::move(positions));
    };
    const auto [fitted, fittedPositions] = rowsFrom(0);
    const auto [tested, testedPositions] = rowsFrom(1);
    const Eigen::VectorXd weights = fitted.completeOrthogonalDecomposition().solve(fittedPositions);
    const Eigen::VectorXd errors = testedPositions - tested * weights;
    const Eigen::VectorXd spread = testedPositions.array() - testedPositions.mean();
    return 1.0 - errors.squaredNorm() / spread.squaredNorm();
}

/// Coefficient of p_i in what the stream holds besides the word: exactly 1 before the first layer.
void addProjection(Carried& carried, const RowMatrix& stream, const RowMatrix& words,
                   const Eigen::Map<const RowMatrix>& rows) {
    std::vector<double> parts;
    for (Eigen::Index position = 0; position < stream.rows(); ++position) {
        const auto code = rows.row(position);
        const auto besides = stream.row(position).tail(code.size()) - words.row(position);
        if (const double length = code.squaredNorm(); length > 0.0) {  // a padding row may be all zeros
            parts.push_back(besides.dot(code) / length);
        }
    }
    if (parts.empty()) {
        parts.push_back(0.0);
    }
    double sum = 0.0;
    for (const double part : parts) {
        sum += part;
    }
    const auto [low, high] = std::ranges::minmax(parts);
    carried.projection.push_back(sum / static_cast<double>(parts.size()));
    carried.lowest.push_back(low);
    carried.highest.push_back(high);
}

Result<Carried> carriedOf(const Scene& text, Engine& engine, std::stop_token stop) {
    const auto tokens = static_cast<std::int64_t>(text.tokens.size());
    const Result<EncodingPlan> plan = makePlan(text, tokens);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const auto stream = engine.residualStream(text, shownLayers, stop);
    if (!stream) {
        return tl::unexpected(stream.error());
    }
    // Added rows sit on the word; concatenated ones have channels of their own.
    const bool isAdded = !plan->additiveRows.empty();
    const std::vector<double>& codes = isAdded ? plan->additiveRows : plan->concatenatedRows;
    const RowMatrix words =
        isAdded ? inputStream(text, EncodingPlan{}) : RowMatrix::Zero(tokens, text.headDim).eval();
    Carried carried;
    for (const RowMatrix& rows : **stream) {
        carried.readOut.push_back(readOutOfPosition(rows));
        if (!codes.empty()) {
            addProjection(carried, rows, words, {codes.data(), tokens, text.headDim});
        }
    }
    return carried;
}

Axis layerAxis() {
    Axis axis;
    axis.meaning = AxisMeaning::layer;
    axis.title = "layers passed";
    axis.wholeNumbers = true;
    axis.maximum = shownLayers;
    return axis;
}

Panel readOutPanel(const Carried& live, const Carried* without, const std::string& name) {
    Panel panel;
    panel.id = "read_out";
    panel.title = "Linear read-out of the position";
    panel.x = layerAxis();
    panel.y.title = "R² on unseen positions";
    panel.y.minimum = std::min(-0.05, *std::ranges::min_element(live.readOut));
    panel.y.maximum = 1.05;
    const std::vector<double> layers = indices(shownLayers + 1);
    if (without != nullptr) {
        panel.y.minimum = std::min(panel.y.minimum, *std::ranges::min_element(without->readOut));
        panel.layers.push_back(Curve{"without positions", Role::base, layers, without->readOut});
    }
    // Far below 0 the read-out is useless, however far: it must not flatten the rest.
    panel.y.minimum = std::max(panel.y.minimum, -1.0);
    panel.layers.push_back(Curve{name, Role::live, layers, live.readOut});
    panel.layers.push_back(Points{"", Role::live, layers, live.readOut});
    return panel;
}

Panel projectionPanel(const Carried& carried) {
    Panel panel;
    panel.id = "projection";
    panel.title = "Position row left in the stream";
    panel.x = layerAxis();
    panel.y.title = "coefficient of p_i";
    panel.y.minimum = std::min(0.0, *std::ranges::min_element(carried.lowest));
    panel.y.maximum = std::max(1.1, 1.05 * *std::ranges::max_element(carried.highest));
    const std::vector<double> layers = indices(shownLayers + 1);
    panel.layers.push_back(Envelope{"all positions", Role::live, layers, carried.lowest, carried.highest});
    panel.layers.push_back(Curve{"mean", Role::live, layers, carried.projection});
    panel.layers.push_back(Points{"", Role::live, layers, carried.projection});
    return panel;
}

void addReadouts(Figure& figure, const Carried& carried) {
    const double readOut = carried.readOut.back();
    figure.readouts.push_back(Readout{"read_out_last", "R² of the read-out after the last layer", readOut, "",
                                      std::nullopt, "R² " + formatForPeople(readOut, 3) + " after 4 layers",
                                      readOut > 0.9 ? Tone::good : Tone::neutral});
    if (!carried.projection.empty()) {
        const double left = carried.projection.back();
        figure.readouts.push_back(Readout{"projection_first", "coefficient of p_i before the first layer",
                                          carried.projection.front(), "", 1e-12, "", Tone::neutral});
        figure.readouts.push_back(Readout{"projection_last", "coefficient of p_i after the last layer", left,
                                          "", std::nullopt, formatForPeople(left, 3) + " of p_i left",
                                          Tone::neutral});
    }
}

/// The stream that is looked at.
struct StreamSize {
    std::int64_t width = 0, positions = 0;
    bool isCut = false;  ///< by the end of a table
};

StreamSize streamSize(const Scene& scene) {
    StreamSize size;
    const Result<EncodingPlan> first = makePlan(scene, 1);
    size.width = scene.headDim * (first && !first->concatenatedRows.empty() ? 2 : 1);
    size.positions = std::clamp<std::int64_t>(positionsPerChannel * size.width, 16, mostPositions);
    if (first && first->definedTokens.value_or(size.positions) < size.positions) {
        size.positions = *first->definedTokens;
        size.isCut = true;
    }
    return size;
}

std::string emptyState(const Scene& scene) {
    if (std::string wanted = tokenVectorsWanted(scene); !wanted.empty()) {
        return wanted;
    }
    const StreamSize size = streamSize(scene);
    const std::int64_t fewestPositions = 2 * (size.width + 1);
    if (!scene.tokens.empty() && size.positions < fewestPositions) {
        return fmt::format(
            "A read-out of {} channels needs {} positions, and there are {}: choose a smaller head width.",
            size.width, fewestPositions, size.positions);
    }
    return tokensWanted(scene);
}

Result<Figure> makeCarry(const Scene& scene, const FigureRequest&, Engine& engine, std::stop_token stop) {
    Figure figure;
    const StreamSize size = streamSize(scene);
    const std::int64_t positions = size.positions;
    if (size.isCut) {
        figure.notes.push_back(fmt::format("The table has rows for {} positions only.", positions));
    }
    const Scene text = drawnText(scene, positions);
    const Result<Carried> live = carriedOf(text, engine, stop);
    if (!live) {
        return tl::unexpected(live.error());
    }
    Result<Carried> without = *live;
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    const bool hasCode = plan && hasPositions(*plan);
    if (hasCode) {
        Scene plain = text;
        plain.encoding = "none";
        without = carriedOf(plain, engine, stop);
        if (!without) {
            return tl::unexpected(without.error());
        }
    }
    figure.panels.push_back(
        readOutPanel(*live, hasCode ? &*without : nullptr, findEncoding(scene.encoding)->label));
    if (!live->projection.empty()) {
        figure.panels.push_back(projectionPanel(*live));
    }
    addReadouts(figure, *live);
    figure.notes.push_back(
        fmt::format("{} words drawn at random; fitted on every second position, tested on the "
                    "others; random weights, no MLP.",
                    positions));
    figure.table = {{"layers_passed", indices(shownLayers + 1)}, {"read_out", live->readOut}};
    if (!live->projection.empty()) {
        figure.table.push_back({"projection", live->projection});
        figure.table.push_back({"projection_lowest", live->lowest});
        figure.table.push_back({"projection_highest", live->highest});
    }
    return figure;
}

}  // namespace

FigureKind carryFigureKind() {
    return {.id = "carry",
            .label = "Carry",
            .help =
                "How much of the position is left in the residual stream after each layer: its row, and what "
                "a linear read-out finds.",
            .make = makeCarry,
            .emptyState = emptyState,
            .growsFast = true};
}

}  // namespace phaseladder
