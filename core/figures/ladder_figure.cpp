#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/pair_axes.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

std::vector<double> wavelengths(const Ladder& ladder) {
    std::vector<double> values;
    values.reserve(ladder.inverseFrequency.size());
    for (const long double frequency : ladder.inverseFrequency) {
        values.push_back(wavelengthTokens(frequency));
    }
    return values;
}

/// Whole decades below the shortest wavelength; above the longest one, room for the curve's end and the
/// labels of the lengths.
Axis wavelengthAxis(const std::vector<double>& base, const std::vector<double>& scaled,
                    const LengthSettings& length) {
    double shortest = static_cast<double>(std::min(length.trained, length.target));
    double longest = static_cast<double>(std::max(length.trained, length.target));
    for (const std::vector<double>* values : {&base, &scaled}) {
        for (const double value : *values) {
            if (std::isfinite(value)) {
                shortest = std::min(shortest, value);
                longest = std::max(longest, value);
            }
        }
    }
    Axis axis;
    axis.meaning = AxisMeaning::wavelength;
    axis.title = "wavelength (tokens)";
    axis.scale = AxisScale::log10;
    axis.minimum = std::pow(10.0, std::floor(std::log10(shortest / 1.5)));
    axis.maximum = longest * 3.0;
    return axis;
}

struct RampBand {
    double low = 0.0;   ///< the last pair that is kept
    double high = 0.0;  ///< the first pair that is divided
    std::string label;
};

/// Where the scaling goes over from keeping to dividing: YaRN's own range, or the pairs between (Llama 3,
/// YaRN's paper ramp).
std::optional<RampBand> rampBand(const ScaledLadder& scaled) {
    if (scaled.range) {
        return RampBand{scaled.range->low, scaled.range->high,
                        fmt::format("ramp {}–{}", formatForPeople(scaled.range->low, 4),
                                    formatForPeople(scaled.range->high, 4))};
    }
    const auto isBlended = [](double share) { return share > 0.0 && share < 1.0; };
    const auto first = std::ranges::find_if(scaled.keptShare, isBlended);
    if (first == scaled.keptShare.end()) {
        return std::nullopt;
    }
    const auto last = std::find_if(scaled.keptShare.rbegin(), scaled.keptShare.rend(), isBlended).base() - 1;
    const auto firstPair = first - scaled.keptShare.begin();
    const auto lastPair = last - scaled.keptShare.begin();
    return RampBand{static_cast<double>(firstPair - 1), static_cast<double>(lastPair + 1),
                    fmt::format("blended {}–{}", firstPair, lastPair)};
}

Rule lengthRule(std::string label, Role role, std::int64_t tokens, std::string parameterId) {
    return Rule{std::move(label), role, Orientation::horizontal, static_cast<double>(tokens),
                std::move(parameterId)};
}

void addLengths(Panel& panel, const LengthSettings& length) {
    const auto trained = static_cast<double>(length.trained);
    const auto target = static_cast<double>(length.target);
    panel.layers.push_back(Band{"", Role::trained, Orientation::horizontal, panel.y.minimum, trained, false});
    if (target > trained) {
        panel.layers.push_back(Band{"", Role::beyond, Orientation::horizontal, trained, target, false});
    }
}

void addLengthRules(Panel& panel, const LengthSettings& length) {
    if (length.trained == length.target) {
        panel.layers.push_back(lengthRule("trained = target " + groupedNumber(length.target), Role::trained,
                                          length.target, "length.target"));
        return;
    }
    panel.layers.push_back(lengthRule("trained " + groupedNumber(length.trained), Role::trained,
                                      length.trained, "length.trained"));
    panel.layers.push_back(
        lengthRule("target " + groupedNumber(length.target), Role::target, length.target, "length.target"));
}

