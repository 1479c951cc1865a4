#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/number_text.h"
#include "core/parameter.h"

namespace phaseladder {
namespace {

/// A scaling with the scene's own numbers: method and ramp are all that differs.
struct Variant {
    const char* name;   ///< of its columns: ratio_NAME
    const char* label;  ///< legend
    const char* method;
    YarnRamp ramp;
    Role role;
    const char* rampColumn;  ///< name of the column of kept shares; empty for a scaling without a ramp
};

constexpr std::array variants{
    Variant{"yarn_code", "YaRN (code)", "yarn", YarnRamp::code, Role::category1, "gamma_code"},
    Variant{"yarn_paper", "YaRN (paper)", "yarn", YarnRamp::paper, Role::category2, "gamma_paper"},
    Variant{"ntk", "NTK-aware", "ntk", YarnRamp::code, Role::category3, ""},
    Variant{"linear", "linear", "linear", YarnRamp::code, Role::muted, ""},
    Variant{"dynamic_ntk", "dynamic NTK", "dynamic_ntk", YarnRamp::code, Role::category4, ""},
    Variant{"llama3", "Llama 3", "llama3", YarnRamp::code, Role::category5, "gamma_llama3"},
    Variant{"longrope", "LongRoPE", "longrope", YarnRamp::code, Role::category6, ""},
};

/// One variant applied to the scene's base ladder; no values where it refuses the scene's numbers.
struct AppliedVariant {
    Variant variant;
    bool isOwn = false;  ///< the scene's setting
    ScaledLadder scaled;
    std::vector<double> ratio;  ///< scaled / base inverse frequency

