#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "core/attention/captured_scene.h"
#include "core/import/text.h"
#include "core/number_text.h"
#include "core/parameter.h"

namespace phaseladder {
namespace {

tl::unexpected<Error> refuse(const Parameter& row, std::string_view wanted, std::string_view seen) {
    return fail(ErrorKind::usage, fmt::format("{} must be {} (got {}).", row.id, wanted, seen));
}

Result<ParameterValue> parseToggle(const Parameter& row, std::string_view text) {
    for (const std::string_view on : {"true", "on", "1", "yes"}) {
        if (text == on) {
            return true;
        }
    }
    for (const std::string_view off : {"false", "off", "0", "no"}) {
        if (text == off) {
            return false;
        }
    }
    return refuse(row, "true or false", quotedText(text));
}

/// The whole numbers of a range, "0..31"; nothing where the text is none.
std::optional<std::vector<double>> parseRange(std::string_view text) {
    constexpr std::string_view dots = "..";
    constexpr double longest = 65536.0;
    const std::size_t at = text.find(dots);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const Result<double> first = parseNumber(text.substr(0, at));
    const Result<double> last = parseNumber(text.substr(at + dots.size()));
    if (!first || !last || *first != std::floor(*first) || *last != std::floor(*last) || *last < *first ||
        *last - *first >= longest) {
        return std::nullopt;
    }
    std::vector<double> numbers;
    for (double number = *first; number <= *last; number += 1.0) {
        numbers.push_back(number);
    }
    return numbers;
}

/// Numbers and ranges between commas, in brackets or not; an empty text is an empty list.
Result<std::vector<double>> parseNumbers(const Parameter& row, std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const auto trimmed = [&](std::string_view part) {
        const std::size_t begin = std::min(part.find_first_not_of(blanks), part.size());
        const std::size_t end = part.find_last_not_of(blanks);
        return end == std::string_view::npos ? std::string_view() : part.substr(begin, end + 1 - begin);
    };
    std::string_view rest = trimmed(text);
    if (rest.size() >= 2 && rest.front() == '[' && rest.back() == ']') {
        rest = trimmed(rest.substr(1, rest.size() - 2));
    }
    std::vector<double> numbers;
    while (!rest.empty()) {
        const std::size_t comma = std::min(rest.find(','), rest.size());
        const std::string_view item = trimmed(rest.substr(0, comma));
        if (const auto range = parseRange(item); range && comma + 1 != rest.size()) {
            numbers.insert(numbers.end(), range->begin(), range->end());
            rest.remove_prefix(std::min(comma + 1, rest.size()));
            continue;
        }
        const Result<double> number = parseNumber(item);
        if (!number && !item.empty() && row.kind == ParameterKind::numberList) {
            Parameter one = row;
            one.id = fmt::format("{}[{}]", row.id, numbers.size());
            return refuse(one,
                          fmt::format("a number of {}..{}", formatGrouped(row.hardMinimum),
                                      formatGrouped(row.hardMaximum)),
                          quotedText(item));
        }
        if (!number || comma + 1 == rest.size()) {
            return refuse(row, "numbers separated by commas", quotedText(text));
        }
        numbers.push_back(*number);
        rest.remove_prefix(std::min(comma + 1, rest.size()));
    }
    return numbers;
}

Result<ParameterValue> parseOrder(const Parameter& row, std::string_view text) {
    const Result<std::vector<double>> numbers = parseNumbers(row, text);
    if (!numbers) {
        return tl::unexpected(numbers.error());
    }
    std::vector<int> order;
    order.reserve(numbers->size());
    for (const double number : *numbers) {
        const bool isIndex = number >= 0.0 && number <= double{maximumTokens} && number == std::floor(number);
        if (!isIndex) {
            return refuse(row, fmt::format("whole numbers of 0..{}", formatGrouped(double{maximumTokens})),
                          formatNumber(number));
        }
        order.push_back(static_cast<int>(number));
    }
    return order;
}

template <class Numbers, class Format>
std::string joined(const Numbers& numbers, Format format) {
    std::string text;
    for (const auto number : numbers) {
        text += (text.empty() ? "" : ",") + format(number);
    }
    return text;
}

}  // namespace

Result<ParameterValue> parseValue(const Parameter& row, std::string_view text) {
    switch (row.kind) {
        case ParameterKind::number:
        case ParameterKind::integer: {
            const Result<double> number = parseNumber(text);
            if (!number) {
                return refuse(row, row.kind == ParameterKind::integer ? "a whole number" : "a finite number",
                              quotedText(text));
            }
            return *number;
        }
        case ParameterKind::toggle:
            return parseToggle(row, text);
        case ParameterKind::choice:
        case ParameterKind::text:
            return std::string(text);
        case ParameterKind::tokens: {
            Result<TokenText> tokens = readTokens(text);
            if (!tokens) {
                return fail(ErrorKind::usage, tokens.error().message);
            }
            return std::move(tokens->tokens);
        }
        case ParameterKind::order:
            return parseOrder(row, text);
        case ParameterKind::numberList:
            return parseNumbers(row, text).map([](auto numbers) -> ParameterValue { return numbers; });
    }
    return fail(ErrorKind::usage, row.id + " has no value.");
}

std::string formatValue(const Parameter& /*row*/, const ParameterValue& value) {
    struct Formatter {
        std::string operator()(bool on) const { return on ? "true" : "false"; }
        std::string operator()(double number) const { return formatNumber(number); }
        std::string operator()(const std::string& text) const { return text; }
        std::string operator()(const SharedList<std::string>& tokens) const { return writeTokens(tokens); }
        std::string operator()(const SharedList<int>& order) const {
            return joined(order, [](int index) { return std::to_string(index); });
        }
        std::string operator()(const std::vector<double>& numbers) const {
            return joined(numbers, formatNumber);
        }
    };
    return std::visit(Formatter(), value);
}

Result<Scene> applySettings(const Scene& scene,
                            std::span<const std::pair<std::string, std::string>> settings) {
    Scene changed = scene;
    bool setsBeta = false;
    std::optional<ParameterValue> order;
    for (const auto& [id, text] : settings) {
        const Result<const Parameter*> row = requireParameter(id);
        if (!row) {
            return tl::unexpected(row.error());
        }
        const Result<ParameterValue> value = parseValue(**row, text);
        if (!value) {
            return tl::unexpected(value.error());
        }
        if (Result<void> set = setParameter(changed, **row, *value); !set) {
            return tl::unexpected(set.error());
        }
        setsBeta = setsBeta || id == "scaling.beta_fast" || id == "scaling.beta_slow";
        if (id == "order") {
            order = *value;
        }
    }
    std::vector<std::string> ids;
    for (const auto& setting : settings) {
        ids.push_back(setting.first);
    }
    if (Result<void> followed = followCapture(changed, ids); !followed) {
        return tl::unexpected(followed.error());
    }
    if (order) {  // tokens set after it have reset it; it must fit the tokens of the end
        requireParameter("order").value()->set(changed, *order);
    }
    if (Result<void> ordered = checkBetaOrder(changed.scaling); setsBeta && !ordered) {
        return tl::unexpected(ordered.error());
    }
    if (Result<void> valid = validate(changed); !valid) {
        return tl::unexpected(valid.error());
    }
    return changed;
}

}  // namespace phaseladder
