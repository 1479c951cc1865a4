#include <cmath>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "app/benchmark/painted_map.h"
#include "app/benchmark/parts.h"
#include "app/benchmark/shown_window.h"
#include "app/benchmark/words.h"
#include "core/attention/permutations.h"
#include "core/random.h"

namespace phaseladder::app {
namespace {

using Painted = ShownWindow::Painted;
using Parameters = std::vector<std::pair<QString, ParameterValue>>;

/// Theta moves by 1 %: until its picture, or the first one of it, is in all four panes.
BenchmarkRow sliderTick(const std::string& id, const std::string& text, int headDim, Parameters parameters,
                        Painted wanted, double longestMs, int ticks) {
    parameters.insert(parameters.end(), {{QStringLiteral("head_dim"), double(headDim)},
                                         {QStringLiteral("causal"), true},
                                         {QStringLiteral("scaling"), std::string("yarn")}});
    ShownWindow window(parameters, wanted);
    BenchmarkRow row =
        measure(id, fmt::format("d={}, {}, window 1440x900", headDim, text), ticks, [&](int run) {
            window.set(QStringLiteral("rope.theta"), 10000.0 * std::pow(1.01, run + 1), wanted);
        });
    row.amount = longestMs;
    return row;
}

BenchmarkRow sliderTickOfWords(const std::string& id, int tokens, int headDim, double longestMs, int ticks) {
    return sliderTick(id, fmt::format("{} tokens", tokens), headDim,
                      {{QStringLiteral("tokens"), differentWords(tokens)}}, Painted::whole, longestMs, ticks);
}

BenchmarkRow paint(const std::string& id, int columns, int rows, double longestMs) {
    PaintedMap map;
    Random random(1);
    std::vector<double> values(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns));
    for (double& value : values) {
        value = random.uniform();
    }
    map.setValues(rows, columns, std::move(values), {}, 1.0);
    BenchmarkRow row = measure(id, fmt::format("{} x {} values to colours to a widget", columns, rows), 31,
                               [&map](int) { map.paintNow(); });
    row.amount = longestMs;
    return row;
}

}  // namespace

std::vector<BenchmarkRow> sliderTickRows() {
    return {sliderTickOfWords("B2_slider_tick", 256, 128, 16.0, 300)};
}

std::vector<BenchmarkRow> sliderTickWidthRows() {
    return {sliderTickOfWords("B2_slider_tick_d64", 256, 64, 16.0, 300),
            sliderTickOfWords("B2_slider_tick_d256", 256, 256, 16.0, 300)};
}

std::vector<BenchmarkRow> sliderTick4096Rows() {
    return {sliderTickOfWords("B2_slider_tick_4096", 4096, 128, 33.0, 100)};
}

std::vector<BenchmarkRow> sliderTick131072Rows() {
    return {sliderTick("B6_slider_tick_131072", "131072 tokens, first picture", 128,
                       {{QStringLiteral("text.length"), 131072.0}}, Painted::firstPicture, 100.0, 30)};
}

std::vector<BenchmarkRow> tokenDropRows() {
    constexpr int tokens = 64;
    ShownWindow window({{QStringLiteral("tokens"), differentWords(tokens)}});
    BenchmarkRow row = measure(
        "B2_token_drop", fmt::format("{} tokens, d=64, window 1440x900", tokens), 200,
        [&](int run) { window.set(QStringLiteral("order"), shuffledOrder(tokens, std::uint64_t(run))); });
    row.amount = 16.0;
    return {row};
}

std::vector<BenchmarkRow> paintRows() {
    return {paint("B8_paint_1920x1080", 1920, 1080, 4.0), paint("B8_paint_3840x2160", 3840, 2160, 16.0)};
}

}  // namespace phaseladder::app
