#include "core/figures/comparison.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "core/figures/color_range.h"
#include "core/figures/difference.h"
#include "core/figures/figure_parts.h"
#include "core/figures/panel_comparison.h"
#include "core/figures/panel_pairs.h"
#include "core/figures/setting_text.h"
#include "core/figures/table_difference.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

template <class Item, class Key>
const Item* findBy(const std::vector<Item>& items, Key Item::*key, const Key& wanted) {
    const auto found = std::ranges::find(items, wanted, key);
    return found == items.end() ? nullptr : &*found;
}

/// A's sentences behind B's, each once.
void addOfPinned(std::vector<std::string>& sentences, const std::vector<std::string>& ofPinned) {
    const std::vector<std::string> ofLive = sentences;
    for (const std::string& sentence : ofPinned) {
        if (std::ranges::find(ofLive, sentence) == ofLive.end()) {
            sentences.push_back("A: " + sentence);
        }
    }
}

/// Gives the maps of `figure` a colour range that holds those of `other` too.
void shareColors(Figure& figure, const Figure& other) {
    for (Panel& panel : figure.panels) {
        const Panel* partner = findBy(other.panels, &Panel::id, panel.id);
        if (partner == nullptr) {
            continue;
        }
        const std::vector<const Heatmap*> maps = layersOfKind<Heatmap>(*partner);
        std::size_t index = 0;
        for (Layer& layer : panel.layers) {
            auto* map = std::get_if<Heatmap>(&layer);
            if (map == nullptr || index == maps.size()) {
                continue;
            }
            const Heatmap& same = *maps[index++];
            const bool isShared = map->valueTitle == same.valueTitle && map->map == same.map &&
                                  map->scale == same.scale && map->map != ColorMapKind::cyclic;
            if (isShared && (same.low < map->low || same.high > map->high)) {
                setSharedRange(figure, *map, std::min(map->low, same.low), std::max(map->high, same.high));
            }
        }
    }
}

/// Lets the axes of lines reach as far as those of the overlaid figure, but where their places have other
/// names.
void shareAxes(Figure& figure, const Figure& overlaid) {
    for (Panel& panel : figure.panels) {
        const Panel* partner = findBy(overlaid.panels, &Panel::id, panel.id);
        if (partner != nullptr && !hasMap(panel) && !hasMap(*partner) &&
            whyAxesDiffer(panel, *partner).empty()) {
            panel.x = panel.x.labels == partner->x.labels ? partner->x : panel.x;
            panel.y = panel.y.labels == partner->y.labels ? partner->y : panel.y;
        }
    }
}

/// What A has and B has not.
void noteMissing(Figure& figure, const Figure& pinned) {
    if (!pinned.emptyState.empty()) {
        figure.notes.push_back("A shows nothing here: " + pinned.emptyState);
        return;
    }
    for (const Panel& panel : pinned.panels) {
        if (!figure.panels.empty() && findBy(figure.panels, &Panel::id, panel.id) == nullptr) {
            figure.notes.push_back(
                fmt::format("Only A has the panel “{}”.", panel.title.empty() ? panel.y.title : panel.title));
        }
    }
}

Figure overlaidFigure(const Figure& pinned, Figure figure, const ComparedSettings& names) {
    for (Panel& panel : figure.panels) {
        if (const Panel* partner = findBy(pinned.panels, &Panel::id, panel.id)) {
            ComparedPanel compared = overlayPanels(*partner, panel, names);
            panel = std::move(compared.panel);
            figure.notes.insert(figure.notes.end(), compared.notes.begin(), compared.notes.end());
        }
    }
    avoidPinnedColor(figure.panels);
    shareColors(figure, pinned);
    noteMissing(figure, pinned);
    return figure;
}

/// What is drawn as the setting itself is drawn as A's, in the colour that it has over B.
void drawAsPinned(Panel& panel) {
    for (Layer& layer : panel.layers) {
        std::visit(
            [](auto& one) {
                if constexpr (requires { one.role; }) {
                    one.role = one.role == Role::live ? pinnedRole(one.role) : one.role;
                }
            },
            layer);
    }
}

Figure pinnedFigure(const Figure& pinned, const Figure& live) {
    Figure figure = pinned;
    shareAxes(figure, overlaidFigure(pinned, live, {}));
    shareColors(figure, live);
    std::ranges::for_each(figure.panels, removeHandles);
    std::ranges::for_each(figure.panels, drawAsPinned);
    return figure;
}

std::string valueText(const Readout* readout) {
    if (readout == nullptr) {
        return "none";
    }
    const double* number = std::get_if<double>(&readout->value);
    return number != nullptr ? formatForPeople(*number, 6) : std::get<std::string>(readout->value);
}

std::string chipText(const Readout* pinned, const Readout* live) {
    const std::string before = pinned == nullptr ? "" : pinned->chip;
    const std::string now = live == nullptr ? "" : live->chip;
    if (before == now) {
        return before.empty() ? "" : "A = B: " + before;
    }
    return fmt::format("{} → {}", before.empty() ? "–" : before, now.empty() ? "–" : now);
}

