#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/export/figure_text.h"
#include "core/figures/figure_list.h"
#include "core/figures/figure_parts.h"
#include "core/number_text.h"
#include "core/parameter.h"

namespace phaseladder {
namespace {

constexpr std::size_t mostTokens = 12;  // that are written out
constexpr int captionDigits = 5;

bool hasAxis(const Figure& figure, std::initializer_list<AxisMeaning> meanings) {
    return std::ranges::any_of(figure.panels, [&](const Panel& panel) {
        return std::ranges::find(meanings, panel.x.meaning) != meanings.end() ||
               std::ranges::find(meanings, panel.y.meaning) != meanings.end();
    });
}

/// Whether a figure shows anything that the row decides: tokens and heads only where there are tokens.
bool concerns(const Parameter& row, const Figure& figure) {
    if (row.id == "view.positions" || row.id == "view.start") {
        return hasAxis(figure, {AxisMeaning::position});
    }
    const bool isAboutTokens =
        row.group == "Text" || row.group == "View" || (row.group == "Attention" && row.id != "head_dim");
    return !isAboutTokens || hasAxis(figure, {AxisMeaning::queryToken, AxisMeaning::keyToken});
}

/// What a reader needs even where it is the default.
bool isAlwaysTold(const Parameter& row) {
    return row.id == "encoding" || row.id == "rope.theta" || row.id == "head_dim";
}

/// "500,000", "1.1386": thousands as figures write them.
std::string number(double value) {
    if (std::isinf(value)) {
        return value > 0.0 ? "infinite" : "minus infinite";
    }
    if (std::isnan(value)) {
        return "none";
    }
    if (value == std::round(value) && std::abs(value) < 1e15) {
        return groupedNumber(static_cast<std::int64_t>(value));
    }
    return std::abs(value) >= 1000.0 ? groupedNumber(std::llround(value))
                                     : fmt::format("{:.{}g}", value, captionDigits);
}

/// "Theta base" inside a sentence is "theta base"; "YaRN ramp" stays.
std::string insideSentence(std::string text) {
    const auto isBetween = [](char letter, char first, char last) {
        return first <= letter && letter <= last;
    };
    if (text.size() > 1 && isBetween(text[0], 'A', 'Z') && isBetween(text[1], 'a', 'z') &&
        std::ranges::none_of(text.substr(1, text.find(' ')),
                             [&](char letter) { return isBetween(letter, 'A', 'Z'); })) {
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
    }
    return text;
}

struct ValueText {
    const Parameter& row;

    std::string operator()(bool value) const { return value ? "on" : "off"; }
    std::string operator()(double value) const {
        if (value == 0.0 && !row.zeroText.empty()) {
            return row.zeroText;
        }
        return number(value) + (row.unit.empty() || row.unit == "×" ? "" : ' ' + row.unit);
    }
    std::string operator()(const std::string& value) const {
        const auto choice = std::ranges::find(row.choices, value, &Choice::id);
        return choice == row.choices.end() ? value : choice->label;
    }
    std::string operator()(const std::vector<std::string>& tokens) const {
        return tokens.size() <= mostTokens ? fmt::format("\"{}\"", fmt::join(tokens, " "))
                                           : countOf(static_cast<std::int64_t>(tokens.size()), "token");
    }
    std::string operator()(const std::vector<int>& order) const {
        return order.size() <= mostTokens ? fmt::format("{}", fmt::join(order, " ")) : "changed";
    }
    std::string operator()(const std::vector<double>& values) const {
        return countOf(static_cast<std::int64_t>(values.size()), "value");
    }
};

/// In the panel the heading says that "Trained" is a length.
std::string nameOf(const Parameter& row) {
    const bool isBareLength = row.group == "Lengths" && row.label.find("length") == row.label.npos;
    return insideSentence(row.label) + (isBareLength ? " length" : "");
}

std::vector<std::string> settingTexts(const Figure& figure, const Scene& scene) {
    const Scene startUp;
    std::vector<std::string> texts;
    for (const Parameter& row : parameters()) {
        const ParameterValue value = row.get(scene);
        const bool isTold = isAlwaysTold(row) || value != row.get(startUp);
        if (row.id != "model" && isTold && row.applies(scene) && concerns(row, figure)) {
            texts.push_back(nameOf(row) + ' ' + std::visit(ValueText{row}, value));
        }
    }
    return texts;
}

std::string readoutText(const Readout& readout) {
    const std::string label = insideSentence(readout.label) + ": ";
    const double* value = std::get_if<double>(&readout.value);
    if (value == nullptr) {
        return label + std::get<std::string>(readout.value);
    }
    // "pairs beyond the trained length: 29" and "first pair of the ramp: 18" need no second "pairs".
    const bool saysUnit =
        readout.unit.empty() || label.find(readout.unit.substr(0, readout.unit.size() - 1)) != label.npos;
    return label + number(*value) + (saysUnit ? "" : ' ' + readout.unit);
}

/// What a panel is called: its title, what its map shows, or what stands along its height.
std::string panelName(const Panel& panel) {
    if (!panel.title.empty()) {
        return panel.title;
    }
    for (const Layer& layer : panel.layers) {
        if (const auto* map = std::get_if<Heatmap>(&layer); map != nullptr && !map->valueTitle.empty()) {
            return map->valueTitle;
        }
    }
    return panel.y.title;
}

/// " Panels: (a) sine of the phase, (b) phase."
std::string panelsSentence(const Figure& figure) {
    std::vector<std::string> panels;
    for (std::size_t index = 0; index < figure.panels.size(); ++index) {
        panels.push_back(panelLetter(index) + ' ' + panelName(figure.panels[index]));
    }
    return fmt::format(" Panels: {}.", fmt::join(panels, ", "));
}

}  // namespace

std::string panelLetter(std::size_t index) {
    return fmt::format("({})", static_cast<char>('a' + index % 26));
}

std::string writeCaption(const Figure& figure, const Scene& scene, PanelLetters letters) {
    const FigureKind* kind = findFigure(figure.id);
    std::string text = kind != nullptr ? kind->help : figure.title + '.';
    if (letters == PanelLetters::shown && figure.panels.size() > 1) {
        text += panelsSentence(figure);
    }
    text += scene.model.empty() ? "" : " Starting point: " + scene.model + '.';
    text += fmt::format(" Settings: {}.", fmt::join(settingTexts(figure, scene), ", "));
    if (!figure.readouts.empty()) {
        std::vector<std::string> readouts;
        std::ranges::transform(figure.readouts, std::back_inserter(readouts), readoutText);
        text += fmt::format(" Readouts: {}.", fmt::join(readouts, "; "));
    }
    return text + " Made with Phaseladder " PHASELADDER_VERSION ".\n";
}

}  // namespace phaseladder