    [[nodiscard]] Role role() const { return isOwn ? Role::live : variant.role; }
};

Scene withVariant(const Scene& scene, const Variant& variant) {
    Scene changed = scene;
    changed.scaling.method = variant.method;
    changed.scaling.ramp = variant.ramp;
    return changed;
}

bool isOwnSetting(const Scene& scene, const Variant& variant) {
    return scene.scaling.method == variant.method &&
           (scene.scaling.method != "yarn" || scene.scaling.ramp == variant.ramp);
}

std::vector<double> ratios(const Ladder& base, const Ladder& scaled) {
    std::vector<double> values;
    for (std::size_t pair = 0; pair < base.inverseFrequency.size(); ++pair) {
        const long double frequency = base.inverseFrequency[pair];
        values.push_back(frequency == 0.0L ? noValue
                                           : static_cast<double>(scaled.inverseFrequency[pair] / frequency));
    }
    return values;
}

/// LongRoPE's lists come with a model; there is nothing to compare without them.
std::vector<Variant> listedVariants(const Scene& scene) {
    const bool hasLists = !scene.scaling.longFactors.empty() || !scene.scaling.shortFactors.empty();
    std::vector<Variant> listed;
    std::ranges::copy_if(variants, std::back_inserter(listed), [hasLists](const Variant& variant) {
        return hasLists || std::string_view(variant.method) != "longrope";
    });
    return listed;
}

/// In their order; a refusal becomes a note.
std::vector<AppliedVariant> applyVariants(const Scene& scene, const Ladder& base, Figure& figure) {
    std::vector<AppliedVariant> applied;
    for (const Variant& variant : listedVariants(scene)) {
        AppliedVariant one{variant, isOwnSetting(scene, variant), {}, {}};
        Result<ScaledLadder> scaled = findScaling(variant.method)->apply(base, withVariant(scene, variant));
        if (scaled) {
            one.scaled = std::move(*scaled);
            one.ratio = ratios(base, one.scaled.ladder);
        } else {
            figure.notes.push_back(fmt::format("{} is left out: {}", variant.label, scaled.error().message));
        }
        applied.push_back(std::move(one));
    }
    return applied;
}

Axis shareAxis(AxisMeaning meaning, std::string title, double maximum) {
    Axis axis;
    axis.meaning = meaning;
    axis.title = std::move(title);
    axis.minimum = 0.0;
    axis.maximum = maximum;
    return axis;
}

/// Draws the scene's own curve last, so that it lies on top.
void addCurves(Panel& panel, const std::vector<AppliedVariant>& applied,
               const std::vector<double>& (*values)(const AppliedVariant&)) {
    for (const bool own : {false, true}) {
        for (const AppliedVariant& one : applied) {
            const std::vector<double>& y = values(one);
            if (one.isOwn == own && !y.empty()) {
                panel.layers.push_back(Curve{one.variant.label, one.role(), indices(y.size()), y});
            }
        }
    }
}

const AppliedVariant& named(const std::vector<AppliedVariant>& applied, std::string_view name) {
    return *std::ranges::find(applied, name, [](const AppliedVariant& one) { return one.variant.name; });
}

std::string rangeText(double low, double high) {
    return formatForPeople(low, 4) + "–" + formatForPeople(high, 4);
}

Panel keptSharePanel(const std::vector<AppliedVariant>& applied, std::size_t pairs) {
    Panel panel;
    panel.id = "kept_share";
    panel.x = pairAxis(pairs);
    panel.y = shareAxis(AxisMeaning::keptShare, "kept share γ", 1.05);
    if (const std::optional<RampRange>& range = named(applied, "yarn_code").scaled.range) {
        panel.layers.push_back(Band{rangeText(range->low, range->high), Role::ramp, Orientation::vertical,
                                    std::clamp(range->low, panel.x.minimum, panel.x.maximum),
                                    std::clamp(range->high, panel.x.minimum, panel.x.maximum), false});
    }
    addCurves(panel, applied,
              [](const AppliedVariant& one) -> const std::vector<double>& { return one.scaled.keptShare; });
    return panel;
}

Panel ratioPanel(const std::vector<AppliedVariant>& applied, std::size_t pairs) {
    double largest = 1.0;
    for (const AppliedVariant& one : applied) {
        for (const double ratio : one.ratio) {
            largest = std::max(largest, ratio);
        }
    }
    Panel panel;
    panel.id = "ratio";
    panel.x = pairAxis(pairs);
    panel.y = shareAxis(AxisMeaning::ratio, "frequency ratio", 1.05 * largest);
    addCurves(panel, applied,
              [](const AppliedVariant& one) -> const std::vector<double>& { return one.ratio; });
    return panel;
}

std::vector<TableColumn> rampTable(const std::vector<AppliedVariant>& applied, std::size_t pairs) {
    const std::vector<double> none(pairs, noValue);
    std::vector<TableColumn> table{{"pair", indices(pairs)}};
    for (const AppliedVariant& one : applied) {
        if (*one.variant.rampColumn != '\0') {
            table.push_back(
                {one.variant.rampColumn, one.scaled.keptShare.empty() ? none : one.scaled.keptShare});
        }
    }
    for (const AppliedVariant& one : applied) {
        table.push_back({std::string("ratio_") + one.variant.name, one.ratio.empty() ? none : one.ratio});
    }
    return table;
}

void addRangeReadouts(Figure& figure, const AppliedVariant& code) {
    if (!code.scaled.range) {
        return;
    }
    const RampRange& range = *code.scaled.range;
    const auto add = [&](std::string id, std::string label, double value, std::string chip) {
        figure.readouts.push_back(Readout{std::move(id), std::move(label), value, "pairs", std::nullopt,
                                          std::move(chip), Tone::neutral});
    };
    add("range_low", "first pair of the code ramp", range.low,
        "YaRN ramp " + rangeText(range.low, range.high));
    add("range_high", "last pair of the code ramp", range.high, "");
    const bool isRounded = range.rawLow != range.low || range.rawHigh != range.high;
    add("range_raw_low", "first pair of the code ramp, before rounding", range.rawLow,
        isRounded ? "unrounded " + rangeText(range.rawLow, range.rawHigh) : "");
    add("range_raw_high", "last pair of the code ramp, before rounding", range.rawHigh, "");
}

void addLlamaReadouts(Figure& figure, const AppliedVariant& llama) {
    const std::vector<double>& share = llama.scaled.keptShare;
    if (share.empty()) {
        return;
    }
    const auto kept = std::ranges::count(share, 1.0);
    const auto divided = std::ranges::count(share, 0.0);
    const auto blended = static_cast<std::ptrdiff_t>(share.size()) - kept - divided;
    const auto add = [&](std::string id, std::string label, std::ptrdiff_t count, std::string chip) {
        figure.readouts.push_back(Readout{std::move(id), std::move(label), static_cast<double>(count),
                                          "pairs", std::nullopt, std::move(chip), Tone::neutral});
    };
    add("llama3_kept", "pairs that Llama 3's rule keeps", kept,
        llama.isOwn ? fmt::format("{} kept · {} blended · {} divided", kept, blended, divided) : "");
    add("llama3_blended", "pairs that Llama 3's rule blends", blended, "");
    add("llama3_divided", "pairs that Llama 3's rule divides", divided, "");
}

std::string emptyState(const Scene& scene) {
    return findParameter("scaling")->applies(scene)
               ? ""
               : "Scalings change the frequencies of RoPE. Choose RoPE to compare them.";
}

std::vector<TableColumn> emptyTable(const Scene& scene) {
    std::vector<AppliedVariant> none;
    for (const Variant& variant : listedVariants(scene)) {
        none.push_back({variant, false, {}, {}});
    }
    return rampTable(none, 0);
}

Result<Figure> makeRamp(const Scene& scene, const FigureRequest&, Engine&, std::stop_token) {
    Figure figure;
    Result<SceneLadders> ladders = sceneLadders(scene);
    if (!ladders) {
        return tl::unexpected(ladders.error());
    }
    const Ladder& base = ladders->base;
    const std::size_t pairs = base.inverseFrequency.size();
    const std::vector<AppliedVariant> applied = applyVariants(scene, base, figure);
    figure.panels.push_back(keptSharePanel(applied, pairs));
    figure.panels.push_back(ratioPanel(applied, pairs));
    figure.table = rampTable(applied, pairs);
    figure.readouts.push_back(Readout{"factor", "factor that all scalings are compared at",
                                      scene.scaling.factor, "", std::nullopt,
                                      "factor " + formatForPeople(scene.scaling.factor, 6), Tone::neutral});
    addRangeReadouts(figure, named(applied, "yarn_code"));
    addLlamaReadouts(figure, named(applied, "llama3"));
    figure.notes.insert(figure.notes.end(), ladders->scaled.notes.begin(), ladders->scaled.notes.end());
    return figure;
}

}  // namespace

FigureKind rampFigureKind() {
    return {.id = "ramp",
            .label = "Ramp",
            .help =
                "Which share of each pair's frequency the YaRN ramps and Llama 3 keep, and what every "
                "scaling makes of it.",
            .make = makeRamp,
            .emptyState = emptyState,
            .emptyTable = emptyTable};
}

}  // namespace phaseladder
