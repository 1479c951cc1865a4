#pragma once

#include <string>
#include <vector>

namespace phaseladder::app {

/// A text of `count` different words.
[[nodiscard]] inline std::vector<std::string> differentWords(int count) {
    std::vector<std::string> words;
    for (int index = 0; index < count; ++index) {
        words.push_back("word" + std::to_string(index));
    }
    return words;
}

}  // namespace phaseladder::app
