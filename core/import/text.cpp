#include "core/import/text.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/import/checked_json.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

constexpr std::string_view replacementCharacter = "\ufffd";
constexpr std::string_view byteOrderMark = "\ufeff";

/// The White_Space property of Unicode.
bool isWhiteSpace(char32_t character) {
    return (character >= 0x09 && character <= 0x0d) || character == 0x20 || character == 0x85 ||
           character == 0xa0 || character == 0x1680 || (character >= 0x2000 && character <= 0x200a) ||
           character == 0x2028 || character == 0x2029 || character == 0x202f || character == 0x205f ||
           character == 0x3000;
}

bool holdsWhiteSpace(std::string_view text) {
    while (!text.empty()) {
        const DecodedCharacter next = decodeCharacter(text);
        if (next.valid && isWhiteSpace(next.character)) {
            return true;
        }
        text.remove_prefix(next.bytes);
    }
    return false;
}

/// `text` is valid UTF-8.
std::vector<std::string> splitWords(std::string_view text) {
    std::vector<std::string> words;
    std::size_t wordBegin = 0;
    const auto endWord = [&](std::size_t end) {
        if (end > wordBegin) {
            words.emplace_back(text.substr(wordBegin, end - wordBegin));
        }
    };
    for (std::size_t at = 0; at < text.size();) {
        const DecodedCharacter next = decodeCharacter(text.substr(at));
        if (isWhiteSpace(next.character)) {
            endWord(at);
            wordBegin = at + next.bytes;
        }
        at += next.bytes;
    }
    endWord(text.size());
    return words;
}

Result<std::vector<std::string>> listedTokens(const nlohmann::ordered_json& list) {
    std::vector<std::string> tokens;
    tokens.reserve(list.size());
    for (const nlohmann::ordered_json& item : list) {
        if (!item.is_string()) {
            return fail(ErrorKind::usage, fmt::format("Tokens must be texts (item {} of the list is {}).",
                                                      tokens.size(), quotedText(item.dump())));
        }
        tokens.push_back(item.get<std::string>());
    }
    return tokens;
}

/// A text that begins with "[" and a quote is a list, complete or not; "[1] Vaswani et al." is words.
Result<std::vector<std::string>> tokensOf(std::string_view text) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    if (!text.substr(begin).starts_with('[')) {
        return splitWords(text);
    }
    const auto list = parseCheckedJson(text.substr(begin), maximumTextBytes, maximumTokens + 2);
    if (list) {
        return listedTokens(*list);
    }
    const std::size_t inside = std::min(text.find_first_not_of(blanks, begin + 1), text.size());
    if (text.substr(inside).starts_with('"')) {
        return fail(ErrorKind::usage, "Tokens look like a JSON list, but: " + list.error().message);
    }
    return splitWords(text);
}

}  // namespace

DecodedCharacter decodeCharacter(std::string_view text) {
    const auto byteAt = [&](std::size_t index) { return static_cast<std::uint8_t>(text[index]); };
    const std::uint8_t lead = byteAt(0);
    if (lead < 0x80) {
        return {1, lead, true};
    }
    std::size_t length = 0;
    std::uint8_t secondMinimum = 0x80;
    std::uint8_t secondMaximum = 0xbf;
    if (lead >= 0xc2 && lead <= 0xdf) {
        length = 2;
    } else if (lead >= 0xe0 && lead <= 0xef) {
        length = 3;
        secondMinimum = lead == 0xe0 ? 0xa0 : 0x80;  // overlong below
        secondMaximum = lead == 0xed ? 0x9f : 0xbf;  // surrogates above
    } else if (lead >= 0xf0 && lead <= 0xf4) {
        length = 4;
        secondMinimum = lead == 0xf0 ? 0x90 : 0x80;  // overlong below
        secondMaximum = lead == 0xf4 ? 0x8f : 0xbf;  // beyond U+10FFFF above
    } else {
        return {1, 0, false};
    }
    char32_t character = lead & (0x7f >> length);
    for (std::size_t index = 1; index < length; ++index) {
        const std::uint8_t minimum = index == 1 ? secondMinimum : 0x80;
        const std::uint8_t maximum = index == 1 ? secondMaximum : 0xbf;
        if (index >= text.size() || byteAt(index) < minimum || byteAt(index) > maximum) {
            return {index, 0, false};
        }
        character = (character << 6) | (byteAt(index) & 0x3fu);
    }
    return {length, character, true};
}

