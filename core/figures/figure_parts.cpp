#include "core/figures/figure_parts.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "core/attention/problem.h"
#include "core/memory.h"
#include "core/number_text.h"
#include "core/parameter.h"

namespace phaseladder {
namespace {

/// Not worth a look at the machine's memory.
constexpr double alwaysAllowedBytes = 0.5 * 1024 * 1024 * 1024;

}  // namespace

bool hasFrequencies(const Scene& scene) {
    const Encoding* encoding = findEncoding(scene.encoding);
    return encoding != nullptr && encoding->ladders;
}

std::string noFrequenciesSentence(const Scene& scene, std::string_view what) {
    if (hasFrequencies(scene)) {
        return {};
    }
    const Result<EncodingPlan> plan = makePlan(scene, 1);
    if (!plan) {
        return plan.error().message;
    }
    const bool isDistance = plan->scoreBias || plan->relativeKeys;
    const bool isTable = hasRows(*plan);
    return isDistance ? fmt::format("No frequencies: no {}. It acts on distances: see Relative bias.", what)
           : isTable  ? fmt::format("No frequencies: no {}. It is a table of rows: see Encoding.", what)
                      : fmt::format("No positions: no {}. Choose RoPE or sinusoidal.", what);
}

std::string groupedNumber(std::int64_t value) {
    return groupedDigits(std::to_string(value), ",", 4);
}

std::string countOf(std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count == 0 ? "no" : groupedNumber(count), noun, count == 1 ? "" : "s");
}

std::string scalingLabel(const Scene& scene) {
    const Scaling* scaling = findScaling(scene.scaling.method);
    std::string label = scaling == nullptr ? scene.scaling.method : scaling->label;
    label = label.substr(0, label.find(" ("));
    if (const Parameter* factor = findParameter("scaling.factor");
        factor != nullptr && factor->applies(scene)) {
        label += fmt::format(" ×{:.4g}", scene.scaling.factor);
    }
    return label;
}

Axis pairAxis(std::size_t pairs) {
    Axis axis;
    axis.meaning = AxisMeaning::pair;
    axis.title = "pair";
    axis.wholeNumbers = true;
    const bool single = pairs < 2;
    axis.minimum = single ? -0.5 : 0.0;
    axis.maximum = single ? 0.5 : static_cast<double>(pairs - 1);
    return axis;
}

Axis positionAxis(std::int64_t start, std::int64_t count) {
    Axis axis;
    axis.meaning = AxisMeaning::position;
    axis.title = "position (tokens)";
    axis.wholeNumbers = true;
    axis.minimum = static_cast<double>(start) - 0.5;
    axis.maximum = static_cast<double>(start + count) - 0.5;
    return axis;
}

std::vector<double> indices(std::size_t count) {
    std::vector<double> values(count);
    std::iota(values.begin(), values.end(), 0.0);
    return values;
}

Result<std::optional<SceneLadders>> figureLadders(const Scene& scene) {
    if (!hasFrequencies(scene)) {
        return std::nullopt;
    }
    return findEncoding(scene.encoding)->ladders(scene).map([](SceneLadders ladders) {
        return std::optional(std::move(ladders));
    });
}

bool isScaled(const Scene& scene) {
    const Result<std::optional<SceneLadders>> ladders = figureLadders(scene);
    return ladders && ladders->has_value() && (*ladders)->scaling != "none";
}

bool hasVectorPerDistance(const Scene& scene) {
    const Result<EncodingPlan> two = makePlan(scene, 2);
    const Result<EncodingPlan> three = makePlan(scene, 3);
    return two && three && three->relativeKeys && two->relativeKeys->reach < three->relativeKeys->reach;
}

PositionCells positionCells(const ViewSettings& view, int pixels) {
    const std::int64_t positions = std::max<std::int64_t>(view.positions, 1);
    const std::int64_t room = std::max(pixels, 1);
    PositionCells cells;
    cells.start = view.start;
    cells.step = (positions + room - 1) / room;
    cells.cells = (positions + cells.step - 1) / cells.step;
    return cells;
}

std::string pairRangeText(std::span<const std::size_t> pairs) {
    const std::size_t first = pairs.front();
    const std::size_t last = pairs.back();
    if (pairs.size() == 1) {
        return fmt::format("pair {}", first);
    }
    if (last - first + 1 == pairs.size()) {
        return fmt::format("pairs {}–{}", first, last);
    }
    return fmt::format("{} pairs from {} to {}", pairs.size(), first, last);
}

Result<void> checkFigureMemory(double neededBytes, double bytesPerItem, std::string_view itemName) {
    if (neededBytes <= alwaysAllowedBytes) {
        return {};
    }
    const double allowedBytes = std::max(alwaysAllowedBytes, 0.5 * availableMemoryBytes());
    if (neededBytes <= allowedBytes) {
        return {};
    }
    constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
    const double largest = std::floor(allowedBytes / bytesPerItem);
    return fail(ErrorKind::failed,
                fmt::format("Needs {:.1f} GiB, {:.1f} GiB allowed; largest {} that fits is {}.",
                            neededBytes / gibibyte, allowedBytes / gibibyte, itemName,
                            groupedNumber(static_cast<std::int64_t>(largest))));
}

}  // namespace phaseladder
