#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/attention/content.h"
#include "core/cancelled.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/head_maps.h"
#include "core/figures/map_plan.h"
#include "core/figures/pair_norms.h"
#include "core/figures/token_map.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

/// Wavelengths of the pairs that rotation turns; empty where none are turned by a ladder.
struct Wavelengths {
    std::vector<double> base, scaled;
};

/// Mean 2-norm of each pair of a head's queries and keys.
struct HeadUse {
    std::vector<double> queries, keys;
};

constexpr UndefinedRowEffects leftOut{"left out of the means", "left out of the means"};

/// Rows of tokens that have a code: of the others a head has no numbers.
Eigen::Index definedRows(const AttentionProblem& problem, std::int64_t start, Eigen::Index rows) {
    return std::clamp<Eigen::Index>(definedTokens(problem) - start, 0, rows);
}

/// Of every head; what the files hold that is no number is said in the figure.
Result<std::vector<HeadUse>> usesOf(Figure& figure, const Scene& scene, const ChannelPairs& pairs,
                                    Engine& engine, const std::stop_token& stop) {
    const ProgressSpan progress(engine.progress(), "measuring heads", scene.heads);
    std::vector<HeadUse> uses;
    std::shared_ptr<const AttentionProblem> before;
    for (int head = 0; head < scene.heads; ++head) {
        const auto problem = engine.problem(withHead(scene, head), stop);
        if (!problem) {
            return tl::unexpected(problem.error());
        }
        const AttentionProblem& own = **problem;
        HeadUse use;
        use.queries =
            meanNorms(own.queries, definedRows(own, own.queryStart, own.queries.rows()), pairs, stop);
        const bool hasSameKeys = before && before->keys.sharesWith(own.keys);
        use.keys = hasSameKeys
                       ? uses.back().keys
                       : meanNorms(own.keys, definedRows(own, own.keyStart, own.keys.rows()), pairs, stop);
        if (stop.stop_requested()) {
            return cancelled();
        }
        if (const Result<UndefinedRows> undefined =
                addCapturedWarnings(figure, scene, {head}, scene.heads > 1, stop, leftOut);
            !undefined) {
            return tl::unexpected(undefined.error());
        }
        uses.push_back(std::move(use));
        before = *problem;
        progress.add(1);
    }
    return uses;
}

Result<Wavelengths> wavelengthsOf(const Scene& scene, const ChannelPairs& pairs) {
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    const Result<std::optional<SceneLadders>> ladders = figureLadders(scene);
    if (!plan || !ladders) {
        return tl::unexpected(plan ? ladders.error() : plan.error());
    }
    Wavelengths wavelengths;
    if (plan->rotation && ladders->has_value() &&
        (*ladders)->base.inverseFrequency.size() == static_cast<std::size_t>(pairs.count)) {
        std::ranges::transform((*ladders)->base.inverseFrequency, std::back_inserter(wavelengths.base),
                               wavelengthTokens);
        std::ranges::transform((*ladders)->scaled.ladder.inverseFrequency,
                               std::back_inserter(wavelengths.scaled), wavelengthTokens);
    }
    return wavelengths;
}

Axis pairsAxis(const Scene& scene, const ChannelPairs& pairs, const Wavelengths& wavelengths) {
    const auto count = static_cast<std::size_t>(pairs.count);
    Axis axis = pairAxis(count);
    axis.minimum = -0.5;
    axis.maximum = static_cast<double>(count) - 0.5;
    axis.choice.parameterId = "view.pair";
    axis.choice.at = std::min(scene.view.pair, pairs.count - 1);
    for (const double wavelength : wavelengths.scaled) {
        axis.asides.push_back(std::isfinite(wavelength)
                                  ? fmt::format("wavelength {} tokens", formatForPeople(wavelength, 4))
                                  : "never turns");
    }
    return axis;
}

