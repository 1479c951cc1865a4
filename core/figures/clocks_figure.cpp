#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>

#include <fmt/format.h>

#include "core/attention/rotate.h"
#include "core/cancelled.h"
#include "core/figures/figure_kinds.h"
#include "core/figures/figure_parts.h"
#include "core/figures/pair_axes.h"
#include "core/figures/token_map.h"
#include "core/figures/viewed_cell.h"
#include "core/number_text.h"
#include "core/phase/phase_turns.h"

namespace phaseladder {
namespace {

/// Longest text whose row of weights is computed for one readout.
constexpr std::int64_t mostRowTokens = 4096;  // all of them are scored in a viewed cell
constexpr double fullTurn = 2.0 * std::numbers::pi;

/// Angle of a pair at a position, exact however far.
double angleAt(long double inverseFrequency, std::int64_t position) {
    Ladder single;
    single.inverseFrequency = {inverseFrequency};
    return phaseRadians(phaseOf(phaseTurns(single).front(), static_cast<std::uint64_t>(position)));
}

/// Unwrapped, for arcs only: a full turn and more are the whole disc.
double sweepTo(long double inverseFrequency, std::int64_t position) {
    return std::min(static_cast<double>(inverseFrequency * static_cast<long double>(position)), fullTurn);
}

/// One dial a pair: the arc that training saw, the hand with the scene's ladder, and before scaling.
Clock pairClock(const Scene& scene, const SceneLadders& ladders, const PairAxes& axes, std::size_t pair,
                bool isChanged) {
    const std::int64_t place = axes.place(pair, scene.view.position);
    const long double base = ladders.base.inverseFrequency[pair];
    const long double live = ladders.scaled.ladder.inverseFrequency[pair];
    Clock clock;
    clock.label = fmt::format("{}", pair);
    clock.meaning = AxisMeaning::pair;
    clock.value = static_cast<double>(pair);
    clock.parameterId = "view.pair";
    const double seen = sweepTo(base, scene.length.trained);
    const double visited = sweepTo(live, place);
    clock.arcs.push_back({Role::trained, 0.0, seen, "seen in training"});
    if (visited > seen) {
        clock.arcs.push_back({Role::beyond, seen, visited - seen, "beyond"});
    }
    if (isChanged) {
        clock.hands.push_back({"before scaling", Role::base, angleAt(base, place), 0.9});
    }
    // In an image the hand's colour and its name in the legend tell which axis turns the pair.
    ClockHand hand{isChanged ? "after scaling" : "angle", Role::live, angleAt(live, place), 0.9};
    if (axes.areSeveral()) {
        hand.label = axes.nameOf(pair);
        hand.role = axisRole(axes.rotation.axisOfPair[pair]);
    }
    clock.hands.push_back(std::move(hand));
    return clock;
}

/// Dials row by row from the fastest pair, about twice as many across as down.
Panel dialsPanel(const Scene& scene, const SceneLadders& ladders, const PairAxes& axes, int chosen) {
    const std::size_t pairs = ladders.base.inverseFrequency.size();
    const auto across = static_cast<std::size_t>(std::ceil(std::sqrt(2.5 * static_cast<double>(pairs))));
    const bool isChanged = ladders.base.inverseFrequency != ladders.scaled.ladder.inverseFrequency;
    Panel panel;
    panel.id = "dials";
    panel.title = axes.areSeveral()
                      ? fmt::format("Hands of token {} ({}), by pair", groupedNumber(scene.view.position),
                                    placeText(axes, scene.view.position))
                      : fmt::format("Hands at position {}, by pair", groupedNumber(scene.view.position));
    panel.axesShown = false;
    panel.squareCells = true;
    const std::size_t down = (pairs + across - 1) / across;
    panel.x.minimum = -0.5;
    panel.x.maximum = static_cast<double>(std::min(across, pairs)) - 0.5;
    panel.y.minimum = -0.5;
    panel.y.maximum = static_cast<double>(down) - 0.5;
    panel.y.reversed = true;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        Clock clock = pairClock(scene, ladders, axes, pair, isChanged);
        clock.x = static_cast<double>(pair % across);
        clock.y = static_cast<double>(pair / across);
        clock.chosen = static_cast<int>(pair) == chosen;
        panel.layers.push_back(std::move(clock));
    }
    return panel;
}

/// A hand of the chosen pair: where its tip is, and how a dragged tip becomes content again.
struct ContentHand {
    std::string label;
    Role role = Role::live;
    std::complex<double> tip;
    RecordTarget target;
};

/// `row` has its position in it, `content` has not. What a rotation turned and grew is turned back and
/// shrunk; what was added is taken off.
ContentHand contentHand(const Scene& scene, const ViewedCell& cell, int pair, bool isQuery) {
    const auto [first, second] = pairChannels(scene, pair);
    const Eigen::RowVectorXd& row = isQuery ? cell.query : cell.key;
    const std::int64_t position = isQuery ? cell.queryPosition : cell.keyPosition;
    const int token = isQuery ? viewedToken(scene) : viewedKey(scene);
    const Eigen::RowVectorXd content =
        isQuery ? cell.scorer.queryContent(token) : cell.scorer.keyContent(token);
    ContentHand hand;
    hand.label = isQuery ? "q of " + cell.queryWord : "k of " + cell.keyWord;
    hand.role = isQuery ? Role::category1 : Role::category2;
    hand.tip = {row[first], row[second]};
    hand.target.key = {static_cast<double>(scene.head), static_cast<double>(token), isQuery ? 0.0 : 1.0,
                       static_cast<double>(pair)};
    if (const auto& rotation = cell.scorer.plan().rotation) {
        const auto index = static_cast<std::size_t>(pair);
        const CosSin turned = anglesAt(*rotation, position)[index];
        const double growth = growthAt(*rotation, index, position);
        hand.target.angle = std::atan2(turned.sine, turned.cosine);
        hand.target.unit = std::hypot(turned.sine, turned.cosine) * (isQuery ? growth : 1.0 / growth);
    } else {
        hand.target.originX = row[first] - content[first];
        hand.target.originY = row[second] - content[second];
    }
    return hand;
}

Panel handsPanel(const Scene& scene, const ViewedCell& cell, int pair) {
    Panel panel;
    panel.id = "hands";
    panel.title = fmt::format("Pair {}: {}q and k", pair, hasCapture(scene) ? "" : "drag ");
    panel.squareCells = true;
    panel.isPlane = true;
    panel.x.title = "first channel";
    panel.y.title = "second channel";
    double reach = 1.0;
    std::vector<ContentHand> hands{contentHand(scene, cell, pair, true),
                                   contentHand(scene, cell, pair, false)};
    for (const ContentHand& hand : hands) {
        reach = std::max(reach, 1.2 * std::abs(hand.tip));
    }
    reach = std::ceil(2.0 * reach) / 2.0;
    panel.x.minimum = panel.y.minimum = -reach;
    panel.x.maximum = panel.y.maximum = reach;
    panel.layers.push_back(Rule{"", Role::muted, Orientation::horizontal, 0.0, ""});
    panel.layers.push_back(Rule{"", Role::muted, Orientation::vertical, 0.0, ""});
    for (const ContentHand& hand : hands) {
        panel.layers.push_back(Curve{hand.label, hand.role, {0.0, hand.tip.real()}, {0.0, hand.tip.imag()}});
    }
    if (hasCapture(scene)) {
        return panel;  // the hands are the file's
    }
    for (const ContentHand& hand : hands) {
        panel.layers.push_back(
            Handle{hand.label, hand.role, hand.tip.real(), hand.tip.imag(), "content", hand.target});
    }
    return panel;
}

/// Softmax over the row of the query, under the mask, for the key that is looked at.
double weightOf(const Scene& scene, const ViewedCell& cell, const std::stop_token& stop) {
    const std::int64_t tokens = sequenceLength(scene);
    const std::int64_t visible = scene.causal ? cell.queryPosition + 1 : tokens;
    if (cell.keyPosition >= visible) {
        return 0.0;
    }
    std::vector<double> logits;
    StopLook isStopped(stop);
    for (std::int64_t position = 0; position < visible; ++position) {
        if (isStopped()) {
            return noValue;
        }
        const int token = static_cast<int>(tokenAtPosition(scene, position));
        if (cell.scorer.isDefined(position) && cell.scorer.hasKey(token)) {
            const Eigen::RowVectorXd key = cell.scorer.keyAt(cell.scorer.keyContent(token), position);
            logits.push_back(cell.scorer.logit(cell.query, cell.queryPosition, key, position));
        }
    }
    const double largest = *std::ranges::max_element(logits);
    double sum = 0.0;
    for (const double logit : logits) {
        sum += std::exp(logit - largest);
    }
    return std::exp(cell.logit - largest) / sum;
}

void addReadouts(Figure& figure, const Scene& scene, const ViewedCell& cell, int pair,
                 const std::stop_token& stop) {
    const double share = cell.parts.pairs[static_cast<std::size_t>(pair)];
    const auto [first, second] = pairChannels(scene, pair);
    const std::complex<double> query{cell.query[first], cell.query[second]};
    const std::complex<double> key{cell.key[first], cell.key[second]};
    const double angle = std::arg(key * std::conj(query)) * 180.0 / std::numbers::pi;
    figure.readouts.push_back(Readout{"pair_share", fmt::format("q·k of pair {}, in the logit", pair), share,
                                      "", std::nullopt, "pair's share " + formatForPeople(share, 3),
                                      Tone::neutral});
    figure.readouts.push_back(Readout{"angle", "angle from q to k", angle, "°", std::nullopt,
                                      formatForPeople(angle, 3) + "° apart", Tone::neutral});
    figure.readouts.push_back(Readout{"logit", "logit of " + cell.words, cell.logit, "", std::nullopt,
                                      "logit " + formatForPeople(cell.logit, 4), Tone::neutral});
    if (sequenceLength(scene) <= mostRowTokens) {
        const double weight = weightOf(scene, cell, stop);
        figure.readouts.push_back(Readout{"weight", "weight of " + cell.words, weight, "", std::nullopt,
                                          "weight " + formatForPeople(weight, 3), Tone::neutral});
    }
}

Result<void> addHands(Figure& figure, const Scene& scene, const std::stop_token& stop) {
    if (std::string refusal = viewedCellRefusal(scene); !refusal.empty()) {
        figure.warnings.push_back(std::move(refusal));
        return {};
    }
    const Result<ViewedCell> cell = viewedCell(scene, stop);
    if (!cell) {
        return tl::unexpected(cell.error());
    }
    if (!cell->warning.empty()) {
        figure.warnings.push_back(cell->warning);
    }
    const int pair = std::min(scene.view.pair, contentPairs(scene) - 1);
    figure.panels.push_back(handsPanel(scene, *cell, pair));
    addReadouts(figure, scene, *cell, pair, stop);
    if (scene.layers > 1) {
        figure.notes.push_back("The hands are those of the first layer.");
    }
    if (scene.causal && cell->keyPosition > cell->queryPosition) {
        figure.notes.push_back("The mask hides this key from this query.");
    }
    return {};
}

/// pair, angle before and after scaling; in an image also the axis (0 the first) and the place on it.
void addTable(Figure& figure, const Scene& scene, const SceneLadders& ladders, const PairAxes& axes) {
    std::vector<double> before, after, places;
    for (std::size_t pair = 0; pair < ladders.base.inverseFrequency.size(); ++pair) {
        const std::int64_t place = axes.place(pair, scene.view.position);
        before.push_back(angleAt(ladders.base.inverseFrequency[pair], place));
        after.push_back(angleAt(ladders.scaled.ladder.inverseFrequency[pair], place));
        places.push_back(static_cast<double>(place));
    }
    figure.table = {{"pair", indices(before.size())}, {"angle", before}, {"scaled_angle", after}};
    if (axes.areSeveral()) {
        const std::vector<std::uint8_t>& ofPair = axes.rotation.axisOfPair;
        figure.table.push_back({"axis", {ofPair.begin(), ofPair.end()}});
        figure.table.push_back({"place", places});
    }
}

/// The dials are of the frequencies, the hands of the tokens.
std::string emptyState(const Scene& scene) {
    if (hasFrequencies(scene)) {
        return {};
    }
    return scene.tokens.empty() ? tokensWanted(scene) : viewedCellRefusal(scene);
}

Result<Figure> makeClocks(const Scene& scene, const FigureRequest&, Engine&, std::stop_token stop) {
    Figure figure;
    const Result<std::optional<SceneLadders>> ladders = figureLadders(scene);
    if (!ladders) {
        return tl::unexpected(ladders.error());
    }
    if (ladders->has_value()) {
        const SceneLadders& both = **ladders;
        const int last = static_cast<int>(both.base.inverseFrequency.size()) - 1;
        const Result<PairAxes> axes = pairAxes(scene, scene.view.position);
        if (!axes) {
            return tl::unexpected(axes.error());
        }
        figure.panels.push_back(dialsPanel(scene, both, *axes, std::min(scene.view.pair, last)));
        addTable(figure, scene, both, *axes);
    }
    if (!scene.tokens.empty()) {
        if (const Result<void> added = addHands(figure, scene, stop); !added) {
            return tl::unexpected(added.error());
        }
    }
    return figure;
}

}  // namespace

FigureKind clocksFigureKind() {
    return {.id = "clocks",
            .label = "Clocks",
            .help =
                "A hand for each frequency pair at a position, and q and k of one pair as hands that can be "
                "dragged.",
            .make = makeClocks,
            .emptyState = emptyState,
            .followsOrder = true};
}

}  // namespace phaseladder
