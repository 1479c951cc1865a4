#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace phaseladder {

inline constexpr std::size_t maximumTextBytes = 4u << 20;
inline constexpr std::size_t maximumTokens = 1u << 20;

/// A text for messages: in single quotes, control characters as \n, \x1b ..., bytes that are not UTF-8 as
/// \xNN, cut to about `maximumBytes` with an ellipsis.
[[nodiscard]] std::string quotedText(std::string_view text, std::size_t maximumBytes = 60);

/// A number of bytes for messages: "812 B", "10 001 B", whole "8 MiB" and "32 GiB"; what is not whole has one
/// decimal from 1 GiB on: "1.5 GiB".
[[nodiscard]] std::string byteText(std::uint64_t bytes);

/// One character at the start of a text, or the maximal invalid part there (Unicode, table 3-7).
struct DecodedCharacter {
    std::size_t bytes = 0;
    char32_t character = 0;
    bool valid = false;
};

/// `text` is not empty.
[[nodiscard]] DecodedCharacter decodeCharacter(std::string_view text);

struct CheckedText {
    std::string text;
    std::size_t replacements = 0;  ///< places where U+FFFD was put in
    std::size_t firstByte = 0;     ///< offset of the first of them in the given bytes
};

/// Valid UTF-8: each maximal invalid part (overlong forms, surrogates, beyond U+10FFFF, cut sequences)
/// becomes one U+FFFD.
[[nodiscard]] CheckedText checkUtf8(std::string_view bytes);

struct TokenText {
    std::vector<std::string> tokens;
    std::vector<std::string> warnings;  ///< "Not valid UTF-8 at byte 17; replaced by U+FFFD (1 place)."
};

/// Words between white space (as Unicode defines it), or the strings of a JSON list. Invalid UTF-8 is
/// replaced and said; above 4 MiB refused.
[[nodiscard]] Result<TokenText> readTokens(std::string_view text);

/// What parses back to the same tokens: words joined by spaces, or a JSON list where a token holds white
/// space, is empty, or the text would start with '['.
[[nodiscard]] std::string writeTokens(const std::vector<std::string>& tokens);

}  // namespace phaseladder
