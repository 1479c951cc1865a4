#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/encodings/alibi.h"
#include "core/encodings/relative_bias.h"
#include "core/encodings/t5.h"
#include "core/figures/bias_panels.h"
#include "core/figures/bias_terms.h"
#include "core/figures/distance_curve.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/token_map.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

std::vector<double> numbersOf(const std::vector<std::int64_t>& offsets) {
    return {offsets.begin(), offsets.end()};
}

// What a plan has decides what is drawn. Three encodings add something of their own: T5 its buckets, ALiBi
// the slopes of all heads, the clipped table its handles; their modules say whether the scene has it.

/// Whether the figure is of gains, which multiply: of growth without anything that is added.
bool isOfGains(const EncodingPlan& plan) {
    return !plan.scoreBias && !plan.relativeKeys;
}

std::string curvesTitle(const Scene& scene, const EncodingPlan& plan) {
    if (plan.relativeKeys) {
        const std::string token = tokenLabels(scene)[static_cast<std::size_t>(viewedToken(scene))];
        return (plan.queryOffsets ? "terms with R for " : "q·r of ") + token;
    }
    return isOfGains(plan) ? "gain of a pair's share of the score" : "bias against distance";
}

/// Each handle holds the whole list that it changes: above this many numbers the tables have none.
constexpr std::size_t mostHandleNumbers = std::size_t{1} << 20;

/// Each entry of the shown head's table can be dragged.
void addHandles(Panel& panel, const Scene& scene) {
    const std::vector<double> tables = biasTables(scene);
    const int clip = scene.relativeBias.clip;
    const std::size_t width = 2 * static_cast<std::size_t>(clip) + 1;
    if (width * tables.size() > mostHandleNumbers) {
        return;
    }
    const std::size_t first = (scene.relativeBias.shared ? 0 : static_cast<std::size_t>(scene.head)) * width;
    for (std::size_t entry = 0; entry < width; ++entry) {
        const int offset = static_cast<int>(entry) - clip;
        panel.layers.push_back(Handle{fmt::format("b of i − j = {}", offset), Role::live,
                                      static_cast<double>(offset), tables[first + entry],
                                      "relative_bias.values", ListEntryTarget{first + entry, tables}});
    }
}

void addClip(Panel& panel, std::int64_t clip) {
    for (const double at : {-static_cast<double>(clip), static_cast<double>(clip)}) {
        panel.layers.push_back(
            Rule{at < 0 ? "−K" : "K", Role::muted, Orientation::vertical, at, std::string()});
    }
}

Panel curvesPanel(const Scene& scene, const EncodingPlan& plan, const std::vector<std::int64_t>& offsets,
                  const std::vector<BiasCurve>& curves) {
    Panel panel;
    panel.id = "curves";
    panel.title = curvesTitle(scene, plan);
    panel.x = offsetAxis(offsets);
    std::vector<const std::vector<double>*> values;
    for (const BiasCurve& curve : curves) {
        values.push_back(&curve.values);
    }
    panel.y = valueAxis(isOfGains(plan) ? "gain" : "added to the logit", values);
    const bool isStaircase = hasBuckets(scene);
    if (isStaircase) {
        addSaturation(panel, scene);
    } else if (const std::optional<std::int64_t> clip = clipOf(plan); clip && !hasVectorPerDistance(scene)) {
        addClip(panel, *clip);
    }
    for (const BiasCurve& curve : curves) {
        panel.layers.push_back(isStaircase
                                   ? staircase(offsets, curve.values, curve.label, curve.role)
                                   : Curve{curve.label, curve.role, numbersOf(offsets), curve.values});
    }
    if (hasDrawableTable(scene)) {
        addHandles(panel, scene);
    }
    return panel;
}

std::string mapTitle(const Scene& scene, const EncodingPlan& plan) {
    return isOfGains(plan) ? fmt::format("gain of pair {}", viewedBiasPair(scene))
                           : fmt::format("added to the logits of head {}", scene.head);
}

Panel mapPanel(const Scene& scene, const EncodingPlan& plan, const RowMatrix& bias) {
    Heatmap map = centredMap(bias, 0.0, isOfGains(plan) ? "gain" : "bias");
    if (isOfGains(plan)) {
        map.map = ColorMapKind::sequential;
        map.low = bias.minCoeff();
        map.writeValues = false;  // all close to 1
    }
    if (!(map.low < map.high)) {
        map.low = std::min(map.high, 0.0) - (map.high > 0.0 ? 0.0 : 1.0);
        map.high = std::max(map.high, 1.0);
    }
    return tokenMapPanel(scene, "bias", mapTitle(scene, plan), std::move(map));
}

