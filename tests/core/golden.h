#pragma once

#include <cmath>
#include <fstream>
#include <string>

#include <nlohmann/json.hpp>

namespace phaseladder::tests {

/// A file of tests/golden; throws where it cannot be read.
inline nlohmann::json readGolden(const std::string& name) {
    std::ifstream file(std::string(PHASELADDER_SOURCE_DIR "/tests/golden/") + name);
    return nlohmann::json::parse(file);
}

/// |value - expected| ≤ tolerance · |expected|; exact for an expected 0.
inline bool isRelativelyClose(double value, double expected, double tolerance) {
    return std::abs(value - expected) <= tolerance * std::abs(expected);
}

}  // namespace phaseladder::tests
