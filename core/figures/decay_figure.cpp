#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/attention/captured.h"
#include "core/attention/problem.h"
#include "core/encodings/absolute.h"
#include "core/figures/decay_curves.h"
#include "core/figures/distance_curve.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/token_map.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

std::string contentText(const Scene& scene) {
    switch (scene.view.decayContent) {
        case DecayContent::ones:
            break;
        case DecayContent::gaussian:
            return "Gaussian q and k";
        case DecayContent::scene: {
            const std::vector<std::string> names = tokenLabels(scene);
            return fmt::format("q of {}, k of {}", names[static_cast<std::size_t>(viewedToken(scene))],
                               names[static_cast<std::size_t>(viewedKey(scene))]);
        }
    }
    return "all-ones q and k";
}

Panel curvePanel(std::string id, std::string title, std::string valueTitle, const DistanceSamples& samples,
                 const std::vector<ScoreCurve>& curves) {
    Panel panel;
    panel.id = std::move(id);
    panel.title = std::move(title);
    panel.x = distanceAxis(samples, "distance (tokens)");
    std::vector<const std::vector<double>*> values;
    for (const ScoreCurve& curve : curves) {
        values.push_back(&curve.values);
    }
    panel.y = valueAxis(std::move(valueTitle), values);
    return panel;
}

void addTrainedLength(Panel& panel, const Scene& scene, const DistanceSamples& samples) {
    if (scene.length.trained < samples.last) {
        panel.layers.push_back(Rule{"trained " + groupedNumber(scene.length.trained), Role::trained,
                                    Orientation::vertical, static_cast<double>(scene.length.trained),
                                    "length.trained"});
    }
}

/// Where a table has no row for the key any more.
void addUndefined(Panel& panel, const Scene& scene, const DistanceSamples& samples) {
    if (!isAbsolute(scene)) {
        return;
    }
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (plan && plan->definedTokens.value_or(samples.last + 1) <= samples.last) {
        panel.layers.push_back(Band{"no row", Role::beyond, Orientation::vertical,
                                    static_cast<double>(*plan->definedTokens) - 0.5,
                                    static_cast<double>(samples.last), true});
    }
}

void addCurves(Figure& figure, Panel& panel, const DistanceSamples& samples,
               const std::vector<ScoreCurve>& curves) {
    for (const ScoreCurve& curve : curves) {
        addDistanceCurve(panel, samples, curve.label, curve.role, curve.values);
        figure.table.push_back(TableColumn{curve.column, curve.values});
    }
}

void addReadouts(Figure& figure, const Scene& scene, const DistanceSamples& samples,
                 const ScoreCurve& curve) {
    const auto add = [&](std::string id, std::int64_t distance) {
        const double value = valueAt(samples, curve.values, distance);
        figure.readouts.push_back(Readout{
            std::move(id), fmt::format("score at distance {}", groupedNumber(distance)), value, "",
            std::nullopt,
            std::isnan(value) ? ""
                              : fmt::format("{} at {}", formatForPeople(value, 4), groupedNumber(distance)),
            Tone::neutral});
    };
    add("score_at_zero", 0);
    if (scene.length.trained < samples.last) {
        add("score_at_trained", scene.length.trained);
    }
    add("score_at_last", samples.last);
}

void addNotes(Figure& figure, const Scene& scene, const DistanceSamples& samples) {
    noteDensity(figure, samples);
    if (samples.isLogarithmic()) {
        figure.notes.push_back("Distance 0 is left of a log axis: its score is in the line under the title.");
    }
    if (samples.last < scene.length.target) {
        figure.notes.push_back(
            fmt::format("Shown up to distance {}: longer ones take too long for {} "
                        "channels.",
                        groupedNumber(samples.last), scene.headDim));
    }
    if (isAbsolute(scene)) {
        figure.notes.push_back(
            "An absolute encoding has no curve of distance: another place of the query gives another one.");
    }
    if (const Result<EncodingPlan> plan = makePlan(scene, 1); plan && !hasPositions(*plan)) {
        figure.notes.push_back("No positions: distance changes nothing. Choose an encoding to compare.");
    }
}

std::string emptyState(const Scene& scene) {
    if (scene.view.decayContent != DecayContent::scene) {
        return {};
    }
    return scene.tokens.empty() ? "No tokens to take q and k from. Type words, or choose all-ones content."
                                : missingRow(scene);
}

std::vector<std::int64_t> decayDistances(const Scene& scene) {
    const std::int64_t last = lastDecayDistance(scene);
    return {std::min(scene.length.trained, last), last};
}

Result<Figure> makeDecay(const Scene& scene, const FigureRequest& request, Engine&, std::stop_token stop) {
    Figure figure;
    const DistanceSamples samples = distanceSamples(lastDecayDistance(scene), largestDecayDistance(scene),
                                                    request, {scene.length.trained});
    const Result<std::vector<ScoreCurve>> curves = decayCurves(scene, samples.distances, stop);
    if (!curves) {
        return tl::unexpected(curves.error());
    }
    figure.table.push_back(TableColumn{"distance", distanceColumn(samples)});
    Panel panel = curvePanel("decay", "score of " + contentText(scene), "score (logit)", samples, *curves);
    addUndefined(panel, scene, samples);
    addTrainedLength(panel, scene, samples);
    addCurves(figure, panel, samples, *curves);
    figure.panels.push_back(std::move(panel));
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (plan && isPureRotation(*plan)) {
        const Result<std::vector<ScoreCurve>> bounds = relativeBounds(scene, samples.distances, stop);
        if (!bounds) {
            return tl::unexpected(bounds.error());
        }
        Panel bound = curvePanel("bound", "relative upper bound, (2/d) Σ|S_j|", "bound", samples, *bounds);
        addTrainedLength(bound, scene, samples);
        addCurves(figure, bound, samples, *bounds);
        figure.panels.push_back(std::move(bound));
    }
    addReadouts(figure, scene, samples, curves->back());
    addNotes(figure, scene, samples);
    return figure;
}

}  // namespace

FigureKind decayFigureKind() {
    return {
        .id = "decay",
        .label = "Decay",
        .help = "Score of a query and a key against their distance, and how RoPE's upper bound on it falls.",
        .make = makeDecay,
        .emptyState = emptyState,
        .distances = decayDistances};
}

}  // namespace phaseladder
