#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/captured_scene.h"
#include "core/engine.h"
#include "core/parameter.h"
#include "tests/core/capture_files.h"
#include "tests/core/import_test_parts.h"

namespace phaseladder::tests {

using Settings = std::vector<std::pair<std::string, std::string>>;

inline bool hasSentence(const std::vector<std::string>& sentences, const std::string& part) {
    return std::ranges::any_of(sentences, [&](const std::string& sentence) { return says(sentence, part); });
}

inline Result<Figure> drawn(const Scene& scene, const std::string& id = "attention") {
    Engine engine;
    FigureRequest request;
    request.id = id;
    return engine.figure(scene, request);
}

/// A head of a row-major array, heads × tokens × channels.
inline RowMatrix headOf(const Numbers& numbers, std::int64_t head) {
    RowMatrix rows(numbers.shape.at(1), numbers.shape.at(2));
    for (std::int64_t row = 0; row < rows.rows(); ++row) {
        for (std::int64_t channel = 0; channel < rows.cols(); ++channel) {
            rows(row, channel) = numbers.at(head, row, channel);
        }
    }
    return rows;
}

inline double largestDifference(const RowMatrix& left, const RowMatrix& right) {
    return (left - right).cwiseAbs().maxCoeff();
}

/// Files of a test, and scenes that read them.
class CaptureFixture {
protected:
    TemporaryFiles m_files;

    std::string write(const std::string& name, const std::string& bytes) const {
        return m_files.write(name, bytes).string();
    }

    /// The start-up scene with real heads and more settings.
    Result<Scene> opened(Settings settings) const { return applySettings(Scene(), settings); }

    std::string refusal(Settings settings) const {
        const Result<Scene> scene = opened(std::move(settings));
        if (!scene) {
            return scene.error().message;
        }
        const Result<Figure> figure = drawn(*scene);
        return figure ? "accepted" : figure.error().message;
    }
};

}  // namespace phaseladder::tests
