#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/attention/pair_layout.h"
#include "core/attention/pair_scorer.h"
#include "core/attention/rotate.h"
#include "core/cancelled.h"
#include "core/figures/distance_curve.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/token_map.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

using Vector = Eigen::RowVectorXd;

std::string_view layoutName(RopeLayout layout) {
    return layout == RopeLayout::half ? "half-split" : "interleaved";
}

Vector turned(Vector row, const PairRotation& rotation, std::int64_t position) {
    rotatePairs({row.data(), static_cast<std::size_t>(row.size())}, rotation, position);
    return row;
}

/// The order that carries a vector from the rotation's layout to the other one.
std::vector<int> orderToOther(const PairRotation& rotation, int width) {
    return rotation.layout == RopeLayout::half ? interleavingOrder(rotation.rotaryDim, width)
                                               : halvingOrder(rotation.rotaryDim, width);
}

Axis channelAxis(int width, std::string title) {
    Axis axis;
    axis.meaning = AxisMeaning::dimension;
    axis.title = std::move(title);
    axis.wholeNumbers = true;
    axis.minimum = -0.5;
    axis.maximum = static_cast<double>(width) - 0.5;
    return axis;
}

/// From each channel of the upper row to where the permutation puts it in the lower one.
Curve permutationLines(int rotaryDim) {
    const std::vector<int> places = halvingOrder(rotaryDim, rotaryDim);
    Curve lines{"permutation", Role::muted, {}, {}};
    for (int channel = 0; channel < rotaryDim; ++channel) {
        const double place = places[static_cast<std::size_t>(channel)];
        lines.x.insert(lines.x.end(), {static_cast<double>(channel), place, place});
        lines.y.insert(lines.y.end(), {0.25, 0.75, noValue});
    }
    return lines;
}

/// Two rows of channels, coloured and numbered by the pair that each belongs to.
Panel pairingPanel(int rotaryDim) {
    Heatmap map;
    map.rows = 2;
    map.columns = rotaryDim;
    const int pairs = rotaryDim / 2;
    for (int channel = 0; channel < rotaryDim; ++channel) {
        map.values.push_back(channel % pairs);
    }
    for (int channel = 0; channel < rotaryDim; ++channel) {
        map.values.push_back(channel / 2);
    }
    map.high = std::max(pairs - 1, 1);
    map.valueTitle = "pair";
    Panel panel;
    panel.id = "pairing";
    panel.title = "pair of each channel";
    panel.x = channelAxis(rotaryDim, "channel");
    panel.y.minimum = -0.5;
    panel.y.maximum = 1.5;
    panel.y.reversed = true;
    panel.y.wholeNumbers = true;
    panel.y.labels = {"half-split", "interleaved"};
    panel.layers.push_back(std::move(map));
    constexpr int mostDrawnChannels = 32;
    if (rotaryDim <= mostDrawnChannels) {
        panel.layers.push_back(permutationLines(rotaryDim));
    }
    return panel;
}

/// Logits of the shown tokens by position: as they should be, with the keys turned in the other layout, with
/// both in the other layout, and with both in the other layout after the permutation.
struct Logits {
    RowMatrix right, mixed, unpermuted, permuted;
};

Logits logitsOf(const Scene& scene, const PairScorer& scorer) {
    const std::int64_t tokens = shownTokens(scene);
    const PairRotation& rotation = *scorer.plan().rotation;
    const PairRotation other = otherLayout(rotation);
    const std::vector<int> order = orderToOther(rotation, scene.headDim);
    struct Rows {
        std::vector<Vector> right, other, permuted;
        void add(const Vector& content, const PairRotation& rotation, const PairRotation& otherRotation,
                 const std::vector<int>& order, std::int64_t position) {
            right.push_back(turned(content, rotation, position));
            other.push_back(turned(content, otherRotation, position));
            permuted.push_back(turned(phaseladder::permuted(content, order), otherRotation, position));
        }
    };
    Rows queries;
    Rows keys;
    for (std::int64_t position = 0; position < tokens; ++position) {
        const int token = static_cast<int>(tokenAtPosition(scene, position));
        queries.add(scorer.queryContent(token), rotation, other, order, position);
        keys.add(scorer.keyContent(token), rotation, other, order, position);
    }
    const auto products = [&](const std::vector<Vector>& left, const std::vector<Vector>& right,
                              const PairRotation& summedAs) {
        RowMatrix logits(tokens, tokens);
        for (Eigen::Index row = 0; row < tokens; ++row) {
            for (Eigen::Index column = 0; column < tokens; ++column) {
                logits(row, column) =
                    scorer.scale() * pairwiseProduct(left[static_cast<std::size_t>(row)],
                                                     right[static_cast<std::size_t>(column)], summedAs);
            }
        }
        return logits;
    };
    return {products(queries.right, keys.right, rotation), products(queries.right, keys.other, rotation),
            products(queries.other, keys.other, rotation), products(queries.permuted, keys.permuted, other)};
}

struct GrowthCurves {
    std::vector<double> positions, rotated, mixed, unpermuted;
};

/// What goes wrong with the chosen query and key as the position grows.
GrowthCurves growthCurves(const Scene& scene, const PairScorer& scorer) {
    PairRotation rotation = *scorer.plan().rotation;
    rotation.axisPositions.clear();
    const PairRotation other = otherLayout(rotation);
    const Vector query = scorer.queryContent(viewedToken(scene));
    const Vector key = scorer.keyContent(viewedKey(scene));
    constexpr std::int64_t mostPositions = 64;
    GrowthCurves curves;
    for (std::int64_t position = 0; position < std::min(scene.view.positions, mostPositions); ++position) {
        const Vector rightQuery = turned(query, rotation, position);
        const Vector otherQuery = turned(query, other, position);
        const double together = pairwiseProduct(rightQuery, turned(key, rotation, position), rotation);
        const double right = pairwiseProduct(rightQuery, turned(key, rotation, 0), rotation);
        curves.positions.push_back(static_cast<double>(position));
        curves.rotated.push_back((otherQuery - rightQuery).norm() / rightQuery.norm());
        curves.mixed.push_back(
            scorer.scale() *
            std::abs(pairwiseProduct(rightQuery, turned(key, other, position), rotation) - together));
        curves.unpermuted.push_back(
            scorer.scale() * std::abs(pairwiseProduct(otherQuery, turned(key, other, 0), rotation) - right));
    }
    return curves;
}

