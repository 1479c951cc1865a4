#include <algorithm>
#include <cstddef>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/export/figure_text.h"
#include "core/figures/figure_list.h"
#include "core/figures/setting_text.h"
#include "core/parameter.h"

namespace phaseladder {
namespace {

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

std::vector<std::string> settingTexts(const Figure& figure, const Scene& scene) {
    const Scene startUp;
    std::vector<std::string> texts;
    for (const Parameter& row : parameters()) {
        const ParameterValue value = row.get(scene);
        const bool isTold = isAlwaysTold(row) || value != row.get(startUp);
        if (row.id != "model" && isTold && (row.applies(scene) || row.id == "head_dim") &&
            concerns(row, figure)) {
            texts.push_back(settingText(row, value));
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
    return label + numberInWords(*value) + (saysUnit ? "" : ' ' + readout.unit);
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
