#include "core/figures/map_axes.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/figures/attention_cells.h"
#include "core/figures/figure_parts.h"
#include "core/figures/order_comparison.h"
#include "core/figures/token_map.h"
#include "core/index.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

/// A side of the map: queries or keys.
struct Side {
    std::string_view name;
    AxisMeaning meaning;
    std::int64_t start = 0, count = 0;  ///< position of the first, how many
    std::int64_t begin = 0, end = 0;    ///< the part that is shown
};

/// The tokens' names. Of a long list they are not told apart, which would take a look at all of them.
class TokenNames {
public:
    explicit TokenNames(const Scene& scene) : m_tokens(scene.tokens) {
        if (!isLong()) {
            m_names = tokenLabels(scene);
        }
    }

    [[nodiscard]] bool isLong() const {
        return m_tokens.size() > static_cast<std::size_t>(maximumLabelledTokens);
    }

    [[nodiscard]] std::string of(std::int64_t token) const {
        if (!isLong()) {
            return m_names[index(token)];
        }
        Scene alone;
        alone.tokens = {m_tokens[index(token)]};
        return tokenLabels(alone).front();
    }

private:
    const SharedList<std::string>& m_tokens;
    std::vector<std::string> m_names;
};

/// Gives an axis the names of what is shown of a side: the token at a position, or the tokens in their own
/// order. A row without keys says so, where the map has no room for that in the row.
void nameTokens(Axis& axis, const Scene& scene, const MapPlan& plan, const Side& side,
                std::int64_t definedTokens) {
    const TokenNames names(scene);
    const std::vector<std::int64_t> positions =
        plan.byToken ? positionsByToken(scene) : std::vector<std::int64_t>();
    for (std::int64_t at = side.begin; at < side.end; ++at) {
        axis.labels.push_back(
            names.of(tokenAtPosition(scene, plan.byToken ? positions[index(at)] : side.start + at)));
        if (side.meaning == AxisMeaning::queryToken && !plan.byToken && !plan.isWritten() &&
            visibleKeys(scene, plan.shape, definedTokens, at) == 0) {
            axis.labels.back() += " (no visible keys)";
        }
    }
    axis.firstLabel = side.begin;
    axis.namesRepeat = names.isLong() || side.count > static_cast<std::int64_t>(scene.tokens.size());
}

/// What choosing a place of a side sets, by position or in the tokens' own order.
AxisChoice sideChoice(const Scene& scene, const MapPlan& plan, const Side& side) {
    if (!plan.byToken) {
        return positionChoice(scene, side.meaning, side.start, side.count);
    }
    std::vector<int> tokens;
    for (const std::int64_t position : positionsByToken(scene)) {
        tokens.push_back(static_cast<int>(tokenAtPosition(scene, position)));
    }
    return tokenChoice(scene, side.meaning, std::move(tokens));
}

Axis tokenAxis(const Scene& scene, const MapPlan& plan, const Side& side, std::int64_t definedTokens) {
    Axis axis;
    axis.meaning = side.meaning;
    axis.title = std::string(side.name);
    if (isNamed(plan)) {
        nameTokens(axis, scene, plan, side, definedTokens);
        axis.title += plan.byToken ? " (token order)" : "";
        if (side.end - side.begin < side.count) {
            axis.title += fmt::format(", {} to {}", groupedNumber(side.begin), groupedNumber(side.end - 1));
        }
    } else if (side.start > 0) {
        axis.title += fmt::format(" (tokens after position {})", groupedNumber(side.start));
    } else {
        axis.title += " position (tokens)";
    }
    axis.minimum = static_cast<double>(side.begin) - 0.5;
    axis.maximum = static_cast<double>(side.end) - 0.5;
    axis.wholeNumbers = true;
    axis.choice = sideChoice(scene, plan, side);
    return axis;
}

}  // namespace

bool isNamed(const MapPlan& plan) {
    return !plan.isPooled() && std::max(plan.windowRows(), plan.windowColumns()) <= maximumLabelledTokens;
}

Axis keyAxis(const Scene& scene, const MapPlan& plan, std::int64_t definedTokens) {
    return tokenAxis(scene, plan,
                     {"key", AxisMeaning::keyToken, plan.shape.keyStart, plan.shape.keys,
                      plan.window.columnBegin, plan.window.columnEnd},
                     definedTokens);
}

Axis queryAxis(const Scene& scene, const MapPlan& plan, std::int64_t definedTokens) {
    return tokenAxis(scene, plan,
                     {"query", AxisMeaning::queryToken, plan.shape.queryStart, plan.shape.queries,
                      plan.window.rowBegin, plan.window.rowEnd},
                     definedTokens);
}

}  // namespace phaseladder
