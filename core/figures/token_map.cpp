#include "core/figures/token_map.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/figures/figure_parts.h"

namespace phaseladder {
namespace {

constexpr std::int64_t mostShownTokens = 256;
constexpr std::int64_t largestWritten = 16;

std::string parameterOf(AxisMeaning meaning) {
    return meaning == AxisMeaning::queryToken ? "view.token" : "view.key";
}

int viewedOn(AxisMeaning meaning, const Scene& scene) {
    return meaning == AxisMeaning::queryToken ? viewedToken(scene) : viewedKey(scene);
}

Axis tokenAxis(AxisMeaning meaning, std::string title, std::int64_t tokens,
               const std::vector<std::string>& labels) {
    Axis axis;
    axis.meaning = meaning;
    axis.title = std::move(title);
    axis.minimum = -0.5;
    axis.maximum = static_cast<double>(tokens) - 0.5;
    axis.wholeNumbers = true;
    axis.labels = labels;
    return axis;
}

}  // namespace

std::string tokensWanted(const Scene& scene) {
    return scene.tokens.empty() ? "Type words or drop a text file here." : "";
}

std::int64_t shownTokens(const Scene& scene) {
    return std::min(sequenceLength(scene), mostShownTokens);
}

void noteShownTokens(Figure& figure, const Scene& scene) {
    if (sequenceLength(scene) > mostShownTokens) {
        figure.notes.push_back(fmt::format("The map shows the first {} of {} tokens.", mostShownTokens,
                                           groupedNumber(sequenceLength(scene))));
    }
}

double largestMagnitude(const std::vector<double>& values) {
    double largest = noValue;
    for (const double value : values) {
        if (std::isfinite(value)) {
            largest = std::fmax(largest, std::abs(value));
        }
    }
    return largest;
}

Heatmap centredMap(const RowMatrix& values, double smallestReach, std::string valueTitle) {
    Heatmap map;
    map.rows = values.rows();
    map.columns = values.cols();
    map.values.assign(values.data(), values.data() + values.size());
    const auto isMissing = [](double value) { return !std::isfinite(value); };
    if (std::ranges::any_of(map.values, isMissing)) {
        for (const double value : map.values) {
            map.states.push_back(isMissing(value) ? CellState::undefined : CellState::shown);
        }
    }
    map.map = ColorMapKind::diverging;
    map.high = std::fmax(largestMagnitude(map.values), smallestReach);
    map.low = -map.high;
    map.valueTitle = std::move(valueTitle);
    map.writeValues = map.rows <= largestWritten && map.columns <= largestWritten;
    return map;
}

AxisChoice tokenChoice(const Scene& scene, AxisMeaning meaning, std::vector<int> tokens) {
    const auto viewed = std::ranges::find(tokens, viewedOn(meaning, scene));
    std::optional<double> at;
    if (viewed != tokens.end()) {
        at = static_cast<double>(viewed - tokens.begin());
    }
    return {.parameterId = parameterOf(meaning), .values = std::move(tokens), .at = at};
}

AxisChoice positionChoice(const Scene& scene, AxisMeaning meaning, std::int64_t first, std::int64_t count) {
    const auto words = static_cast<std::int64_t>(scene.tokens.size());
    AxisChoice choice{.parameterId = parameterOf(meaning),
                      .values = scene.order,
                      .first = first,
                      .count = std::min(count, words - first)};
    const std::int64_t place = positionOfToken(scene, viewedOn(meaning, scene)) - first;
    if (place >= 0 && place < choice.count) {
        choice.at = static_cast<double>(place);
    }
    return choice;
}

Panel tokenMapPanel(const Scene& scene, std::string id, std::string title, Heatmap map) {
    const std::vector<std::string> names = tokenLabels(scene);
    std::vector<std::string> labels;
    for (std::int64_t position = 0; position < map.rows; ++position) {
        labels.push_back(names[static_cast<std::size_t>(tokenAtPosition(scene, position))]);
    }
    Panel panel;
    panel.id = std::move(id);
    panel.title = std::move(title);
    panel.x = tokenAxis(AxisMeaning::keyToken, "key", map.columns, labels);
    panel.y = tokenAxis(AxisMeaning::queryToken, "query", map.rows, labels);
    panel.x.choice = positionChoice(scene, panel.x.meaning, 0, map.columns);
    panel.y.choice = positionChoice(scene, panel.y.meaning, 0, map.rows);
    panel.y.reversed = true;
    panel.squareCells = true;
    panel.layers.push_back(std::move(map));
    return panel;
}

Matrix matrixOf(const Heatmap& map) {
    return Matrix{map.rows, map.columns, map.values};
}

}  // namespace phaseladder
