#pragma once

#include <string>

#include "core/scene.h"

namespace phaseladder::test {

/// So many different words in a narrow head.
inline Scene wordScene(int words, const std::string& encoding, bool causal, int layers = 1) {
    Scene scene;
    scene.tokens.clear();
    for (int word = 0; word < words; ++word) {
        scene.tokens.push_back("word" + std::to_string(word));
    }
    scene.encoding = encoding;
    scene.causal = causal;
    scene.layers = layers;
    scene.headDim = 16;
    return scene;
}

}  // namespace phaseladder::test