/// Which axis turns which pairs: regions where each has a section of its own.
void addSections(Panel& panel, const PairAxes& axes) {
    for (const AxisSection& section : axisSections(axes)) {
        panel.layers.push_back(
            Band{axes.rotation.axisNames[section.axis], axisRole(section.axis), Orientation::vertical,
                 std::max(static_cast<double>(section.first) - 0.5, panel.x.minimum),
                 std::min(static_cast<double>(section.last) + 0.5, panel.x.maximum), false});
    }
}

/// The same pair by pair, where the axes take turns.
void addAxisPoints(Panel& panel, const PairAxes& axes, const std::vector<double>& scaled) {
    if (!axes.areSeveral() || !axisSections(axes).empty()) {
        return;
    }
    for (std::size_t axis = 0; axis < axes.rotation.axisNames.size(); ++axis) {
        Points points{axes.rotation.axisNames[axis], axisRole(axis), {}, {}};
        for (std::size_t pair = 0; pair < scaled.size(); ++pair) {
            if (axes.rotation.axisOfPair[pair] == axis) {
                points.x.push_back(static_cast<double>(pair));
                points.y.push_back(scaled[pair]);
            }
        }
        panel.layers.push_back(std::move(points));
    }
    panel.x.minimum = -0.5;  // room for the marks of the first and the last pair
    panel.x.maximum = static_cast<double>(scaled.size()) - 0.5;
}

Panel ladderPanel(const Scene& scene, const SceneLadders& ladders, const PairAxes& axes) {
    const std::vector<double> base = wavelengths(ladders.base);
    const std::vector<double> scaled = wavelengths(ladders.scaled.ladder);
    Panel panel;
    panel.id = "ladder";
    panel.x = pairAxis(base.size());
    panel.y = wavelengthAxis(base, scaled, scene.length);
    if (axisSections(axes).empty()) {
        addLengths(panel, scene.length);
    } else {
        addSections(panel, axes);  // in place of the lengths' regions: one tint over another says nothing
    }
    if (const std::optional<RampBand> ramp = rampBand(ladders.scaled)) {
        panel.layers.push_back(Band{ramp->label, Role::ramp, Orientation::vertical,
                                    std::clamp(ramp->low, panel.x.minimum, panel.x.maximum),
                                    std::clamp(ramp->high, panel.x.minimum, panel.x.maximum), false});
    }
    addLengthRules(panel, scene.length);
    const bool isScaled = base != scaled;
    if (isScaled) {
        panel.layers.push_back(Curve{"base", Role::base, indices(base.size()), base});
    }
    panel.layers.push_back(
        Curve{isScaled ? scalingLabel(scene) : "", Role::live, indices(scaled.size()), scaled});
    addAxisPoints(panel, axes, scaled);
    return panel;
}

/// Columns of the command line contract; where axes share the pairs, also the axis of each: 0 the first.
std::vector<TableColumn> ladderTable(const Scene& scene, const SceneLadders& ladders, const PairAxes& axes) {
    std::vector<TableColumn> table;
    for (const char* name : {"pair", "inverse_frequency", "wavelength", "scaled_inverse_frequency",
                             "scaled_wavelength", "ratio", "ramp", "turns_in_training"}) {
        table.push_back(TableColumn{name, {}});
    }
    const auto trained = static_cast<double>(scene.length.trained);
    const std::vector<double>& keptShare = ladders.scaled.keptShare;
    for (std::size_t pair = 0; pair < ladders.base.inverseFrequency.size(); ++pair) {
        const long double base = ladders.base.inverseFrequency[pair];
        const long double scaled = ladders.scaled.ladder.inverseFrequency[pair];
        const double row[] = {static_cast<double>(pair),
                              static_cast<double>(base),
                              wavelengthTokens(base),
                              static_cast<double>(scaled),
                              wavelengthTokens(scaled),
                              base == 0.0L ? noValue : static_cast<double>(scaled / base),
                              keptShare.empty() ? noValue : keptShare[pair],
                              trained / wavelengthTokens(base)};
        for (std::size_t column = 0; column < table.size(); ++column) {
            table[column].values.push_back(row[column]);
        }
    }
    if (axes.areSeveral()) {
        table.push_back(
            TableColumn{"axis", {axes.rotation.axisOfPair.begin(), axes.rotation.axisOfPair.end()}});
    }
    return table;
}

