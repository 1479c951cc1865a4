#include "core/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <utility>

#include "core/import/text.h"

namespace phaseladder {
namespace {

bool isDigit(char character) {
    return character >= '0' && character <= '9';
}

char lowered(char character) {
    return character >= 'A' && character <= 'Z' ? static_cast<char>(character - 'A' + 'a') : character;
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
        text.replace(at, from.size(), to);
    }
}

/// Minus signs, spaces and π of typesetting as ASCII, then without the marks between groups of three digits.
std::string plainSpelling(std::string_view text) {
    std::string spelled(text);
    for (const std::string_view space : {"\u2009", "\u202f", "\u00a0"}) {
        replaceAll(spelled, space, " ");
    }
    replaceAll(spelled, "\u2212", "-");
    replaceAll(spelled, "\u03c0", "pi");

    std::string result;
    for (std::size_t at = 0; at < spelled.size(); ++at) {
        const auto digitAt = [&](std::size_t index) {
            return index < spelled.size() && isDigit(spelled[index]);
        };
        const bool mark = spelled[at] == ' ' || spelled[at] == '_';
        const bool between = !result.empty() && isDigit(result.back()) && digitAt(at + 1);
        const bool groupOfThree = digitAt(at + 1) && digitAt(at + 2) && digitAt(at + 3) && !digitAt(at + 4);
        if (!(mark && between && groupOfThree)) {
            result += spelled[at];
        }
    }
    return result;
}

/// product: power (("*" | "/") power)*    power: atom ("^" power)?    atom: sign? (number suffix? | pi | inf
/// | nan)
class NumberReader {
public:
    explicit NumberReader(std::string_view text) : m_rest(text) {}

    /// Nothing when the text is no number.
    std::optional<double> read() {
        const std::optional<double> value = product();
        skipSpaces();
        return m_rest.empty() ? value : std::nullopt;
    }

private:
    void skipSpaces() {
        while (!m_rest.empty() && (m_rest.front() == ' ' || m_rest.front() == '\t')) {
            m_rest.remove_prefix(1);
        }
    }

    bool take(char wanted) {
        skipSpaces();
        if (m_rest.empty() || lowered(m_rest.front()) != wanted) {
            return false;
        }
        m_rest.remove_prefix(1);
        return true;
    }

    bool takeWord(std::string_view word) {
        if (m_rest.size() < word.size()) {
            return false;
        }
        for (std::size_t index = 0; index < word.size(); ++index) {
            if (lowered(m_rest[index]) != word[index]) {
                return false;
            }
        }
        m_rest.remove_prefix(word.size());
        return true;
    }

    std::optional<double> product() {
        std::optional<double> value = signedPower();
        while (value) {
            const bool divides = take('/');
            if (!divides && !take('*')) {
                return value;
            }
            const std::optional<double> factor = signedPower();
            if (!factor) {
                return std::nullopt;
            }
            value = divides ? *value / *factor : *value * *factor;
        }
        return value;
    }

    std::optional<double> signedPower() {
        const bool negative = take('-');
        if (!negative) {
            take('+');
        }
        const std::optional<double> base = atom();
        if (!base) {
            return std::nullopt;
        }
        double value = *base;
        if (take('^')) {
            const std::optional<double> exponent = signedPower();
            if (!exponent) {
                return std::nullopt;
            }
            value = std::pow(value, *exponent);
        }
        return negative ? -value : value;
    }

    std::optional<double> atom() {
        skipSpaces();
        if (takeWord("pi")) {
            return std::numbers::pi;
        }
        if (takeWord("infinity") || takeWord("inf")) {
            return std::numeric_limits<double>::infinity();
        }
        if (takeWord("nan")) {
            return std::numeric_limits<double>::quiet_NaN();
        }
        if (m_rest.empty() || !(isDigit(m_rest.front()) || m_rest.front() == '.')) {
            return std::nullopt;
        }
        double value = 0.0;
        const auto [end, error] = std::from_chars(m_rest.data(), m_rest.data() + m_rest.size(), value);
        if (error != std::errc()) {
            return std::nullopt;
        }
        m_rest.remove_prefix(static_cast<std::size_t>(end - m_rest.data()));
        if (!m_rest.empty() && lowered(m_rest.front()) == 'k') {
            m_rest.remove_prefix(1);
            return value * 1e3;
        }
        if (!m_rest.empty() && m_rest.front() == 'M') {
            m_rest.remove_prefix(1);
            return value * 1e6;
        }
        return value;
    }

    std::string_view m_rest;
};

std::string notFinite(double value) {
    if (std::isnan(value)) {
        return "nan";
    }
    return value > 0 ? "inf" : "-inf";
}

/// Room for the longest fixed form used here, with its decimals.
using Characters = std::array<char, 64>;

}  // namespace

Result<double> parseNumber(std::string_view text) {
    const std::string spelled = plainSpelling(text);
    const std::optional<double> value = NumberReader(spelled).read();
    if (!value) {
        return fail(ErrorKind::usage, quotedText(text) + " is not a number");
    }
    return *value;
}

std::string formatNumber(double value) {
    if (!std::isfinite(value)) {
        return notFinite(value);
    }
    const double size = std::abs(value);
    const bool plain = size == 0.0 || (size >= 1e-5 && size < 1e17);
    Characters characters{};
    const auto format = plain ? std::chars_format::fixed : std::chars_format::scientific;
    const auto written =
        std::to_chars(characters.data(), characters.data() + characters.size(), value, format);
    return {characters.data(), written.ptr};
}

std::string groupedDigits(std::string number, std::string_view separator, std::size_t leastDigits) {
    const std::size_t begin = number.starts_with('-') ? 1 : 0;
    const std::size_t wholeEnd = std::min(number.find_first_not_of("0123456789", begin), number.size());
    if (wholeEnd - begin >= leastDigits) {
        for (std::size_t at = wholeEnd; at > begin + 3;) {
            number.insert(at -= 3, separator);
        }
    }
    return number;
}

std::string formatGrouped(double value) {
    return groupedDigits(formatNumber(value), " ");
}

std::string formatForPeople(double value, int digits) {
    if (!std::isfinite(value)) {
        return notFinite(value);
    }
    const double size = std::abs(value);
    Characters characters{};
    char* const begin = characters.data();
    char* const end = begin + characters.size();
    if (size != 0.0 && (size < 1e-4 || size >= 1e15)) {
        const auto written = std::to_chars(begin, end, value, std::chars_format::scientific, digits - 1);
        std::string text(begin, written.ptr);
        const std::size_t exponentAt = text.find('e');
        std::string mantissa = text.substr(0, exponentAt);
        if (mantissa.find('.') != std::string::npos) {
            mantissa.erase(mantissa.find_last_not_of('0') + 1);
            mantissa.erase(mantissa.find_last_not_of('.') + 1);
        }
        const bool negative = text[exponentAt + 1] == '-';
        const std::size_t digitsAt = text.find_first_not_of('0', exponentAt + 2);
        return mantissa + (negative ? "e-" : "e") + text.substr(digitsAt);
    }
    const int wholeDigits = size == 0.0 ? 1 : static_cast<int>(std::floor(std::log10(size))) + 1;
    const int decimals = digits > wholeDigits ? digits - wholeDigits : 0;
    const auto written = std::to_chars(begin, end, value, std::chars_format::fixed, decimals);
    std::string text(begin, written.ptr);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        text.erase(text.find_last_not_of('.') + 1);
    }
    return groupedDigits(text == "-0" ? "0" : text, "\u2009");
}

}  // namespace phaseladder