Readout readoutDifference(const Readout* pinned, const Readout* live) {
    Readout readout = live != nullptr ? *live : *pinned;
    const bool isRenamed = pinned != nullptr && live != nullptr && pinned->label != live->label;
    readout.label = "Δ " + readout.label + (isRenamed ? fmt::format(" (A: {})", pinned->label) : "");
    readout.tolerance.reset();
    readout.tone = Tone::neutral;
    readout.chip = chipText(pinned, live);
    const double* before = pinned == nullptr ? nullptr : std::get_if<double>(&pinned->value);
    const double* now = live == nullptr ? nullptr : std::get_if<double>(&live->value);
    if (before != nullptr && now != nullptr) {
        readout.value = difference(*before, *now);
    } else {
        readout.value = valueText(pinned) + " → " + valueText(live);
        readout.unit.clear();
    }
    return readout;
}

std::vector<Readout> readoutDifferences(const Figure& pinned, const Figure& live) {
    std::vector<Readout> readouts;
    for (const Readout& readout : live.readouts) {
        readouts.push_back(readoutDifference(findBy(pinned.readouts, &Readout::id, readout.id), &readout));
    }
    for (const Readout& readout : pinned.readouts) {
        if (findBy(live.readouts, &Readout::id, readout.id) == nullptr) {
            readouts.push_back(readoutDifference(&readout, nullptr));
        }
    }
    return readouts;
}

Figure differenceFigure(const Figure& pinned, Figure figure) {
    addOfPinned(figure.notes, pinned.notes);
    addOfPinned(figure.warnings, pinned.warnings);
    figure.readouts = readoutDifferences(pinned, figure);
    figure.table = tableDifference(pinned.table, figure.table);
    figure.matrix = matrixDifference(pinned, figure);
    if (pinned.panels.empty() != figure.panels.empty()) {
        const bool isPinned = pinned.panels.empty();
        figure.emptyState =
            fmt::format("No difference to show, since {} has no picture here: {}", isPinned ? "A" : "B",
                        isPinned ? pinned.emptyState : figure.emptyState);
        figure.panels.clear();
        return figure;
    }
    constexpr const char* onlyLive =
        "Not compared: only B has this panel. Look at B alone, or let A have it too.";
    for (Panel& panel : figure.panels) {
        const Panel* partner = findBy(pinned.panels, &Panel::id, panel.id);
        ComparedPanel compared = partner != nullptr
                                     ? subtractPanels(*partner, panel)
                                     : ComparedPanel{panelWithSentence(panel, onlyLive),
                                                     {panelPrefix(panel) + "only B has this panel."}};
        panel = std::move(compared.panel);
        figure.notes.insert(figure.notes.end(), compared.notes.begin(), compared.notes.end());
    }
    noteMissing(figure, pinned);
    return figure;
}

}  // namespace

Figure compareFigures(const Figure& pinned, Figure live, CompareMode mode, const ComparedSettings& names) {
    const bool isPartial = pinned.isPartial || live.isPartial;
    Figure figure = mode == CompareMode::live     ? overlaidFigure(pinned, std::move(live), names)
                    : mode == CompareMode::pinned ? pinnedFigure(pinned, live)
                                                  : differenceFigure(pinned, std::move(live));
    figure.isPartial = isPartial;
    return figure;
}

void nameCompared(Figure& figure, const ComparedSettings& settings, CompareMode mode) {
    const std::string both = fmt::format("A: {} · B: {}", settings.pinned, settings.live);
    Readout readout{std::string(comparedReadout), "A and B", both, "", std::nullopt, "", Tone::neutral};
    const bool showsBoth =
        std::ranges::any_of(figure.panels, [](const Panel& panel) { return !hasMap(panel); });
    if (settings.areSame()) {
        readout.value = readout.chip = "A and B are the same: Δ is exactly 0";
        figure.title += mode == CompareMode::difference ? ": Δ = B − A, exactly 0"
                        : mode == CompareMode::pinned   ? ": A"
                        : showsBoth                     ? ": A = B"
                                                        : ": B";
    } else if (mode == CompareMode::difference) {
        readout.chip = "Δ = B − A · " + both;
        figure.title += fmt::format(": Δ = B − A ({})", both);
    } else if (mode == CompareMode::pinned) {
        readout.chip = fmt::format("A, pinned: {} · B: {}", settings.pinned, settings.live);
        figure.title += fmt::format(": A ({})", settings.pinned);
    } else {
        readout.chip = fmt::format("B, live: {} · A: {}", settings.live, settings.pinned);
        figure.title +=
            showsBoth ? fmt::format(": A and B ({})", both) : fmt::format(": B ({})", settings.live);
    }
    figure.readouts.insert(figure.readouts.begin(), std::move(readout));
}

}  // namespace phaseladder
