#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "core/attention/captured.h"
#include "core/attention/permutations.h"
#include "core/attention/problem.h"
#include "core/engine.h"
#include "core/figures/color_range.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/order_comparison.h"
#include "core/figures/token_map.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

/// Longest text that is compared under two orders, and the most tokens whose terms and weights are shown.
constexpr std::int64_t mostComparedTokens = 1024;
constexpr std::size_t mostTerms = 5;
constexpr std::size_t mostBars = 64;

/// Bytes of a line of the sum.
constexpr std::size_t lineLength = 54;

/// The chosen token's row of the attention map and all hidden states, under one order.
struct OrderView {
    Scene scene;
    std::string name;  ///< "present order"
    std::shared_ptr<const AttentionResult> states, row;
    std::int64_t position = 0;  ///< where the chosen token stands

    [[nodiscard]] bool isMasked(std::int64_t key) const {
        return row->masked[static_cast<std::size_t>(key)] != 0;
    }
    [[nodiscard]] double weight(std::int64_t key) const { return row->map[static_cast<std::size_t>(key)]; }
    [[nodiscard]] auto hidden() const { return states->hiddenStates.row(position); }
};

Result<OrderView> viewOf(const Scene& scene, std::string name, Engine& engine, std::stop_token stop) {
    OrderView view{scene, std::move(name), nullptr, nullptr, positionOfToken(scene, viewedToken(scene))};
    const std::int64_t tokens = sequenceLength(scene);
    const MapRequest request{
        {view.position, view.position + 1, 0, tokens}, 1, tokens, Pooling::mean, ViewValues::weights};
    for (const MapRequest* map : {static_cast<const MapRequest*>(nullptr), &request}) {
        const auto result = engine.attention(scene, map, map == nullptr, stop);
        if (!result) {
            return tl::unexpected(result.error());
        }
        (map == nullptr ? view.states : view.row) = *result;
    }
    return view;
}

std::string numberText(double value) {
    return fmt::format("{}{:.2f}", value < 0.0 ? "−" : "", std::abs(value));
}

/// Keys whose terms are written: those that are seen, in their order; of many the heaviest.
std::vector<std::int64_t> writtenKeys(const OrderView& view) {
    std::vector<std::int64_t> keys;
    for (std::int64_t key = 0; key < sequenceLength(view.scene); ++key) {
        if (!view.isMasked(key)) {
            keys.push_back(key);
        }
    }
    if (keys.size() > mostTerms) {
        std::ranges::stable_sort(keys, std::ranges::greater{},
                                 [&](std::int64_t key) { return view.weight(key); });
        keys.resize(mostTerms);
        std::ranges::sort(keys);
    }
    return keys;
}

/// "h_man = 0.31·v_dog + 0.25·v_bites + 0.44·v_man", in lines that fit a column of a paper.
std::vector<std::string> sumLines(const OrderView& view, const char* symbol) {
    const std::vector<std::string> labels = tokenLabels(view.scene);
    const auto labelAt = [&](std::int64_t position) {
        return labels[static_cast<std::size_t>(tokenAtPosition(view.scene, position))];
    };
    const std::vector<std::int64_t> keys = writtenKeys(view);
    std::int64_t seen = 0;
    for (std::int64_t key = 0; key < sequenceLength(view.scene); ++key) {
        seen += view.isMasked(key) ? 0 : 1;
    }
    std::vector<std::string> terms;
    for (const std::int64_t key : keys) {
        terms.push_back(fmt::format("{}·v_{}", numberText(view.weight(key)), labelAt(key)));
    }
    if (const std::int64_t left = seen - static_cast<std::int64_t>(keys.size()); left > 0) {
        terms.push_back(countOf(left, "lighter term"));
    }
    std::vector<std::string> lines;
    std::string line = fmt::format("{}_{} =", symbol, labelAt(view.position));
    for (std::size_t term = 0; term < terms.size(); ++term) {
        const std::string next = (term == 0 ? " " : " + ") + terms[term];
        if (term > 0 && line.size() + next.size() > lineLength) {
            lines.push_back(std::move(line));
            line = "   ";
        }
        line += next;
    }
    lines.push_back(std::move(line));
    return lines;
}

