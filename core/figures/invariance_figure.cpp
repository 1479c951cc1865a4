#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/attention/permutations.h"
#include "core/engine.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/order_reason.h"
#include "core/figures/token_map.h"
#include "core/index.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

/// Above this many orders the bars stand on a log axis.
constexpr std::int64_t mostLinearOrders = 24;

struct Findings {
    std::vector<int> order;  ///< the present one
    std::vector<int> rows;   ///< token of each row: the present order, or the text's own
    OrderDifferences differences;
    std::optional<OrderCounts> counts;  ///< not counted yet: nothing

    [[nodiscard]] double largest() const { return std::ranges::max(differences.largest); }
    [[nodiscard]] const std::vector<std::int64_t>& distinct() const { return counts->distinct; }
};

/// n! in words, however large.
std::string totalText(int tokens) {
    if (tokens <= 20) {
        return formatGrouped(orderCount(tokens));
    }
    const double digits = std::lgamma(tokens + 1.0) / std::log(10.0);
    const double whole = std::floor(digits);
    return fmt::format("{:.1f}·10^{:.0f}", std::pow(10.0, digits - whole), whole);
}

/// Over what the largest difference was looked for.
std::string differencesText(const OrderSweep& sweep, const Findings& found) {
    if (found.differences.isExact) {
        return "over all orders";
    }
    return found.differences.looked == sweep.orders()
               ? "over the sampled orders"
               : fmt::format("over {} of {} orders", groupedNumber(found.differences.looked),
                             groupedNumber(sweep.orders()));
}

/// Over what the states of the token held last were counted.
std::string heldText(const OrderCounts& counts) {
    return counts.isHeldSampled
               ? fmt::format("over {} of the others", countOf(counts.heldOrders, "sampled order"))
           : counts.heldOrders == 1
               ? "over the one order of the others"
               : fmt::format("over all {} of the others", countOf(counts.heldOrders, "order"));
}

Axis rowAxis(const Scene& scene, const Findings& found) {
    const std::vector<std::string> labels = tokenLabels(scene);
    Axis axis;
    axis.meaning = AxisMeaning::queryToken;
    axis.title = scene.view.by == ViewBy::token ? "token" : "token, in the present order";
    axis.minimum = -0.5;
    axis.maximum = static_cast<double>(found.rows.size()) - 0.5;
    axis.wholeNumbers = true;
    for (const int token : found.rows) {
        axis.labels.push_back(labels[index(token)]);
    }
    axis.choice = tokenChoice(scene, axis.meaning, found.rows);
    return axis;
}

Panel countPanel(const Scene& scene, const OrderSweep& sweep, const Findings& found) {
    Panel panel;
    panel.id = "distinct_states";
    panel.title = fmt::format("distinct states, {}",
                              countOf(sweep.orders(), sweep.isSampled() ? "sampled order" : "order"));
    panel.x = rowAxis(scene, found);
    panel.y.meaning = AxisMeaning::value;
    panel.y.title = "hidden states";
    panel.y.wholeNumbers = true;
    const auto orders = static_cast<double>(sweep.orders());
    if (sweep.orders() > mostLinearOrders) {
        panel.y.scale = AxisScale::log10;
        panel.y.minimum = 0.5;
        panel.y.maximum = 4.0 * orders;
    } else {
        panel.y.minimum = 0.0;
        panel.y.maximum = 1.25 * orders;
    }
    Bars bars;
    bars.label = sweep.isSampled() ? "over the sampled orders" : "over all orders";
    bars.x = indices(found.rows.size());
    bars.writeValues = true;
    for (const int token : found.rows) {
        bars.y.push_back(found.counts ? static_cast<double>(found.distinct()[index(token)]) : noValue);
    }
    panel.layers.push_back(std::move(bars));
    if (found.counts) {
        Points held;
        held.label = fmt::format(
            "held last ({})",
            countOf(found.counts->heldOrders, found.counts->isHeldSampled ? "sampled order" : "order"));
        held.role = Role::category2;
        constexpr double besideTheNumber = 0.28;  // of the bar
        held.x = {
            static_cast<double>(std::ranges::find(found.rows, found.order.back()) - found.rows.begin()) +
            besideTheNumber};
        held.y = {static_cast<double>(found.counts->heldLast)};
        panel.layers.push_back(std::move(held));
    } else {
        panel.layers.push_back(
            Text{fmt::format("counting {} …", countOf(sweep.statesToCount(), "hidden state")), Role::muted,
                 0.5 * (panel.x.minimum + panel.x.maximum),
                 panel.y.scale == AxisScale::log10 ? std::sqrt(orders) : 0.5 * orders});
    }
    return panel;
}