void addReadouts(Figure& figure, const Scene& scene, const SceneLadders& ladders, const PairAxes& axes) {
    const int beyondTrained = pairsBeyond(ladders.base, static_cast<double>(scene.length.trained));
    Readout trained{"pairs_beyond_trained",
                    "pairs with a wavelength above the trained length",
                    static_cast<double>(beyondTrained),
                    "pairs",
                    std::nullopt,
                    "",
                    Tone::good};
    if (beyondTrained > 0) {
        trained.tone = Tone::warning;
        trained.chip = countOf(beyondTrained, "pair") +
                       (beyondTrained == 1 ? " never turns in training" : " never turn in training");
    } else {
        trained.chip = "all pairs turn in training";
    }
    figure.readouts.push_back(trained);

    const Ladder& scaled = ladders.scaled.ladder;
    figure.readouts.push_back(
        Readout{"pairs_beyond_target", "pairs with a scaled wavelength above the target length",
                static_cast<double>(pairsBeyond(scaled, static_cast<double>(scene.length.target))), "pairs",
                std::nullopt, "", Tone::neutral});
    Readout factor{
        "attention_factor", "attention factor on cos and sin", scaled.attentionFactor, "", 1e-9, "",
        Tone::neutral};
    if (scaled.attentionFactor != 1.0) {
        factor.chip = "attention factor " + formatForPeople(scaled.attentionFactor);
    }
    figure.readouts.push_back(factor);
    const bool isYarn = ladders.scaling == "yarn";
    if (isYarn && scene.scaling.softmaxMultiplier != 1.0) {
        figure.readouts.push_back(Readout{
            "softmax_multiplier", "factor on the logits before softmax", scene.scaling.softmaxMultiplier, "",
            std::nullopt, "softmax × " + formatForPeople(scene.scaling.softmaxMultiplier), Tone::neutral});
    }
    figure.readouts.push_back(Readout{"longest_wavelength", "longest scaled wavelength",
                                      longestWavelength(scaled), "tokens", std::nullopt, "", Tone::neutral});
    if (isYarn) {
        // The stated factor is what counts; the ratio of the lengths is what some programs put in its place.
        const double implied =
            static_cast<double>(scene.length.target) / static_cast<double>(originalLength(scene));
        figure.readouts.push_back(Readout{"implied_factor", "target length / original length", implied, "",
                                          std::nullopt, "", Tone::neutral});
    }
    if (axes.areSeveral()) {
        figure.readouts.push_back(Readout{"axes", "pairs of each axis", pairsByAxis(axes), "", std::nullopt,
                                          pairsByAxis(axes), Tone::neutral});
    }
}

Result<Figure> makeLadder(const Scene& scene, const FigureRequest&, Engine&, std::stop_token) {
    Result<std::optional<SceneLadders>> ladders = figureLadders(scene);
    if (!ladders) {
        return tl::unexpected(ladders.error());
    }
    Figure figure;
    const SceneLadders& both = **ladders;
    const Result<PairAxes> axes = pairAxes(scene, 0);
    if (!axes) {
        return tl::unexpected(axes.error());
    }
    figure.panels.push_back(ladderPanel(scene, both, *axes));
    figure.table = ladderTable(scene, both, *axes);
    figure.notes = both.scaled.notes;
    addReadouts(figure, scene, both, *axes);
    return figure;
}

}  // namespace

FigureKind ladderFigureKind() {
    return {.id = "ladder",
            .label = "Ladder",
            .help =
                "Wavelength of each frequency pair before and after scaling, beside the trained and the "
                "target length.",
            .make = makeLadder,
            .emptyState = [](const Scene& scene) { return noFrequenciesSentence(scene, "ladder"); },
            .emptyTable = [](const Scene& scene) { return ladderTable(scene, SceneLadders{}, PairAxes{}); }};
}

}  // namespace phaseladder
