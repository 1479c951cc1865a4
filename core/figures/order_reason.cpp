#include "core/figures/order_reason.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "core/figures/figure_parts.h"

namespace phaseladder {
namespace {

bool hasAngle(const PairRotation& rotation) {
    return std::ranges::any_of(rotation.turnsPerToken, [](std::uint64_t turns) { return turns != 0; });
}

bool varies(const ScoreBias& bias) {
    return std::ranges::any_of(bias.values, [&](double value) { return value != bias.values.front(); });
}

/// What makes the hidden states depend on positions; empty where nothing in the plan does.
std::string positionReason(const EncodingPlan& plan) {
    if (!plan.additiveRows.empty() || !plan.concatenatedRows.empty()) {
        return "Each token brings the row of its position, and another order gives it another row.";
    }
    if (plan.relativeKeys || plan.relativeValues) {
        return "A token meets a vector of the distance to each other one, and another order changes the "
               "distances.";
    }
    if (plan.rotation && hasAngle(*plan.rotation)) {
        return "q·k turns with the distance of two tokens, and another order changes the distances.";
    }
    if (plan.scoreBias && varies(*plan.scoreBias)) {
        return "The bias on a logit depends on the distance of two tokens, and another order changes the "
               "distances.";
    }
    return {};
}

}  // namespace

std::string orderReason(const Scene& scene, const EncodingPlan& plan, const OrderSweep& sweep, bool isBlind) {
    const int tokens = sweep.tokens();
    if (tokens == 1) {
        return "One token has one order.";
    }
    if (std::string reason = positionReason(plan); !reason.empty()) {
        return isBlind ? fmt::format(
                             "The encoding has positions, but no {} changes a hidden state by more than "
                             "the tolerance.",
                             sweep.isSampled() ? "sampled order" : "order")
                       : reason;
    }
    if (!scene.causal) {
        return "Softmax over a set: no term of q·k depends on a position, so every order sums the same "
               "terms.";
    }
    if (scene.layers > 1) {
        return "The first layer makes each state depend on the tokens before it, and the next one sees that: "
               "the "
               "order reaches even a token that is held last.";
    }
    const std::string sets = tokens <= 31
                                 ? fmt::format("2^(n−1) = {}", groupedNumber(std::int64_t{1} << (tokens - 1)))
                                 : fmt::format("2^{}", tokens - 1);
    std::vector<std::string> words = scene.tokens;
    std::ranges::sort(words);
    const bool areRepeated = std::ranges::adjacent_find(words) != words.end();
    return fmt::format(
        "The mask lets a token see a set of earlier tokens, and no term depends on their order: {}{} "
        "sets{}, and one set for a token that is held last.",
        areRepeated ? "at most " : "", sets, areRepeated ? ", fewer as equal words are alike" : "");
}

}  // namespace phaseladder
