#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/attention/pair_scorer.h"
#include "core/attention/permutations.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/token_map.h"
#include "core/figures/viewed_cell.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

constexpr double sumTolerance = 1e-12;

/// What is added to the pairs' share, with its name; only what is not zero.
std::vector<std::pair<std::string, double>> furtherParts(const LogitParts& parts) {
    std::vector<std::pair<std::string, double>> further;
    for (const auto& [name, value] :
         {std::pair("channels without position", parts.passThrough),
          std::pair("relative vector", parts.relative), std::pair("bias", parts.bias)}) {
        if (value != 0.0) {
            further.emplace_back(name, value);
        }
    }
    return further;
}

/// 0, the first part, the first two .. all.
std::vector<double> cumulated(const std::vector<double>& parts) {
    std::vector<double> sums(parts.size());
    std::partial_sum(parts.begin(), parts.end(), sums.begin());
    return sums;
}

/// A range around 0 and all values, with a little room.
void fitY(Axis& axis, const std::vector<double>& values) {
    double low = 0.0, high = 0.0;
    for (const double value : values) {
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    }
    const double reach = std::max({high, -low, 1e-9});
    axis.minimum = low - 0.05 * reach;
    axis.maximum = high + 0.05 * reach;
}

Axis partsAxis(std::size_t pairs) {
    Axis axis = pairAxis(pairs);
    axis.minimum = -0.5;
    axis.maximum = static_cast<double>(pairs) - 0.5;
    return axis;
}

Panel sharePanel(const std::vector<double>& pairs) {
    Panel panel;
    panel.id = "share";
    panel.title = "Share of each pair";
    panel.x = partsAxis(pairs.size());
    panel.y.title = "part of the logit";
    fitY(panel.y, pairs);
    panel.layers.push_back(Bars{.label = "", .x = indices(pairs.size()), .y = pairs});
    return panel;
}

Panel sumPanel(const std::vector<double>& pairs, double further, double logit) {
    std::vector<double> sums = cumulated(pairs);
    Panel panel;
    panel.id = "sum";
    panel.title = "Summed from the fastest pair on";
    panel.x = partsAxis(pairs.size());
    panel.y.title = "sum so far";
    std::vector<double> all = sums;
    all.push_back(logit);
    fitY(panel.y, all);
    panel.layers.push_back(Curve{"", Role::live, indices(pairs.size()), sums});
    panel.layers.push_back(Rule{further == 0.0 ? "logit" : "logit, with the rest", Role::trained,
                                Orientation::horizontal, logit, ""});
    return panel;
}

std::string emptyState(const Scene& scene) {
    return scene.tokens.empty() ? tokensWanted(scene) : viewedCellRefusal(scene);
}

Result<Figure> makePairContribution(const Scene& scene, const FigureRequest&, Engine&, std::stop_token stop) {
    Figure figure;
    const Result<ViewedCell> cell = viewedCell(scene, stop);
    if (!cell) {
        return tl::unexpected(cell.error());
    }
    if (!cell->warning.empty()) {
        figure.warnings.push_back(cell->warning);
    }
    const LogitParts& parts = cell->parts;
    const auto further = furtherParts(parts);
    double rest = 0.0;
    for (const auto& [name, value] : further) {
        rest += value;
    }
    figure.panels.push_back(sharePanel(parts.pairs));
    figure.panels.push_back(sumPanel(parts.pairs, rest, cell->logit));
    figure.readouts.push_back(Readout{"logit", "logit", cell->logit, "", std::nullopt,
                                      cell->words + ": logit " + formatForPeople(cell->logit, 4),
                                      Tone::neutral});
    for (const auto& [name, value] : further) {
        figure.readouts.push_back(Readout{"part", name, value, "", std::nullopt,
                                          name + " " + formatForPeople(value, 3), Tone::neutral});
    }
    const double error = std::abs(parts.sum() - cell->logit);
    const double tolerance = sumTolerance * std::max(1.0, std::abs(cell->logit));
    figure.readouts.push_back(Readout{"sum_error", "|sum of the parts − logit|", error, "", tolerance,
                                      error <= tolerance ? "parts sum to it" : "parts miss it",
                                      error <= tolerance ? Tone::good : Tone::warning});
    if (scene.layers > 1) {
        figure.notes.push_back("Of the first layer.");
    }
    figure.table = {{"pair", indices(parts.pairs.size())},
                    {"contribution", parts.pairs},
                    {"cumulated", cumulated(parts.pairs)}};
    return figure;
}

}  // namespace

FigureKind pairContributionFigureKind() {
    return {.id = "pair-contribution",
            .label = "Pair contribution",
            .help = "The logit of one query and one key split by frequency pair, and summed up.",
            .make = makePairContribution,
            .emptyState = emptyState,
            .followsOrder = true};
}

}  // namespace phaseladder