void addReadouts(Figure& figure, const Scene& scene) {
    figure.readouts.push_back(Readout{"head", "head", static_cast<double>(scene.head), "", std::nullopt,
                                      scene.heads > 1 ? fmt::format("head {}", scene.head) : "",
                                      Tone::neutral});
    if (hasSlopes(scene)) {
        const double slope =
            alibiSlopes(scene.alibiSlopes, scene.heads)[static_cast<std::size_t>(scene.head)];
        figure.readouts.push_back(Readout{"slope", "slope", slope, "per token", std::nullopt,
                                          "slope " + formatForPeople(slope, 4), Tone::neutral});
    }
    if (hasBuckets(scene)) {
        const std::int64_t first = firstSaturatedDistance(scene);
        figure.readouts.push_back(Readout{"first_saturated", "first distance in the last bucket",
                                          static_cast<double>(first), "tokens", std::nullopt,
                                          "one bucket from " + groupedNumber(first), Tone::neutral});
    }
}

void addNotes(Figure& figure, const Scene& scene, const EncodingPlan& plan, std::size_t curves) {
    if (hasSlopes(scene)) {
        figure.notes.push_back(
            "The map is −m |i − j|. Code that adds the row m j instead has the same weights under a causal "
            "mask.");
    }
    if (hasBuckets(scene)) {
        figure.notes.push_back("T5 adds it in self-attention only: cross-attention has none.");
        if (!isBidirectional(scene)) {
            figure.notes.push_back("Past only: every key after the query is in bucket 0.");
        }
    }
    if (hasDrawableTable(scene)) {
        figure.notes.push_back(
            fmt::format("Beyond ±{} all distances share the last entry; drag an entry to "
                        "change it.",
                        scene.relativeBias.clip));
    }
    if (plan.relativeKeys) {
        figure.notes.push_back("Each row of the map is of its own query: the curves are of the chosen one.");
    }
    const auto drawn = static_cast<int>(curves);
    if (isOfGains(plan)) {
        figure.notes.push_back(
            "Each pair's share of a score is multiplied by it; for keys after the query "
            "it is above 1.");
    } else if (drawn < scene.heads && !plan.queryOffsets && drawn > 1) {
        figure.notes.push_back(fmt::format("Curves of {} of {} heads.", drawn, groupedNumber(scene.heads)));
    }
    noteShownTokens(figure, scene);
}

std::string emptyState(const Scene& scene) {
    const Result<EncodingPlan> plan = biasPlan(scene);
    return !plan || hasBiasTerms(*plan)
               ? tokensWanted(scene)
               : "This encoding adds nothing to the logits. Choose a relative one: clipped table, Shaw, T5, "
                 "ALiBi or Transformer-XL.";
}

std::vector<std::int64_t> biasDistances(const Scene& scene) {
    const Result<EncodingPlan> plan = biasPlan(scene);
    return plan && hasBiasTerms(*plan) ? std::vector{biasReach(scene, *plan)} : std::vector<std::int64_t>();
}

Result<Figure> makeRelativeBias(const Scene& scene, const FigureRequest& request, Engine&,
                                std::stop_token stop) {
    Figure figure;
    const Result<EncodingPlan> plan = biasPlan(scene);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const std::int64_t reach = biasReach(scene, *plan);
    const std::vector<std::int64_t> offsets = biasOffsets(
        *plan, request.alsoAt.empty() ? reach : std::max(reach, std::ranges::max(request.alsoAt)));
    const Result<std::vector<BiasCurve>> curves = biasCurves(scene, *plan, offsets, stop);
    if (!curves) {
        return tl::unexpected(curves.error());
    }
    const Result<RowMatrix> bias = biasMap(scene, shownTokens(scene), stop);
    if (!bias) {
        return tl::unexpected(bias.error());
    }
    figure.panels.push_back(mapPanel(scene, *plan, *bias));
    figure.panels.push_back(curvesPanel(scene, *plan, offsets, *curves));
    figure.matrix = Matrix{bias->rows(), bias->cols(), {bias->data(), bias->data() + bias->size()}};
    figure.table.push_back(TableColumn{"offset", numbersOf(offsets)});
    if (hasBuckets(scene)) {
        figure.table.push_back(TableColumn{"bucket", bucketsAt(scene, offsets)});
        figure.panels.push_back(bucketPanel(scene, offsets, figure.table.back().values));
    }
    for (const BiasCurve& curve : *curves) {
        figure.table.push_back(TableColumn{curve.column, curve.values});
    }
    if (hasSlopes(scene) && scene.heads > 1) {
        figure.panels.push_back(slopePanel(scene));
    }
    addReadouts(figure, scene);
    addNotes(figure, scene, *plan, curves->size());
    return figure;
}

}  // namespace

FigureKind relativeBiasFigureKind() {
    return {.id = "relative-bias",
            .label = "Relative bias",
            .help = "What distance adds to the logits: the map of one head, and a curve for each head.",
            .make = makeRelativeBias,
            .emptyState = emptyState,
            .distances = biasDistances,
            .followsOrder = true};
}

}  // namespace phaseladder