Panel changePanel(const Scene& scene, const OrderSweep& sweep, const Findings& found) {
    const RowMatrix& changes = found.differences.shownLargest;
    const auto columns = static_cast<double>(changes.cols());
    const double step = static_cast<double>(sweep.orders()) / columns;
    Panel panel;
    panel.id = "changes";
    panel.title = step > 1.0 ? fmt::format("|Δh| against the present order, {} of {} orders",
                                           groupedNumber(changes.cols()), groupedNumber(sweep.orders()))
                             : "|Δh| against the present order";
    panel.x.meaning = AxisMeaning::order;
    panel.x.title = sweep.isSampled() ? "order (place in the sample)" : "order (place among all n!)";
    panel.x.wholeNumbers = true;
    panel.x.minimum = 1.0 - 0.5 * step;  // people count orders from 1
    panel.x.maximum = 1.0 + (columns - 0.5) * step;
    panel.y = rowAxis(scene, found);
    panel.y.title = "token";
    panel.y.reversed = true;
    Heatmap map;
    map.rows = changes.rows();
    map.columns = changes.cols();
    map.columnStart = panel.x.minimum;
    map.columnStep = step;
    map.valueTitle = "|Δh|";
    for (const int token : found.rows) {
        for (Eigen::Index column = 0; column < changes.cols(); ++column) {
            map.values.push_back(changes(token, column));
        }
    }
    // Rounding must not look like a pattern: where nothing differs, the colours end at the largest component.
    const double most = changes.maxCoeff();
    map.high = most > sweep.tolerance() ? most : sweep.tolerance() / stateTolerance;
    panel.layers.push_back(std::move(map));
    if (!sweep.isSampled()) {
        panel.layers.push_back(
            Rule{"", Role::live, Orientation::vertical, static_cast<double>(orderRank(found.order) + 1), ""});
    }
    return panel;
}

void addReadouts(Figure& figure, const OrderSweep& sweep, const Findings& found) {
    const double largest = found.largest();
    const bool isBlind = largest <= sweep.tolerance();
    const std::string over = differencesText(sweep, found);
    figure.readouts.push_back(
        Readout{"largest_difference",
                fmt::format("largest |Δh| of a token between the present order and any other, {}", over),
                largest, "", sweep.tolerance(),
                fmt::format("{}{} · |Δh| {}{}", isBlind ? "order-blind" : "order-aware",
                            isBlind && !found.differences.isExact ? " " + over : "",
                            isBlind || found.differences.isExact ? "" : "≥ ", formatForPeople(largest, 2)),
                isBlind ? Tone::good : Tone::warning});
    figure.readouts.push_back(Readout{"verdict", fmt::format("hidden states {}", over),
                                      isBlind ? "order-blind" : "order-aware", "", sweep.tolerance(), "",
                                      Tone::neutral});
    figure.readouts.push_back(Readout{"orders", sweep.isSampled() ? "orders in the sample" : "orders",
                                      static_cast<double>(sweep.orders()), "", std::nullopt,
                                      countOf(sweep.orders(), sweep.isSampled() ? "sampled order" : "order"),
                                      Tone::neutral});
    if (found.counts) {
        const auto [least, most] = std::ranges::minmax(found.distinct());
        figure.readouts.push_back(Readout{"distinct_states_min", "fewest distinct hidden states of a token",
                                          static_cast<double>(least), "", sweep.tolerance(), "",
                                          Tone::neutral});
        figure.readouts.push_back(Readout{
            "distinct_states_max", "most distinct hidden states of a token", static_cast<double>(most), "",
            sweep.tolerance(),
            least == most
                ? countOf(most, "distinct state") + " a token"
                : fmt::format("{} to {} distinct states a token", groupedNumber(least), groupedNumber(most)),
            Tone::neutral});
        figure.readouts.push_back(Readout{
            "distinct_states_last_held",
            "distinct hidden states of the last token while it is held last, " + heldText(*found.counts),
            static_cast<double>(found.counts->heldLast), "", sweep.tolerance(),
            fmt::format("held last{}: {}", found.counts->isHeldSampled ? " (sample)" : "",
                        groupedNumber(found.counts->heldLast)),
            Tone::neutral});
    }
    if (found.differences.largestWeight) {
        figure.readouts.push_back(
            Readout{"largest_weight_difference", fmt::format("largest |Δ| of a weight {}", over),
                    *found.differences.largestWeight, "", std::nullopt, "", Tone::neutral});
    }
}