/// Regions of pairs that never turn once within the trained length.
void addBeyond(Panel& panel, const Scene& scene, const Wavelengths& wavelengths) {
    const auto trained = static_cast<double>(scene.length.trained);
    const auto isBeyond = [&](std::size_t pair) { return wavelengths.base[pair] > trained; };
    bool isNamed = false;
    for (std::size_t first = 0, end = 0; first < wavelengths.base.size(); first = end) {
        end = first + 1;
        while (end < wavelengths.base.size() && isBeyond(end) == isBeyond(first)) {
            ++end;
        }
        if (isBeyond(first)) {
            panel.layers.push_back(
                Band{isNamed ? "" : fmt::format("λ above {}", groupedNumber(scene.length.trained)),
                     Role::beyond, Orientation::vertical, static_cast<double>(first) - 0.5,
                     static_cast<double>(end) - 0.5, false});
            isNamed = true;
        }
    }
}

/// 0 where there are no numbers.
double largestNorm(const HeadUse& use) {
    double largest = 0.0;
    for (const std::vector<double>* side : {&use.queries, &use.keys}) {
        for (const double norm : *side) {
            largest = norm > largest ? norm : largest;
        }
    }
    return largest;
}

Panel curvesPanel(const Scene& scene, const HeadUse& use, const Axis& pairs, const Wavelengths& wavelengths) {
    Panel panel;
    panel.id = "norms";
    panel.title = fmt::format("Head {}", scene.head);
    panel.x = pairs;
    panel.y.meaning = AxisMeaning::value;
    panel.y.title = "mean norm";
    panel.y.maximum = 1.2 * std::max(largestNorm(use), 1e-9);
    addBeyond(panel, scene, wavelengths);
    panel.layers.push_back(Curve{"Q", Role::category1, indices(use.queries.size()), use.queries});
    panel.layers.push_back(Curve{"K", Role::category2, indices(use.keys.size()), use.keys});
    return panel;
}

Panel mapPanel(const Scene& scene, std::string id, std::string title, const std::vector<HeadUse>& uses,
               std::vector<double> HeadUse::*side, const Axis& pairs, double high) {
    Heatmap map;
    map.rows = static_cast<std::int64_t>(uses.size());
    map.columns = static_cast<std::int64_t>((uses.front().*side).size());
    for (const HeadUse& use : uses) {
        map.values.insert(map.values.end(), (use.*side).begin(), (use.*side).end());
    }
    map.high = high;
    map.valueTitle = "mean norm";
    Panel panel;
    panel.id = std::move(id);
    panel.title = std::move(title);
    panel.x = pairs;
    panel.y.meaning = AxisMeaning::head;
    panel.y.title = "head";
    panel.y.minimum = -0.5;
    panel.y.maximum = static_cast<double>(uses.size()) - 0.5;
    panel.y.wholeNumbers = true;
    panel.y.reversed = true;
    panel.y.choice.parameterId = "head";
    panel.y.choice.at = scene.head;
    panel.layers.emplace_back(std::move(map));
    return panel;
}

void addMaps(Figure& figure, const Scene& scene, const std::vector<HeadUse>& uses, const Axis& pairs) {
    double high = 0.0;
    for (const HeadUse& use : uses) {
        high = std::max(high, largestNorm(use));
    }
    high = high > 0.0 ? high : 1.0;
    figure.panels.push_back(
        mapPanel(scene, "queries", "Q of every head", uses, &HeadUse::queries, pairs, high));
    figure.panels.push_back(mapPanel(scene, "keys", "K of every head", uses, &HeadUse::keys, pairs, high));
}