Panel growthPanel(const GrowthCurves& curves) {
    Panel panel;
    panel.id = "growth";
    panel.title = "error against position";
    panel.x.meaning = AxisMeaning::position;
    panel.x.title = "position p (tokens)";
    panel.x.wholeNumbers = true;
    panel.x.maximum = std::max(curves.positions.back(), 1.0);
    panel.y = valueAxis("|error of the logit|", {&curves.mixed, &curves.unpermuted});
    panel.y.minimum = 0.0;
    panel.layers.push_back(
        Curve{"wrong kernel: q at p, k at 0", Role::category2, curves.positions, curves.unpermuted});
    panel.layers.push_back(Curve{"mixed: q and k at p", Role::live, curves.positions, curves.mixed});
    return panel;
}

void addReadouts(Figure& figure, const Logits& logits, const GrowthCurves& curves) {
    const auto difference = [&](const RowMatrix& matrix) {
        const RowMatrix delta = matrix - logits.right;
        return largestMagnitude({delta.data(), delta.data() + delta.size()});
    };
    const double afterPermutation = difference(logits.permuted);
    figure.readouts.push_back(
        Readout{"permuted_difference", "largest difference after the permutation", afterPermutation, "", 0.0,
                afterPermutation == 0.0 ? "permuted: equal bit for bit" : "permuted: differs",
                afterPermutation == 0.0 ? Tone::good : Tone::warning});
    const double mixed = difference(logits.mixed);
    figure.readouts.push_back(Readout{"mixed_difference", "largest error, k in the other layout", mixed, "",
                                      std::nullopt, "mixed: off by " + formatForPeople(mixed, 3),
                                      mixed > 0.0 ? Tone::warning : Tone::neutral});
    const double unpermuted = difference(logits.unpermuted);
    figure.readouts.push_back(Readout{"unpermuted_difference", "largest error, wrong kernel", unpermuted, "",
                                      std::nullopt, "wrong kernel: off by " + formatForPeople(unpermuted, 3),
                                      unpermuted > 0.0 ? Tone::warning : Tone::neutral});
    figure.readouts.push_back(Readout{"error_at_zero", "error at position 0", curves.unpermuted.front(), "",
                                      std::nullopt, "", Tone::neutral});
}

void addNotes(Figure& figure, const Scene& scene, const PairRotation& rotation) {
    const int pairs = rotation.rotaryDim / 2;
    if (pairs == 1) {
        figure.notes.push_back(
            "One pair: both layouts are the same. Choose a wider head to tell them apart.");
        return;
    }
    figure.notes.push_back(
        fmt::format("Half-split pairs channels k and k + {}, interleaved 2k and 2k + 1. Meta's weights are "
                    "interleaved, those converted for Hugging Face half-split.",
                    pairs));
    if (rotation.rotaryDim < scene.headDim) {
        figure.notes.push_back(
            fmt::format("Channels from {} on do not turn and stay where they are.", rotation.rotaryDim));
    }
    figure.notes.push_back("At position 0 nothing turns, so a wrong layout shows only further on.");
    noteShownTokens(figure, scene);
}

std::string emptyState(const Scene& scene) {
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    return !plan || isPureRotation(*plan)
               ? tokensWanted(scene)
               : "Only RoPE has layouts of channel pairs to choose from. Choose RoPE.";
}

Result<Figure> makeLayout(const Scene& scene, const FigureRequest&, Engine&, std::stop_token stop) {
    Figure figure;
    const Result<PairScorer> scorer = PairScorer::create(scene, shownTokens(scene));
    if (!scorer) {
        return tl::unexpected(scorer.error());
    }
    const PairRotation& rotation = *scorer->plan().rotation;
    const Logits logits = logitsOf(scene, *scorer);
    if (stop.stop_requested()) {
        return cancelled();
    }
    const GrowthCurves curves = growthCurves(scene, *scorer);
    figure.panels.push_back(pairingPanel(rotation.rotaryDim));
    const RowMatrix mixedError = logits.mixed - logits.right;
    Heatmap map = centredMap(mixedError, 1e-12, "error");
    figure.matrix = matrixOf(map);
    figure.panels.push_back(
        tokenMapPanel(scene, "mismatch",
                      fmt::format("q {}, k {}: error of the logits", layoutName(rotation.layout),
                                  layoutName(otherLayout(rotation).layout)),
                      std::move(map)));
    figure.panels.push_back(growthPanel(curves));
    figure.table = {{"position", curves.positions},
                    {"rotated_difference", curves.rotated},
                    {"mixed_error", curves.mixed},
                    {"wrong_kernel_error", curves.unpermuted}};
    addReadouts(figure, logits, curves);
    addNotes(figure, scene, rotation);
    return figure;
}

}  // namespace

FigureKind layoutFigureKind() {
    return {.id = "layout",
            .label = "Pair layout",
            .help =
                "Which channels turn together in each layout, the permutation between them, and what a "
                "mismatch does.",
            .make = makeLayout,
            .emptyState = emptyState,
            .followsOrder = true};
}

}  // namespace phaseladder
