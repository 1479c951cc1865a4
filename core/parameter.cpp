#include "core/parameter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/import/text.h"
#include "core/nearest_name.h"
#include "core/number_text.h"
#include "core/parameter_rows.h"

namespace phaseladder {
namespace {

/// A token that a scene file could not hold as one text is refused.
constexpr std::size_t maximumTokenBytes = 1u << 20;

std::vector<Parameter> buildTable() {
    std::vector<Parameter> table = encodingRows();
    for (std::vector<Parameter> rows : {scalingRows(), attentionRows(), captureRows()}) {
        table.insert(table.end(), rows.begin(), rows.end());
    }
    return table;
}

std::vector<std::string> idsOf(std::span<const Choice> choices) {
    std::vector<std::string> ids;
    for (const Choice& choice : choices) {
        ids.push_back(choice.id);
    }
    return ids;
}

tl::unexpected<Error> refuse(const Parameter& row, std::string_view wanted, std::string_view seen,
                             std::string_view hint = ".") {
    return fail(ErrorKind::usage, fmt::format("{} must be {} (got {}){}", row.id, wanted, seen, hint));
}

/// What to do instead, for the two refusals that people meet most.
std::string hintFor(const Parameter& row, double value) {
    if (row.id == "rope.theta" && value == 0.0) {
        return ". Some configs use 0 for layers without positions: choose encoding none instead.";
    }
    if (row.id == "scaling.factor" && value > 0.0) {
        const std::string inverse = formatForPeople(1.0 / value, 6);
        return fmt::format(". For {}x extension enter {}.", inverse, inverse);
    }
    return ".";
}

Result<void> checkNumber(const Parameter& row, double value) {
    const bool isInteger = row.kind == ParameterKind::integer;
    const std::string seen = formatNumber(value);
    if (!std::isfinite(value)) {
        return refuse(row, isInteger ? "a whole number" : "a finite number", seen);
    }
    const bool below = row.minimumExcluded ? value <= row.hardMinimum : value < row.hardMinimum;
    if (isInteger && (below || value > row.hardMaximum)) {
        const std::string range =
            fmt::format("{}..{}", formatGrouped(row.hardMinimum), formatGrouped(row.hardMaximum));
        return refuse(row, range, seen);
    }
    if (below) {
        const std::string limit = (row.minimumExcluded ? "> " : "≥ ") + formatNumber(row.hardMinimum);
        return refuse(row, limit, seen, hintFor(row, value));
    }
    if (value > row.hardMaximum) {
        return refuse(row, "≤ " + formatGrouped(row.hardMaximum), seen);
    }
    if (isInteger && value != std::floor(value)) {
        return refuse(row, "a whole number", seen);
    }
    if (row.evenOnly && std::fmod(value, 2.0) != 0.0) {
        return refuse(row, "even", seen, fmt::format("; try {} or {}.", value - 1.0, value + 1.0));
    }
    return {};
}

Result<void> checkTokens(const SharedList<std::string>& tokens) {
    if (tokens.size() > maximumTokens) {
        return fail(ErrorKind::usage, fmt::format("tokens must be 0..{} texts (got {}).",
                                                  formatGrouped(double{maximumTokens}), tokens.size()));
    }
    for (const std::string& token : tokens) {
        if (token.size() > maximumTokenBytes) {
            return fail(ErrorKind::usage,
                        fmt::format("A token must be at most {} bytes long (got {}).",
                                    formatGrouped(double{maximumTokenBytes}), token.size()));
        }
    }
    return {};
}

Result<void> checkList(const Parameter& row, const std::vector<double>& numbers) {
    for (std::size_t index = 0; index < numbers.size(); ++index) {
        Parameter item = row;
        item.id = fmt::format("{}[{}]", row.id, index);
        if (Result<void> checked = checkNumber(item, numbers[index]); !checked) {
            return checked;
        }
    }
    return {};
}

}  // namespace

std::span<const Parameter> parameters() {
    static const std::vector<Parameter> table = buildTable();
    return table;
}

bool isFolded(const Parameter& row, const Scene& scene) {
    static const Scene defaults;
    return row.advanced && row.get(scene) == row.get(defaults) && !(row.needed && row.needed(scene));
}

const Parameter* findParameter(std::string_view id) {
    const std::span<const Parameter> table = parameters();
    const auto found =
        std::find_if(table.begin(), table.end(), [&](const Parameter& row) { return row.id == id; });
    return found == table.end() ? nullptr : &*found;
}

Result<const Parameter*> requireParameter(std::string_view id) {
    if (const Parameter* row = findParameter(id)) {
        return row;
    }
    std::vector<std::string> ids;
    for (const Parameter& row : parameters()) {
        ids.push_back(row.id);
    }
    return fail(ErrorKind::usage,
                fmt::format("Unknown parameter {}{}; `phaseladder list parameters` names all.",
                            quotedText(id), didYouMean(id, ids)));
}

Result<void> checkParameter(const Parameter& row, const ParameterValue& value) {
    const auto holds = [&]<class Held>(std::string_view wanted, auto check) -> Result<void> {
        const Held* held = std::get_if<Held>(&value);
        return held != nullptr ? check(*held) : refuse(row, wanted, "another kind of value");
    };
    const auto fine = [](const auto&) -> Result<void> { return {}; };
    switch (row.kind) {
        case ParameterKind::number:
        case ParameterKind::integer:
            return holds.operator()<double>("a number",
                                            [&](double number) { return checkNumber(row, number); });
        case ParameterKind::toggle:
            return holds.operator()<bool>("true or false", fine);
        case ParameterKind::choice:
            return holds.operator()<std::string>("a text", [&](const std::string& id) -> Result<void> {
                const std::vector<std::string> ids = idsOf(row.choices);
                if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
                    return {};
                }
                return fail(ErrorKind::usage,
                            fmt::format("{} must be one of {}; got {}{}.", row.id, fmt::join(ids, ", "),
                                        quotedText(id), didYouMean(id, ids)));
            });
        case ParameterKind::tokens:
            return holds.operator()<SharedList<std::string>>("a list of texts", checkTokens);
        case ParameterKind::order:
            return holds.operator()<SharedList<int>>("a list of whole numbers", fine);
        case ParameterKind::numberList:
            return holds.operator()<std::vector<double>>(
                "a list of numbers",
                [&](const std::vector<double>& numbers) { return checkList(row, numbers); });
        case ParameterKind::text:
            return holds.operator()<std::string>("a text", fine);
    }
    return {};
}

Result<void> setParameter(Scene& scene, const Parameter& row, const ParameterValue& value) {
    Result<void> checked = checkParameter(row, value);
    if (checked) {
        row.set(scene, value);
    }
    return checked;
}

}  // namespace phaseladder
