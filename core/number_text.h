#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

#include "core/result.h"

namespace phaseladder {

/// Reads a number as a person types it: `1e6`, `1 000 000`, `1_000_000`, `500k`, `8M`, `2^20`, `1/4`, `2*pi`,
/// `-3`, `inf`, `nan`. No locale. The message quotes the text; the caller adds the name.
[[nodiscard]] Result<double> parseNumber(std::string_view text);

/// Shortest form that reads back to the same double ("0.1", "1e+06" never: "1000000"); inf, -inf, nan.
[[nodiscard]] std::string formatNumber(double value);

/// For messages: formatNumber with the thousands of the whole part set apart by plain spaces from 10 000 on:
/// "4 194 304".
[[nodiscard]] std::string formatGrouped(double value);
[[nodiscard]] std::string formatGrouped(std::integral auto value) {
    return formatGrouped(static_cast<double>(value));
}

/// A number's text with the thousands of its whole part set apart, where it has so many digits.
[[nodiscard]] std::string groupedDigits(std::string number, std::string_view separator,
                                        std::size_t leastDigits = 5);

/// For people: every digit of the whole part, decimals up to `digits` significant digits, thousands set apart
/// by a thin space (U+2009) from 10 000 on: "500 000", "1.1386".
[[nodiscard]] std::string formatForPeople(double value, int digits = 5);

}  // namespace phaseladder
