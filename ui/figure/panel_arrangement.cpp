#include "ui/figure/panel_arrangement.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "ui/figure/bar_layout.h"
#include "ui/figure/clock_layout.h"
#include "ui/figure/curve_samples.h"
#include "ui/figure/legend_layout.h"

namespace phaseladder::ui {
namespace {

// All lengths in sizes of the tick labels.
constexpr double labelsBeside = 5.5, borderBeside = 1.2, colorBarBeside = 2.8, digitWidth = 0.57;
constexpr double labelsBelow = 3.3, labelsAbove = 0.7, titleAbove = 1.6, bareBorder = 0.6;
constexpr double lineOfText = 1.75, legendLine = 1.3, slantedLetter = 0.42;
constexpr double turnedLetter = 0.7;                       // across a page, in letters of any size
constexpr double shownLetters = 12.0, usualLetters = 4.0;  // of names on screen; in labelsBeside
constexpr double leastBeside = 24.0;     // width of a panel on paper that stands beside another
constexpr double leastComfort = 0.3;     // below it a plot is a smudge
constexpr double stackPreference = 1.1;  // how much better another arrangement must be
constexpr std::size_t mostPanels = 6, mostInRow = 3;
constexpr double goldenRatio = 0.618, furtherPanel = 0.8;  // height of a panel without a shape of its own

/// What a panel needs around its plot, and the plot that is comfortable to read.
struct PanelNeeds {
    double across = 0.0, down = 0.0;  ///< around the plot
    double width = 0.0, height = 0.0;
    double ratio = 0.0;   ///< width / height that the plot keeps; 0: any
    double weight = 1.0;  ///< share of the height
    double lines = 0.0;   ///< of words; 0: no panel of words
};

std::size_t barCount(const Panel& panel) {
    std::size_t count = 0;
    for (const Layer& layer : panel.layers) {
        const auto* bars = std::get_if<Bars>(&layer);
        count += bars == nullptr ? 0 : bars->x.size();
    }
    return count;
}

/// Panels with one x axis belong below each other.
bool haveSameX(const Panel& upper, const Panel& lower) {
    return upper.x.meaning != AxisMeaning::none && upper.x.meaning == lower.x.meaning &&
           upper.x.title == lower.x.title && lower.axesShown;
}

/// Bytes of the longest name on an axis, at most `limit`; 0 on an axis of numbers.
double mostLetters(const Axis& axis, double limit) {
    std::size_t letters = 0;
    for (const std::string& label : axis.labels) {
        letters = std::max(letters, label.size());
    }
    return std::min(static_cast<double>(letters), limit);
}

/// A small step between the labels of a colour bar needs many decimals.
double colorBarWidth(const Heatmap& map) {
    constexpr double steps = 4.0, mostDecimals = 5.0;
    const double step = (map.high - map.low) / steps;
    const double decimals = step > 0.0 ? std::clamp(std::ceil(-std::log10(step)), 0.0, mostDecimals) : 0.0;
    return colorBarBeside + digitWidth * (2.0 + decimals + (map.low < 0.0 ? 1.0 : 0.0));
}

bool holdsWordsOnly(const Panel& panel) {
    return !panel.axesShown && std::ranges::all_of(panel.layers, [](const Layer& layer) {
        return std::holds_alternative<Text>(layer);
    });
}

PanelNeeds needsOf(const Panel& panel, double textSize) {
    PanelNeeds needs;
    const bool isMap = mapOf(panel) != nullptr;
    const double title = panel.title.empty() ? 0.0 : titleAbove;
    const double legend = legendLine * static_cast<double>(legendEntries(panel).size());
    const double columns = panel.x.maximum - panel.x.minimum, rows = panel.y.maximum - panel.y.minimum;
    if (holdsWordsOnly(panel)) {
        needs = {2.0 * bareBorder, title + bareBorder, 26.0, lineOfText * rows, 0.0, 1.0, rows};
    } else if (!panel.axesShown) {
        constexpr double dial = 3.0;
        needs = {2.0 * bareBorder + (isMap ? colorBarWidth(*mapOf(panel)) : 0.0),
                 title + legendLine + 2.0 * bareBorder, dial * columns, dial * rows};
    } else {
        needs = {labelsBeside + (isMap ? colorBarWidth(*mapOf(panel)) : borderBeside),
                 labelsBelow + labelsAbove + title, 22.0, 10.0};
        needs.down += slantedLetter * mostLetters(panel.x, shownLetters);
        needs.across += std::max(0.0, digitWidth * (mostLetters(panel.y, shownLetters) - usualLetters));
        if (isMap) {
            needs.weight = 1.3;
            needs.width = 18.0;
        }
        if (hasBars(panel)) {
            needs.width = std::clamp(1.8 * static_cast<double>(barCount(panel)), 10.0, 30.0);
            needs.down += legend;
        }
    }
    if (panel.squareCells) {
        needs.ratio = columns / rows;
        if (panel.axesShown) {
            needs.height = 15.0;
            needs.width = needs.ratio * needs.height;
        }
    }
    for (double* length : {&needs.across, &needs.down, &needs.width, &needs.height}) {
        *length *= textSize;
    }
    return needs;
}

/// Height of a panel of this width that keeps its shape; infinite where any does.
double mostHeight(const PanelNeeds& needs, double width) {
    if (needs.lines > 0.0) {
        return needs.height + needs.down;
    }
    return needs.ratio > 0.0 ? std::max(0.0, width - needs.across) / needs.ratio + needs.down
                             : std::numeric_limits<double>::infinity();
}

/// Width that suits a panel of this height.
double wantedWidth(const PanelNeeds& needs, double height) {
    const double plot = std::max(0.0, height - needs.down);
    return needs.across + (needs.ratio > 0.0 ? needs.ratio * plot : std::max(needs.width, 1.4 * plot));
}

/// A break after panel i where bit i is set.
std::vector<ArrangedRow> rowsOf(const std::vector<std::size_t>& shown, unsigned breaks) {
    std::vector<ArrangedRow> rows(1);
    for (std::size_t index = 0; index < shown.size(); ++index) {
        rows.back().panels.push_back(shown[index]);
        if (index + 1 < shown.size() && (breaks >> index & 1U) != 0) {
            rows.emplace_back();
        }
    }
    return rows;
}

std::vector<std::size_t> allOf(std::span<const Panel> panels) {
    std::vector<std::size_t> all(panels.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return all;
}

bool isAllowed(const std::vector<ArrangedRow>& rows, std::span<const Panel> panels) {
    return std::ranges::all_of(rows, [&](const ArrangedRow& row) {
        for (std::size_t at = 0; at + 1 < row.panels.size(); ++at) {
            if (haveSameX(panels[row.panels[at]], panels[row.panels[at + 1]])) {
                return false;
            }
        }
        const bool hasText =
            std::ranges::any_of(row.panels, [&](std::size_t panel) { return holdsWordsOnly(panels[panel]); });
        return row.panels.size() == 1 || (!hasText && row.panels.size() <= mostInRow);
    });
}

void shareWidths(std::vector<ArrangedRow>& rows, const std::vector<PanelNeeds>& needs, double width) {
    for (ArrangedRow& row : rows) {
        double wanted = 0.0, flexible = 0.0, around = 0.0, comfortable = 0.0;
        row.widths.clear();
        for (const std::size_t panel : row.panels) {
            const double own = wantedWidth(needs[panel], row.height);
            row.widths.push_back(own);
            wanted += own;
            around += needs[panel].across;
            comfortable += needs[panel].width;
            flexible += needs[panel].ratio > 0.0 ? 0.0 : own;
        }
        const double rest = width - wanted;
        for (std::size_t at = 0; at < row.panels.size(); ++at) {
            const bool isFlexible = needs[row.panels[at]].ratio == 0.0;
            if (rest < 0.0 && width > around) {  // as comfortable as each other
                const PanelNeeds& own = needs[row.panels[at]];
                row.widths[at] = own.across + own.width * (width - around) / comfortable;
            } else if (rest < 0.0 || flexible == 0.0) {
                row.widths[at] *= width / wanted;
            } else if (isFlexible) {
                row.widths[at] += rest * row.widths[at] / flexible;
            }
        }
    }
}

/// Rows of words take what they need, maps no more than their width lets them use; the others share the rest.
void shareHeights(std::vector<ArrangedRow>& rows, const std::vector<PanelNeeds>& needs, double height) {
    std::vector<double> most, weights;
    for (const ArrangedRow& row : rows) {
        most.push_back(0.0);
        weights.push_back(0.0);
        for (std::size_t at = 0; at < row.panels.size(); ++at) {
            const PanelNeeds& own = needs[row.panels[at]];
            most.back() = std::max(most.back(), mostHeight(own, row.widths[at]));
            weights.back() = std::max(weights.back(), own.weight);
        }
    }
    std::vector<bool> isFull(rows.size(), false);
    double left = height, open = 0.0;
    for (bool hasChanged = true; hasChanged;) {
        hasChanged = false;
        left = height;
        open = 0.0;
        for (std::size_t row = 0; row < rows.size(); ++row) {
            left -= isFull[row] ? most[row] : 0.0;
            open += isFull[row] ? 0.0 : weights[row];
        }
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (!isFull[row] && left * weights[row] > most[row] * open) {
                isFull[row] = hasChanged = true;
            }
        }
    }
    for (std::size_t row = 0; row < rows.size(); ++row) {
        rows[row].height = isFull[row] ? most[row] : left * weights[row] / open;
        if (open == 0.0) {
            rows[row].height += left / static_cast<double>(rows.size());
        }
        double down = 0.0;
        for (const std::size_t panel : rows[row].panels) {
            down = std::max(down, needs[panel].down);
        }
        rows[row].isFixed = rows.size() > 1 && needs[rows[row].panels.front()].lines > 0.0;
        rows[row].plotHeight = rows[row].isFixed ? needs[rows[row].panels.front()].height
                                                 : std::max(1.0, rows[row].height - down);
    }
}

/// How much of the plot that is comfortable a panel gets, at most twice as much.
double comfortOf(const PanelNeeds& needs, double cellWidth, double cellHeight) {
    double width = std::max(1.0, cellWidth - needs.across);
    double height = std::max(1.0, cellHeight - needs.down);
    if (needs.ratio > 0.0) {
        width = std::min(width, needs.ratio * height);
        height = width / needs.ratio;
    }
    return std::min({2.0, width / needs.width, height / needs.height});
}

/// Height of names of tokens that have to be turned to stand under a panel.
double turnedNames(const Panel& panel, double width, double textSize) {
    constexpr double longest = 20.0;  // letters; more are cut
    const double name = turnedLetter * textSize * mostLetters(panel.x, longest);
    const double cells = panel.x.maximum - panel.x.minimum;
    return name * cells < width - labelsBeside * textSize
               ? 0.0
               : std::max(0.0, name - slantedLetter * textSize * mostLetters(panel.x, shownLetters));
}

/// Smaller is better: what is too small to read counts most.
struct Judgement {
    double discomfort = 0.0;
    double leastComfort = 2.0;
};

Judgement judge(const std::vector<ArrangedRow>& rows, const std::vector<PanelNeeds>& needs) {
    Judgement judgement;
    for (const ArrangedRow& row : rows) {
        for (std::size_t at = 0; at < row.panels.size(); ++at) {
            const double comfort = comfortOf(needs[row.panels[at]], row.widths[at], row.height);
            judgement.discomfort += 1.0 / (comfort * comfort);
            judgement.leastComfort = std::min(judgement.leastComfort, comfort);
        }
    }
    return judgement;
}

/// All ways to break the panels into rows; below each other where there are very many.
std::vector<std::vector<ArrangedRow>> arrangements(std::span<const Panel> panels,
                                                   const std::vector<std::size_t>& shown) {
    std::vector<std::vector<ArrangedRow>> all;
    const std::size_t gaps = shown.empty() ? 0 : shown.size() - 1;
    if (gaps < mostPanels) {
        for (unsigned breaks = 0; breaks < 1U << gaps; ++breaks) {
            if (std::vector<ArrangedRow> rows = rowsOf(shown, breaks); isAllowed(rows, panels)) {
                all.push_back(std::move(rows));
            }
        }
    } else {
        all.push_back(rowsOf(shown, ~0U));
    }
    return all;
}

std::vector<PanelNeeds> needsOf(std::span<const Panel> panels, double textSize) {
    std::vector<PanelNeeds> needs;
    for (std::size_t index = 0; index < panels.size(); ++index) {
        needs.push_back(needsOf(panels[index], textSize));
        if (index + 1 < panels.size() && haveSameX(panels[index], panels[index + 1])) {
            needs.back().down -= (labelsBelow - labelsAbove) * textSize;
        }
    }
    return needs;
}

}  // namespace

bool repeatsX(std::span<const Panel> panels, const ArrangedRow& upper, const ArrangedRow& lower) {
    return upper.panels.size() == 1 && lower.panels.size() == 1 &&
           haveSameX(panels[upper.panels.front()], panels[lower.panels.front()]);
}

Arrangement arrangePanels(std::span<const Panel> panels, const std::vector<std::size_t>& shown,
                          const QSizeF& room, double textSize) {
    const std::vector<PanelNeeds> needs = needsOf(panels, textSize);
    Arrangement best;
    double least = std::numeric_limits<double>::infinity();
    for (std::vector<ArrangedRow>& rows : arrangements(panels, shown)) {
        for (ArrangedRow& row : rows) {
            row.height = room.height() / static_cast<double>(rows.size());
        }
        for (int round = 0; round < 3; ++round) {
            shareWidths(rows, needs, room.width());
            shareHeights(rows, needs, room.height());
        }
        const Judgement own = judge(rows, needs);
        const double discomfort = own.discomfort * (rows.size() == shown.size() ? 1.0 : stackPreference);
        if (discomfort < least) {
            least = discomfort;
            best = {std::move(rows), own.leastComfort};
        }
    }
    return best;
}

Arrangement arrangePanels(std::span<const Panel> panels, const QSizeF& room, double textSize) {
    return arrangePanels(panels, allOf(panels), room, textSize);
}

Arrangement arrangeReadablePanels(std::span<const Panel> panels, const QSizeF& room, double textSize,
                                  double noteHeight) {
    std::vector<std::size_t> shown = allOf(panels);
    Arrangement arrangement = arrangePanels(panels, shown, room, textSize);
    const QSizeF less(room.width(), room.height() - noteHeight);
    const auto isTooSmall = [&] { return shown.size() > 1 && arrangement.comfort < leastComfort; };
    const auto isOfWords = [&](std::size_t panel) { return holdsWordsOnly(panels[panel]); };
    if (isTooSmall() && !std::ranges::all_of(shown, isOfWords)) {
        std::erase_if(shown, isOfWords);
        arrangement = arrangePanels(panels, shown, less, textSize);
    }
    while (isTooSmall()) {
        shown.pop_back();
        arrangement = arrangePanels(panels, shown, less, textSize);
    }
    return arrangement;
}

double naturalHeight(std::span<const Panel> panels, double width, double textSize) {
    const std::vector<PanelNeeds> needs = needsOf(panels, textSize);
    double least = std::numeric_limits<double>::infinity();
    for (const std::vector<ArrangedRow>& rows : arrangements(panels, allOf(panels))) {
        double sum = 0.0;
        for (const ArrangedRow& row : rows) {
            const double own = width / static_cast<double>(row.panels.size());
            if (row.panels.size() > 1 && own < leastBeside * textSize) {
                sum = std::numeric_limits<double>::infinity();
            }
            double height = 0.0;
            for (const std::size_t panel : row.panels) {
                const PanelNeeds& its = needs[panel];
                const double flat = (panel == 0 ? goldenRatio : furtherPanel * goldenRatio) * own;
                const double readable = std::max(flat, its.down + its.height);
                height = std::max(height, std::min(readable, mostHeight(its, own)) +
                                              turnedNames(panels[panel], own, textSize));
            }
            sum += height;
        }
        least = std::min(least, sum);
    }
    return panels.empty() ? goldenRatio * width : least;
}

}  // namespace phaseladder::ui