void addNotes(Figure& figure, const Scene& scene, const OrderSweep& sweep, const Findings& found) {
    if (sweep.isSampled()) {
        const std::string limit =
            scene.layers == 1
                ? fmt::format("the limit is {}", sweep.mostTokens())
                : fmt::format("with {} layers, {} and {} channels the limit is {}", scene.layers,
                              countOf(scene.heads, "head"), scene.headDim, sweep.mostTokens());
        figure.notes.push_back(fmt::format("All orders of {} tokens are {}; {}. Sampled: {} orders, seed {}.",
                                           sweep.tokens(), totalText(sweep.tokens()), limit,
                                           formatGrouped(sweep.orders()), scene.seed));
        figure.notes.push_back(found.differences.isExact
                                   ? "The largest difference is of all orders, the counts are of the sample."
                                   : "The largest difference and the counts are of the sample.");
        if (found.counts && !found.counts->isHeldSampled) {
            figure.notes.push_back(
                fmt::format("The count while a token is held last is {}.", heldText(*found.counts)));
        }
    }
    if (!found.differences.isExact && found.differences.looked < sweep.orders()) {
        figure.notes.push_back(
            fmt::format("The largest difference is a preview, {}.", differencesText(sweep, found)));
    }
    std::vector<std::string> words = scene.tokens;
    std::ranges::sort(words);
    if (std::ranges::adjacent_find(words) != words.end()) {
        figure.notes.push_back("Equal words are different tokens here; their states may be equal.");
    }
}

void addTable(Figure& figure, const Findings& found) {
    const std::vector<int> positions = inverseOrder(found.order);
    TableColumn token{"token", indices(positions.size())};
    TableColumn position{"position", {positions.begin(), positions.end()}};
    TableColumn change{"largest_difference", found.differences.largest};
    figure.table = {std::move(token), std::move(position), std::move(change)};
    if (found.counts) {
        figure.table.push_back({"distinct_states", {found.distinct().begin(), found.distinct().end()}});
    }
    const RowMatrix& changes = found.differences.shownLargest;
    figure.matrix = Matrix{changes.rows(), changes.cols(), {changes.data(), changes.data() + changes.size()}};
}

Result<Figure> makeInvariance(const Scene& scene, const FigureRequest& request, Engine& engine,
                              std::stop_token stop) {
    Figure figure;
    const Result<EncodingPlan> plan = makePlan(scene, sequenceLength(scene));
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const auto made = engine.orderSweep(scene, stop);
    if (!made) {
        return tl::unexpected(made.error());
    }
    OrderSweep& sweep = **made;
    Findings found;
    found.order = scene.order.empty() ? identityOrder(sweep.tokens()) : scene.order.values();
    found.rows = scene.view.by == ViewBy::token ? identityOrder(sweep.tokens()) : found.order;
    if (request.effort == Effort::quick && !sweep.countsQuickly(found.order)) {
        figure.isPartial = true;
    } else {
        Result<OrderCounts> counts = sweep.counts(found.order, engine.progress(), stop);
        if (!counts) {
            return tl::unexpected(counts.error());
        }
        found.counts = *std::move(counts);
    }
    // After the counts: those who go through all orders find the largest difference on the way.
    Result<OrderDifferences> differences = sweep.differences(found.order, stop);
    if (!differences) {
        return tl::unexpected(differences.error());
    }
    found.differences = *std::move(differences);
    figure.panels = {countPanel(scene, sweep, found), changePanel(scene, sweep, found)};
    addReadouts(figure, sweep, found);
    figure.notes.push_back(orderReason(scene, *plan, sweep, found.largest() <= sweep.tolerance()));
    addNotes(figure, scene, sweep, found);
    addTable(figure, found);
    return figure;
}

}  // namespace

FigureKind invarianceFigureKind() {
    return {.id = "invariance",
            .label = "All orders",
            .help =
                "Every order of the tokens (of many a sample): how many hidden states each token can have, "
                "and how far the orders lie apart.",
            .make = makeInvariance,
            .emptyState = orderSweepRefusal,
            .followsOrder = true,
            .growsFast = true};
}

}  // namespace phaseladder
