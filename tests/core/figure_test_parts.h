#pragma once

#include <QTest>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/engine.h"
#include "core/figures/figure.h"
#include "core/scene.h"

namespace phaseladder::test {

/// The figure of a scene that must have one.
inline Figure figureOf(const Scene& scene, FigureRequest request) {
    Engine engine;
    Result<Figure> figure = engine.figure(scene, request);
    if (!figure) {
        QTest::qFail(figure.error().message.c_str(), __FILE__, __LINE__);
        return {};
    }
    return *figure;
}

inline Figure figureOf(const Scene& scene, std::string id) {
    FigureRequest request;
    request.id = std::move(id);
    return figureOf(scene, request);
}

inline const Readout* findReadout(const Figure& figure, std::string_view id) {
    const auto found = std::ranges::find(figure.readouts, id, &Readout::id);
    return found == figure.readouts.end() ? nullptr : &*found;
}

/// The number of a readout; NaN where there is none.
inline double readoutNumber(const Figure& figure, std::string_view id) {
    const Readout* readout = findReadout(figure, id);
    const double* value = readout == nullptr ? nullptr : std::get_if<double>(&readout->value);
    return value == nullptr ? std::numeric_limits<double>::quiet_NaN() : *value;
}

/// Empty where there is no such column.
inline std::vector<double> columnOf(const Figure& figure, std::string_view name) {
    const auto found = std::ranges::find(figure.table, name, &TableColumn::name);
    return found == figure.table.end() ? std::vector<double>{} : found->values;
}

template <class LayerType>
std::vector<LayerType> layersOf(const Panel& panel) {
    std::vector<LayerType> layers;
    for (const Layer& layer : panel.layers) {
        if (const auto* one = std::get_if<LayerType>(&layer)) {
            layers.push_back(*one);
        }
    }
    return layers;
}

inline bool isClose(double value, double expected, double relativeTolerance) {
    return std::abs(value - expected) <= relativeTolerance * std::abs(expected);
}

/// RoPE with d = 128 and lengths of a model.
inline Scene ropeScene(double theta, std::int64_t trained, std::int64_t target) {
    Scene scene;
    scene.headDim = 128;
    scene.rope.theta = theta;
    scene.length = {trained, target};
    return scene;
}

/// Llama-2 at 64k tokens: YaRN ×16 from 4096.
inline Scene llama2At64k() {
    Scene scene = ropeScene(1e4, 4096, 65536);
    scene.scaling.method = "yarn";
    scene.scaling.factor = 16.0;
    return scene;
}

/// Llama 3.1 8B: its own scaling ×8 from 8192.
inline Scene llama31() {
    Scene scene = ropeScene(5e5, 8192, 131072);
    scene.scaling.method = "llama3";
    scene.scaling.factor = 8.0;
    return scene;
}

/// Qwen2.5 with YaRN ×4 from 32768.
inline Scene qwen25() {
    Scene scene = ropeScene(1e6, 32768, 131072);
    scene.scaling.method = "yarn";
    scene.scaling.factor = 4.0;
    return scene;
}

/// gpt-oss: r = 64, YaRN ×32 from 4096 without truncation.
inline Scene gptOss() {
    Scene scene = ropeScene(150000.0, 4096, 131072);
    scene.headDim = 64;
    scene.scaling.method = "yarn";
    scene.scaling.factor = 32.0;
    scene.scaling.truncate = false;
    return scene;
}

}  // namespace phaseladder::test