Panel sumPanel(const std::vector<OrderView>& views) {
    Panel panel;
    panel.id = "sum";
    panel.y.title = "the sum, written out";
    panel.axesShown = false;
    double line = 0.0;
    for (const OrderView& view : views) {
        const bool isPresent = &view == views.data();
        for (std::string& words : sumLines(view, isPresent ? "h" : "h′")) {
            line += 1.0;
            panel.layers.push_back(
                Text{std::move(words), isPresent ? Role::live : Role::category2, 0.0, line});
        }
    }
    panel.y.minimum = 0.5;  // counts lines
    panel.y.maximum = line + 0.5;
    panel.y.reversed = true;
    return panel;
}

/// The weights of the chosen token by token, both orders side by side.
Panel weightPanel(const std::vector<OrderView>& views) {
    const Scene& scene = views.front().scene;
    const std::size_t shown = std::min(scene.tokens.size(), mostBars);
    Panel panel;
    panel.id = "weights";
    panel.title = "weights in the sum";
    panel.x.meaning = AxisMeaning::keyToken;
    panel.x.title = "token, as typed";
    panel.x.minimum = -0.5;
    panel.x.maximum = static_cast<double>(shown) - 0.5;
    panel.x.wholeNumbers = true;
    panel.x.labels = tokenLabels(scene);
    panel.x.labels.resize(shown);
    panel.x.choice = tokenChoice(scene, panel.x.meaning, identityOrder(static_cast<int>(shown)));
    panel.y.meaning = AxisMeaning::value;
    panel.y.title = "weight";
    double most = 0.0;
    for (const OrderView& view : views) {
        Bars bars;
        bars.label = view.name + (&view == views.data() ? "" : " (′)");
        bars.role = &view == views.data() ? Role::live : Role::category2;
        bars.series = static_cast<int>(&view - views.data());
        bars.seriesCount = static_cast<int>(views.size());
        bars.writeValues = true;
        bars.x = indices(shown);
        bars.y.assign(shown, 0.0);
        for (std::int64_t key = 0; key < sequenceLength(view.scene); ++key) {
            const auto token = static_cast<std::size_t>(tokenAtPosition(view.scene, key));
            if (token < shown && !view.isMasked(key)) {
                bars.y[token] += view.weight(key);
            }
        }
        most = std::max(most, std::ranges::max(bars.y));
        panel.layers.push_back(std::move(bars));
    }
    panel.y.maximum = most > 0.0 ? 1.2 * most : 1.0;
    return panel;
}

/// Rows: each token under one order and the other; columns: dimensions.
Panel statePanel(Figure& figure, const std::vector<OrderView>& views) {
    const Scene& scene = views.front().scene;
    const std::vector<std::string> labels = tokenLabels(scene);
    const Eigen::Index width = views.front().states->hiddenStates.cols();
    Panel panel;
    panel.id = "states";
    panel.title = "hidden state of every token";
    panel.x.meaning = AxisMeaning::dimension;
    panel.x.title = "dimension";
    panel.x.minimum = -0.5;
    panel.x.maximum = static_cast<double>(width) - 0.5;
    panel.x.wholeNumbers = true;
    panel.y.title = "token";
    panel.y.reversed = true;
    Heatmap map;
    map.columns = width;
    map.valueTitle = "h";
    bool hasUndefined = false;
    std::vector<int> rows;  // the token of each
    for (std::size_t token = 0; token < labels.size(); ++token) {
        for (const OrderView& view : views) {
            panel.y.labels.push_back(&view == views.data() ? labels[token] : labels[token] + "′");
            rows.push_back(static_cast<int>(token));
            const auto row =
                view.states->hiddenStates.row(positionOfToken(view.scene, static_cast<int>(token)));
            for (const double value : row) {
                const bool isDefined = std::isfinite(value);
                hasUndefined = hasUndefined || !isDefined;
                map.values.push_back(isDefined ? value : 0.0);
                map.states.push_back(isDefined ? CellState::shown : CellState::undefined);
            }
        }
    }
    if (!hasUndefined) {
        map.states.clear();
    }
    map.rows = static_cast<std::int64_t>(panel.y.labels.size());
    panel.y.choice = tokenChoice(scene, AxisMeaning::queryToken, std::move(rows));
    setDivergingRange(map);
    panel.y.minimum = -0.5;
    panel.y.maximum = static_cast<double>(map.rows) - 0.5;
    figure.matrix = Matrix{map.rows, map.columns, map.values};
    panel.layers.push_back(std::move(map));
    return panel;
}

