#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/import/text.h"
#include "core/scene.h"

namespace phaseladder {
namespace {

bool isRightToLeft(char32_t character) {
    return (character >= 0x0590 && character <= 0x08ff) || character == 0x200f ||
           (character >= 0x202a && character <= 0x202e) || (character >= 0x2066 && character <= 0x2069) ||
           (character >= 0xfb1d && character <= 0xfdff) || (character >= 0xfe70 && character <= 0xfeff) ||
           (character >= 0x10800 && character <= 0x10fff) || (character >= 0x1e800 && character <= 0x1efff);
}

bool holdsRightToLeft(std::string_view text) {
    while (!text.empty()) {
        const DecodedCharacter next = decodeCharacter(text);
        if (next.valid && isRightToLeft(next.character)) {
            return true;
        }
        text.remove_prefix(next.bytes);
    }
    return false;
}

/// A token as it is shown: control characters as their pictures (␀), a token of blanks as ␠, an empty one as
/// ∅, and right-to-left text isolated, so that labels side by side keep their order.
std::string visibleToken(const std::string& token) {
    if (token.empty()) {
        return "∅";
    }
    const bool isBlank = token.find_first_not_of(' ') == std::string::npos;
    std::string visible;
    for (const char character : token) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20) {
            visible += "\xe2\x90";
            visible += static_cast<char>(0x80 + byte);  // U+2400 + byte
        } else if (byte == 0x7f) {
            visible += "␡";
        } else if (isBlank) {
            visible += "␠";
        } else {
            visible += character;
        }
    }
    return holdsRightToLeft(token) ? "\u2068" + visible + "\u2069" : visible;
}

std::string subscript(std::int64_t number) {
    std::string text;
    for (const char digit : std::to_string(number)) {
        text += "\xe2\x82";
        text += static_cast<char>(0x80 + (digit - '0'));  // U+2080 + digit
    }
    return text;
}

}  // namespace

std::vector<std::string> tokenLabels(const Scene& scene) {
    struct Count {
        std::int64_t all = 0;
        std::int64_t labelled = 0;
    };
    std::unordered_map<std::string_view, Count> counts;
    for (const std::string& token : scene.tokens) {
        ++counts[token].all;
    }
    std::vector<std::string> labels;
    labels.reserve(scene.tokens.size());
    for (const std::string& token : scene.tokens) {
        if (token.empty() && hasCapture(scene)) {
            labels.emplace_back();
            continue;
        }
        Count& count = counts[token];
        labels.push_back(visibleToken(token) + (count.all > 1 ? subscript(++count.labelled) : std::string()));
    }
    return labels;
}

}  // namespace phaseladder
