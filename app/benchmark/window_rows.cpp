#include <cmath>
#include <memory>
#include <stdexcept>

#include <fmt/format.h>

#include "app/benchmark/painted_map.h"
#include "app/benchmark/parts.h"
#include "app/benchmark/words.h"
#include "core/attention/permutations.h"
#include "core/engine.h"
#include "core/random.h"
#include "ui/document.h"
#include "ui/main_window.h"

namespace phaseladder::app {
namespace {

constexpr int longestWaitMs = 60000;

using Painted = ui::MainWindow::Painted;

void waitForPainted(ui::MainWindow& window, Painted wanted = Painted::whole) {
    if (!window.waitForPainted(longestWaitMs, wanted)) {
        throw std::runtime_error("The window was not painted within a minute.");
    }
}

std::unique_ptr<ui::MainWindow> shownWindow() {
    auto window = std::make_unique<ui::MainWindow>(std::make_unique<Engine>(), nullptr, QString());
    window->resize(1440, 900);
    window->show();
    return window;
}

using Parameters = std::vector<std::pair<QString, ParameterValue>>;

/// Theta moves by 1 %: until its picture, or the first one of it, is in all four panes.
BenchmarkRow sliderTick(const std::string& id, const std::string& text, Parameters parameters, Painted wanted,
                        double longestMs, int ticks) {
    const std::unique_ptr<ui::MainWindow> window = shownWindow();
    ui::SceneDocument& document = *window->document();
    parameters.insert(parameters.end(), {{QStringLiteral("head_dim"), 128.0},
                                         {QStringLiteral("causal"), true},
                                         {QStringLiteral("scaling"), std::string("yarn")}});
    document.setParameters(parameters);
    waitForPainted(*window, wanted);
    document.beginGesture();
    BenchmarkRow row = measure(id, fmt::format("d=128, {}, window 1440x900", text), ticks, [&](int run) {
        document.setParameter(QStringLiteral("rope.theta"), 10000.0 * std::pow(1.01, run + 1));
        waitForPainted(*window, wanted);
    });
    document.endGesture();
    row.amount = longestMs;
    return row;
}

BenchmarkRow sliderTickOfWords(const std::string& id, int tokens, double longestMs, int ticks) {
    return sliderTick(id, fmt::format("{} tokens", tokens),
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
    return {sliderTickOfWords("B2_slider_tick", 256, 16.0, 300)};
}

std::vector<BenchmarkRow> sliderTick4096Rows() {
    return {sliderTickOfWords("B2_slider_tick_4096", 4096, 33.0, 100)};
}

std::vector<BenchmarkRow> sliderTick131072Rows() {
    return {sliderTick("B6_slider_tick_131072", "131072 tokens, first picture",
                       {{QStringLiteral("text.length"), 131072.0}}, Painted::firstPicture, 100.0, 30)};
}

std::vector<BenchmarkRow> tokenDropRows() {
    constexpr int tokens = 64;
    const std::unique_ptr<ui::MainWindow> window = shownWindow();
    ui::SceneDocument& document = *window->document();
    document.setParameter(QStringLiteral("tokens"), differentWords(tokens));
    waitForPainted(*window);
    BenchmarkRow row =
        measure("B2_token_drop", fmt::format("{} tokens, d=64, window 1440x900", tokens), 200, [&](int run) {
            document.setParameter(QStringLiteral("order"), shuffledOrder(tokens, std::uint64_t(run)));
            waitForPainted(*window);
        });
    row.amount = 16.0;
    return {row};
}

std::vector<BenchmarkRow> paintRows() {
    return {paint("B8_paint_1920x1080", 1920, 1080, 4.0), paint("B8_paint_3840x2160", 3840, 2160, 16.0)};
}

}  // namespace phaseladder::app