std::string quotedText(std::string_view text, std::size_t maximumBytes) {
    std::string result = "'";
    while (!text.empty()) {
        if (result.size() > maximumBytes) {
            result += "…";
            break;
        }
        const DecodedCharacter next = decodeCharacter(text);
        const auto byte = static_cast<unsigned>(static_cast<std::uint8_t>(text.front()));
        if (!next.valid) {
            for (std::size_t index = 0; index < next.bytes; ++index) {
                result += fmt::format("\\x{:02x}", static_cast<std::uint8_t>(text[index]));
            }
        } else if (next.character == U'\n') {
            result += "\\n";
        } else if (next.character == U'\t') {
            result += "\\t";
        } else if (next.character == U'\r') {
            result += "\\r";
        } else if (next.character < 0x20 || next.character == 0x7f) {
            result += fmt::format("\\x{:02x}", byte);
        } else if ((next.character >= 0x80 && next.character < 0xa0) || next.character == 0x2028 ||
                   next.character == 0x2029) {
            result += fmt::format("\\u{:04x}", static_cast<std::uint32_t>(next.character));
        } else {
            result += text.substr(0, next.bytes);
        }
        text.remove_prefix(next.bytes);
    }
    return result + "'";
}

std::string byteText(std::uint64_t bytes) {
    constexpr std::array<const char*, 5> names{"MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t unit = names.size();
    while (unit > 0 && bytes >> (10 * (unit + 1)) == 0) {
        --unit;
    }
    const std::uint64_t whole = std::uint64_t{1} << (10 * (unit + 1));
    if (unit > 0 && bytes % whole == 0) {
        return fmt::format("{} {}", bytes / whole, names[unit - 1]);
    }
    if (unit > 1) {
        return fmt::format("{:.1f} {}", static_cast<double>(bytes) / static_cast<double>(whole),
                           names[unit - 1]);
    }
    return formatGrouped(bytes) + " B";
}

CheckedText checkUtf8(std::string_view bytes) {
    CheckedText checked;
    checked.text.reserve(bytes.size());
    for (std::size_t at = 0; at < bytes.size();) {
        const DecodedCharacter next = decodeCharacter(bytes.substr(at));
        if (next.valid) {
            checked.text += bytes.substr(at, next.bytes);
        } else {
            if (checked.replacements == 0) {
                checked.firstByte = at;
            }
            ++checked.replacements;
            checked.text += replacementCharacter;
        }
        at += next.bytes;
    }
    return checked;
}

Result<TokenText> readTokens(std::string_view text) {
    if (text.size() > maximumTextBytes) {
        return fail(ErrorKind::invalidInput,
                    fmt::format("Text is {} bytes; the limit is {}.", formatGrouped(text.size()),
                                formatGrouped(maximumTextBytes)));
    }
    TokenText result;
    const CheckedText checked = checkUtf8(text);
    if (checked.replacements > 0) {
        result.warnings.push_back(fmt::format("Not valid UTF-8 at byte {}; replaced by U+FFFD ({} place{}).",
                                              checked.firstByte, checked.replacements,
                                              checked.replacements == 1 ? "" : "s"));
    }
    std::string_view characters = checked.text;
    if (characters.starts_with(byteOrderMark)) {
        characters.remove_prefix(byteOrderMark.size());
    }
    auto tokens = tokensOf(characters);
    if (!tokens) {
        return tl::unexpected(tokens.error());
    }
    if (tokens->size() > maximumTokens) {
        return fail(ErrorKind::invalidInput,
                    fmt::format("Text has {} tokens; the limit is {}.", formatGrouped(tokens->size()),
                                formatGrouped(maximumTokens)));
    }
    result.tokens = std::move(*tokens);
    return result;
}

std::string writeTokens(const std::vector<std::string>& tokens) {
    const bool list = std::any_of(tokens.begin(), tokens.end(), [&](const std::string& token) {
        const bool misread =
            &token == tokens.data() && (token.starts_with('[') || token.starts_with(byteOrderMark));
        return token.empty() || misread || holdsWhiteSpace(token);
    });
    if (list) {
        using Json = nlohmann::json;
        return Json(tokens).dump(-1, ' ', false, Json::error_handler_t::replace);
    }
    std::string text;
    for (const std::string& token : tokens) {
        text += text.empty() ? token : " " + token;
    }
    return text;
}

}  // namespace phaseladder
