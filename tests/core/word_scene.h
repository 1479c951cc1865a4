#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/scene.h"

namespace phaseladder::test {

/// So many different words.
inline std::vector<std::string> numberedWords(std::int64_t count) {
    std::vector<std::string> words;
    for (std::int64_t word = 0; word < count; ++word) {
        words.push_back("word" + std::to_string(word));
    }
    return words;
}

/// So many different words in a narrow head.
inline Scene wordScene(int words, const std::string& encoding, bool causal, int layers = 1) {
    Scene scene;
    scene.tokens = numberedWords(words);
    scene.encoding = encoding;
    scene.causal = causal;
    scene.layers = layers;
    scene.headDim = 16;
    return scene;
}

}  // namespace phaseladder::test
