#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

namespace phaseladder::tests {

enum class Verdict {
    ok,
    wrong,   ///< what was computed is not right
    missed,  ///< it is right, and slower than the bar
};

/// A line of the table that gpu_check prints, in Markdown.
struct Row {
    std::string what;
    int cases = 0;
    std::string result{}, bar{};
    Verdict verdict = Verdict::ok;
};

void print(const Row& row);

/// As printf writes it.
template <class... Values>
[[nodiscard]] std::string formatted(const char* format, Values... values) {
    std::string text(256, '\0');
    const int size = std::snprintf(text.data(), text.size(), format, values...);
    text.resize(size < 0 ? 0 : std::min(static_cast<std::size_t>(size), text.size() - 1));
    return text;
}

}  // namespace phaseladder::tests