void addTable(Figure& figure, const std::vector<OrderView>& views) {
    figure.table.push_back({"dimension", indices(static_cast<std::size_t>(views.front().hidden().size()))});
    for (const OrderView& view : views) {
        const auto hidden = view.hidden();
        figure.table.push_back(
            {"h_" + view.name.substr(0, view.name.find(' ')), {hidden.begin(), hidden.end()}});
    }
}

std::string emptyState(const Scene& scene) {
    if (scene.tokens.empty()) {
        return tokensWanted(scene);
    }
    if (std::string wanted = tokenVectorsWanted(scene); !wanted.empty()) {
        return wanted;
    }
    const std::int64_t tokens = sequenceLength(scene);
    if (tokens > mostComparedTokens) {
        return fmt::format("Hidden states are compared up to {} tokens; the text has {}: shorten it.",
                           groupedNumber(mostComparedTokens), groupedNumber(tokens));
    }
    if (tokens < static_cast<std::int64_t>(scene.tokens.size()) ||
        !holdSameTokens(scene, comparedScene(scene))) {
        return "text.length is no multiple of the token count, so another order would hold other tokens: set "
               "it to 0.";
    }
    return {};
}

Result<Figure> makeHiddenStates(const Scene& scene, const FigureRequest&, Engine& engine,
                                std::stop_token stop) {
    Figure figure;
    const Scene other = comparedScene(scene);
    std::vector<OrderView> views;
    for (const Scene& one : {scene, other}) {
        const bool isPresent = views.empty();
        Result<OrderView> view = viewOf(one,
                                        isPresent             ? "present order"
                                        : other.order.empty() ? "original order"
                                                              : "rotated order",
                                        engine, stop);
        if (!view) {
            return tl::unexpected(view.error());
        }
        views.push_back(*std::move(view));
    }
    const std::string label = tokenLabels(scene)[static_cast<std::size_t>(viewedToken(scene))];
    const bool isDefined = views[0].hidden().allFinite() && views[1].hidden().allFinite();
    if (isDefined) {
        figure.panels = {sumPanel(views), weightPanel(views)};
        const double change = (views[0].hidden() - views[1].hidden()).cwiseAbs().maxCoeff();
        const double tolerance = engine.stateTolerance(scene) * views[0].hidden().cwiseAbs().maxCoeff();
        const bool isBlind = change <= tolerance;
        figure.readouts.push_back(Readout{
            "largest_difference", fmt::format("largest |Δh| of {} against the {}", label, views[1].name),
            change, "", tolerance,
            fmt::format("h_{} {} · |Δh| {}", label, isBlind ? "is the same" : "changes",
                        formatForPeople(change, 2)),
            isBlind ? Tone::good : Tone::warning});
        figure.readouts.push_back(Readout{"verdict", fmt::format("hidden state of {}", label),
                                          isBlind ? "order-blind" : "order-aware", "", tolerance, "",
                                          Tone::neutral});
    } else {
        figure.notes.push_back(fmt::format(
            "{} has no hidden state in one of the two orders: it stands where there is no code.", label));
    }
    figure.panels.push_back(statePanel(figure, views));
    figure.notes.push_back(fmt::format("With ′: the {}.", views[1].name));
    if (sequenceLength(scene) == 1) {
        figure.notes.push_back("One token has one order.");
    }
    if (scene.tokens.size() > mostBars) {
        figure.notes.push_back(
            fmt::format("Weights of the first {} of {} tokens.", mostBars, scene.tokens.size()));
    }
    if (const Result<EncodingPlan> plan = makePlan(scene, 1); plan && plan->relativeValues) {
        figure.notes.push_back("Each v has the vector of its distance in it.");
    }
    addTable(figure, views);
    return figure;
}

}  // namespace

FigureKind hiddenStatesFigureKind() {
    return {.id = "hidden-states",
            .label = "Hidden states",
            .help =
                "The hidden state of the chosen token under two orders, with its sum written out, and those "
                "of all tokens.",
            .make = makeHiddenStates,
            .emptyState = emptyState,
            .followsOrder = true,
            .growsFast = true};
}

}  // namespace phaseladder
