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
                                  map->map != ColorMapKind::cyclic;
            if (isShared && (same.low < map->low || same.high > map->high)) {
                setSharedRange(figure, *map, std::min(map->low, same.low), std::max(map->high, same.high));
            }
        }
    }
}

/// Lets the axes of lines reach as far as those of the overlaid figure.
void shareAxes(Figure& figure, const Figure& overlaid) {
    for (Panel& panel : figure.panels) {
        const Panel* partner = findBy(overlaid.panels, &Panel::id, panel.id);
        if (partner != nullptr && !hasMap(panel) && !hasMap(*partner) &&
            whyAxesDiffer(panel, *partner).empty()) {
            panel.x = partner->x;
            panel.y = partner->y;
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

Figure overlaidFigure(const Figure& pinned, Figure figure) {
    for (Panel& panel : figure.panels) {
        if (const Panel* partner = findBy(pinned.panels, &Panel::id, panel.id)) {
            ComparedPanel compared = overlayPanels(*partner, panel);
            panel = std::move(compared.panel);
            figure.notes.insert(figure.notes.end(), compared.notes.begin(), compared.notes.end());
        }
    }
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
                    one.role = one.role == Role::live ? Role::pinned : one.role;
                }
            },
            layer);
    }
}

Figure pinnedFigure(const Figure& pinned, const Figure& live) {
    Figure figure = pinned;
    shareAxes(figure, overlaidFigure(pinned, live));
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
    readout.label = "Δ " + readout.label;
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

/// Rows are those of B, found in A by the first column.
std::vector<TableColumn> tableDifference(const std::vector<TableColumn>& pinned,
                                         const std::vector<TableColumn>& live) {
    std::vector<TableColumn> table;
    for (const TableColumn& column : live) {
        if (table.empty()) {
            table.push_back(column);
            continue;
        }
        const TableColumn* partner = findBy(pinned, &TableColumn::name, column.name);
        const bool isKeyed = partner != nullptr && pinned.front().name == live.front().name;
        table.push_back(
            TableColumn{"delta_" + column.name,
                        isKeyed ? compareSeries(pinned.front().values, partner->values, live.front().values,
                                                column.values, AxisScale::linear, BetweenPoints::nothing)
                                      .values
                                : std::vector<double>(column.values.size(), noValue)});
    }
    return table;
}

/// The map that a matrix holds the numbers of, if any.
const Heatmap* mapOfMatrix(const Figure& figure) {
    for (const Panel& panel : figure.panels) {
        for (const Heatmap* map : layersOfKind<Heatmap>(panel)) {
            if (map->rows == figure.matrix->rows && map->columns == figure.matrix->columns) {
                return map;
            }
        }
    }
    return nullptr;
}

/// No matrix where the numbers of A are others, or at other places.
std::optional<Matrix> matrixDifference(const Figure& pinned, const Figure& live) {
    if (!pinned.matrix || !live.matrix || pinned.matrix->rows != live.matrix->rows ||
        pinned.matrix->columns != live.matrix->columns) {
        return std::nullopt;
    }
    const Heatmap* before = mapOfMatrix(pinned);
    const Heatmap* now = mapOfMatrix(live);
    const bool areMaps = before != nullptr && now != nullptr;
    if ((before == nullptr) != (now == nullptr) || (areMaps && !whyNotSubtracted(*before, *now).empty())) {
        return std::nullopt;
    }
    const bool isCyclic = areMaps && now->map == ColorMapKind::cyclic;
    Matrix matrix = *live.matrix;
    for (std::size_t cell = 0; cell < matrix.values.size(); ++cell) {
        const double a = pinned.matrix->values[cell];
        const double b = live.matrix->values[cell];
        matrix.values[cell] = isCyclic ? circularDifference(a, b, now->high - now->low) : difference(a, b);
    }
    return matrix;
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
            fmt::format("No difference to show: {} has no picture here. {}", isPinned ? "A" : "B",
                        isPinned ? pinned.emptyState : figure.emptyState);
        figure.panels.clear();
        return figure;
    }
    for (Panel& panel : figure.panels) {
        const Panel* partner = findBy(pinned.panels, &Panel::id, panel.id);
        ComparedPanel compared =
            partner != nullptr ? subtractPanels(*partner, panel)
                               : ComparedPanel{panelWithSentence(panel, "Not compared: A has no such panel."),
                                               {panelPrefix(panel) + "not compared: A has no such panel."}};
        panel = std::move(compared.panel);
        figure.notes.insert(figure.notes.end(), compared.notes.begin(), compared.notes.end());
    }
    noteMissing(figure, pinned);
    return figure;
}

}  // namespace

Figure compareFigures(const Figure& pinned, Figure live, CompareMode mode) {
    const bool isPartial = pinned.isPartial || live.isPartial;
    Figure figure = mode == CompareMode::live     ? overlaidFigure(pinned, std::move(live))
                    : mode == CompareMode::pinned ? pinnedFigure(pinned, live)
                                                  : differenceFigure(pinned, std::move(live));
    figure.isPartial = isPartial;
    return figure;
}

void nameCompared(Figure& figure, const Scene& pinned, const Scene& live, CompareMode mode) {
    const ComparedSettings settings = comparedSettings(pinned, live);
    const std::string both = fmt::format("A: {} · B: {}", settings.pinned, settings.live);
    Readout readout{std::string(comparedReadout), "A and B", both, "", std::nullopt, "", Tone::neutral};
    if (mode == CompareMode::difference) {
        readout.chip = "Δ = B − A · " + both;
        figure.title += fmt::format(": Δ = B − A ({})", both);
    } else if (mode == CompareMode::pinned) {
        readout.chip = fmt::format("A, pinned: {} · B: {}", settings.pinned, settings.live);
        figure.title += fmt::format(": A ({})", settings.pinned);
    } else {
        readout.chip = fmt::format("B, live: {} · A: {}", settings.live, settings.pinned);
        const bool showsBoth =
            std::ranges::any_of(figure.panels, [](const Panel& panel) { return !hasMap(panel); });
        figure.title +=
            showsBoth ? fmt::format(": A and B ({})", both) : fmt::format(": B ({})", settings.live);
    }
    figure.readouts.insert(figure.readouts.begin(), std::move(readout));
}

}  // namespace phaseladder
