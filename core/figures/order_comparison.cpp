#include "core/figures/order_comparison.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "core/attention/order_sweep.h"
#include "core/attention/permutations.h"
#include "core/number_text.h"

namespace phaseladder {

Scene comparedScene(const Scene& scene) {
    Scene reference = scene;
    reference.order.clear();
    if (isIdentityOrder(scene.order)) {
        reference.order = rotatedOrder(static_cast<int>(scene.tokens.size()));
    }
    return reference;
}

bool holdSameTokens(const Scene& scene, const Scene& other) {
    return std::ranges::equal(
        positionsByToken(scene), positionsByToken(other), {},
        [&](std::int64_t position) { return tokenAtPosition(scene, position); },
        [&](std::int64_t position) { return tokenAtPosition(other, position); });
}

std::vector<std::int64_t> positionsByToken(const Scene& scene) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(sequenceLength(scene)));
    std::iota(positions.begin(), positions.end(), std::int64_t{0});
    std::ranges::stable_sort(positions, {},
                             [&](std::int64_t position) { return tokenAtPosition(scene, position); });
    return positions;
}

Result<void> addOrderComparison(Figure& figure, const Scene& scene, const AttentionResult& result,
                                Engine& engine, std::stop_token stop) {
    const Scene reference = comparedScene(scene);
    const std::vector<std::int64_t> positions = positionsByToken(scene);
    const std::vector<std::int64_t> referencePositions = positionsByToken(reference);
    const char* otherOrder = reference.order.empty() ? "original" : "rotated";
    if (!holdSameTokens(scene, reference)) {
        figure.notes.push_back(
            "Orders are not compared: text.length is no multiple of the token count, so another order would "
            "hold "
            "other tokens.");
        return {};
    }
    const auto other = engine.attention(reference, nullptr, true, stop);
    if (!other) {
        return tl::unexpected(other.error());
    }
    if (result.definedTokens < sequenceLength(scene)) {
        figure.notes.push_back("Orders are not compared: tokens without a row have no hidden state.");
        return {};
    }
    const RowMatrix& hidden = result.hiddenStates;
    const RowMatrix& otherHidden = (*other)->hiddenStates;
    double difference = 0.0;
    for (std::size_t index = 0; index < positions.size(); ++index) {
        const auto delta = hidden.row(positions[index]) - otherHidden.row(referencePositions[index]);
        difference = std::max(difference, delta.cwiseAbs().maxCoeff());
    }
    const double tolerance = engine.stateTolerance(scene) * hidden.cwiseAbs().maxCoeff();
    if (!hidden.allFinite() || !otherHidden.allFinite()) {
        figure.warnings.push_back(
            "Scores overflow: hidden states are no finite numbers, and orders are not compared.");
        return {};
    }
    const bool isBlind = difference <= tolerance;
    figure.readouts.push_back(Readout{
        "order_difference", std::string("largest |Δh| of a token against the ") + otherOrder + " order",
        difference, "", tolerance,
        fmt::format("{} · |Δh| to {} {}", isBlind ? "order-blind" : "order matters", otherOrder,
                    formatForPeople(difference, 2)),
        isBlind ? Tone::good : Tone::warning});
    figure.readouts.push_back(
        Readout{"order_verdict", std::string("hidden states against the ") + otherOrder + " order",
                isBlind ? "order-blind" : "order-aware", "", std::nullopt, "", Tone::neutral});
    return {};
}

}  // namespace phaseladder