void addTable(Figure& figure, const std::vector<HeadUse>& uses, const Wavelengths& wavelengths) {
    std::vector<TableColumn> table{{"head", {}},       {"pair", {}},
                                   {"wavelength", {}}, {"scaled_wavelength", {}},
                                   {"q_norm", {}},     {"k_norm", {}}};
    for (std::size_t head = 0; head < uses.size(); ++head) {
        for (std::size_t pair = 0; pair < uses[head].queries.size(); ++pair) {
            const bool hasWavelength = !wavelengths.base.empty();
            const double row[] = {static_cast<double>(head),
                                  static_cast<double>(pair),
                                  hasWavelength ? wavelengths.base[pair] : noValue,
                                  hasWavelength ? wavelengths.scaled[pair] : noValue,
                                  uses[head].queries[pair],
                                  uses[head].keys[pair]};
            for (std::size_t column = 0; column < table.size(); ++column) {
                table[column].values.push_back(row[column]);
            }
        }
    }
    figure.table = std::move(table);
}

/// "Q longest in pair 12", with its wavelength; nothing where there are no numbers.
void addLargest(Figure& figure, std::string id, std::string_view side, const std::vector<double>& norms,
                const Axis& pairs) {
    const auto pair = static_cast<std::size_t>(std::ranges::max_element(norms) - norms.begin());
    if (std::isnan(norms[pair])) {
        return;
    }
    std::string chip = fmt::format("{} longest in pair {}", side, pair);
    if (!pairs.asides.empty()) {
        chip += fmt::format(" ({})", pairs.asides[pair]);
    }
    figure.readouts.push_back(
        Readout{std::move(id), fmt::format("pair with the largest mean norm of {}", side),
                static_cast<double>(pair), "", std::nullopt, std::move(chip), Tone::neutral});
}

void addNotes(Figure& figure, const Scene& scene, const ChannelPairs& pairs, bool isRotated) {
    if (!isRotated) {
        figure.notes.push_back(
            fmt::format("Nothing rotates here: channels k and k + {} count as pair k.", pairs.count));
    } else if (2 * pairs.count < scene.headDim) {
        figure.notes.push_back(fmt::format("Channels {}–{} do not rotate and are in no pair.",
                                           2 * pairs.count, scene.headDim - 1));
    }
    if (scene.layers > 1) {
        figure.notes.push_back(fmt::format("Q and K of layer {0} of {0}.", scene.layers));
    }
}

Result<Figure> makeFrequencyUse(const Scene& scene, const FigureRequest& request, Engine& engine,
                                std::stop_token stop) {
    const Result<MapShape> shape = mapShape(scene);
    if (!shape) {
        return tl::unexpected(shape.error());
    }
    if (const Result<void> size = checkMapSize(scene, request, engine.mapBackend(scene), *shape); !size) {
        return tl::unexpected(size.error());
    }
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const ChannelPairs pairs = channelPairs(*plan, scene.headDim);
    const Result<Wavelengths> wavelengths = wavelengthsOf(scene, pairs);
    if (!wavelengths) {
        return tl::unexpected(wavelengths.error());
    }
    Figure figure;
    const Result<std::vector<HeadUse>> uses = usesOf(figure, scene, pairs, engine, stop);
    if (!uses) {
        return tl::unexpected(uses.error());
    }
    const HeadUse& shown = (*uses)[static_cast<std::size_t>(scene.head)];
    const Axis axis = pairsAxis(scene, pairs, *wavelengths);
    figure.panels.push_back(curvesPanel(scene, shown, axis, *wavelengths));
    if (scene.heads > 1) {
        addMaps(figure, scene, *uses, axis);
    }
    addTable(figure, *uses, *wavelengths);
    addLargest(figure, "longest_query_pair", "Q", shown.queries, axis);
    addLargest(figure, "longest_key_pair", "K", shown.keys, axis);
    addNotes(figure, scene, pairs, plan->rotation.has_value());
    return figure;
}

}  // namespace

FigureKind frequencyUseFigureKind() {
    return {
        .id = "frequency-use",
        .label = "Frequency use",
        .help = "Mean length of each frequency pair of the queries and keys, for the shown head and for all.",
        .make = makeFrequencyUse,
        .emptyState = tokensWanted,
        .followsOrder = true,
        .growsFast = true};
}

}  // namespace phaseladder
