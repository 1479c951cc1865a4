#include "ui/figure/map_colors.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>

#include "core/figures/color_range.h"
#include "core/index.h"
#include "core/threads.h"

namespace phaseladder::ui {
namespace {

constexpr auto lastLevel = static_cast<float>(colorLevelCount - 1);
constexpr std::int64_t fewNumbers = 1 << 16;  // for which a second thread does not pay

/// A place among the levels as the number of one, the ends for places beyond them.
template <class Real>
ColorLevel levelAt(Real place) {
    const Real rounded = place + Real(0.5);
    const Real above = rounded > Real(0) ? rounded : Real(0);
    return static_cast<ColorLevel>(static_cast<int>(above < Real(lastLevel) ? above : Real(lastLevel)));
}

/// log2 of a number above 1e-38, and of all others one far below that: its exponent, and m(1 + (1 - m)q(m))
/// for 1 + m, its mantissa. Exact at powers of two. Branchless, so that the compiler can take several at
/// once.
float fastLog2(float value) {
    constexpr int exponentBits = 23, bias = 127, mantissaMask = (1 << exponentBits) - 1;
    const auto bits = std::bit_cast<std::int32_t>(value);
    const auto exponent = static_cast<float>((bits >> exponentBits) - bias);
    const float m = std::bit_cast<float>((bits & mantissaMask) | (bias << exponentBits)) - 1.0F;
    const float q = 0.4426541F + m * (-0.2765695F + m * (0.1841008F + m * (-0.09720183F + m * 0.02569126F)));
    return exponent + m * (1.0F + (1.0F - m) * q);
}

void setLinearLevels(const double* values, std::size_t count, const Heatmap& map, ColorLevel* levels) {
    const double low = map.low;
    const double scale = map.high > map.low ? lastLevel / (map.high - map.low) : 0.0;
    for (std::size_t cell = 0; cell < count; ++cell) {
        const ColorLevel level = levelAt((values[cell] - low) * scale);
        levels[cell] = values[cell] - values[cell] == 0.0 ? level : noColorLevel;
    }
}

void setLogLevels(const double* values, std::size_t count, const Heatmap& map, ColorLevel* levels) {
    const auto low = static_cast<float>(std::log2(map.low));
    const auto scale = static_cast<float>(lastLevel / std::log2(map.high / map.low));
    for (std::size_t cell = 0; cell < count; ++cell) {
        const auto value = static_cast<float>(values[cell]);
        const ColorLevel level = levelAt((fastLog2(value) - low) * scale);
        levels[cell] = value - value == 0.0F ? level : noColorLevel;
    }
}

/// Takes the levels from cells that do not show their value; whether a cell of the row has none.
bool leaveGaps(const CellState* states, std::size_t count, ColorLevel* levels) {
    unsigned gaps = 0;
    for (std::size_t cell = 0; cell < count; ++cell) {
        levels[cell] = states == nullptr || states[cell] == CellState::shown ? levels[cell] : noColorLevel;
        gaps |= levels[cell];
    }
    return (gaps & noColorLevel) != 0;
}

}  // namespace

QList<QRgb> levelColors(ColorMapKind kind, const FigureStyle& style) {
    const QList<QRgb> published = colormapFor(kind, style);
    QList<QRgb> colors;
    colors.reserve(colorLevelCount);
    for (int level = 0; level < colorLevelCount; ++level) {
        const double place =
            static_cast<double>(level) * static_cast<double>(published.size() - 1) / lastLevel;
        const auto below = std::min(static_cast<qsizetype>(place), published.size() - 2);
        const double share = place - static_cast<double>(below);
        const QRgb from = published[below], to = published[below + 1];
        const auto mixed = [share](int left, int right) {
            return static_cast<int>(std::lround(left + share * (right - left)));
        };
        colors.append(qRgb(mixed(qRed(from), qRed(to)), mixed(qGreen(from), qGreen(to)),
                           mixed(qBlue(from), qBlue(to))));
    }
    return colors;
}

ColorLevel colorLevel(const Heatmap& map, double value) {
    return levelAt(std::clamp(colorShare(map, value), 0.0, 1.0) * lastLevel);
}

std::vector<std::uint8_t> setColorLevels(const Heatmap& map, std::vector<ColorLevel>& levels) {
    std::vector<std::uint8_t> hasGaps(index(map.rows), 0);
    levels.resize(map.values.size());
    const std::size_t columns = index(map.columns);
    forRowPortions(static_cast<int>(map.rows), map.columns, [&](int begin, int end) {
        for (int row = begin; row < end; ++row) {
            const std::size_t first = index(row) * columns;
            const double* values = map.values.data() + first;
            ColorLevel* line = levels.data() + first;
            if (map.scale == AxisScale::log10) {
                setLogLevels(values, columns, map, line);
            } else {
                setLinearLevels(values, columns, map, line);
            }
            const CellState* states = map.states.empty() ? nullptr : map.states.data() + first;
            hasGaps[index(row)] = leaveGaps(states, columns, line) ? 1 : 0;
        }
    });
    return hasGaps;
}

void forRowPortions(int rows, std::int64_t numbersPerRow, const std::function<void(int, int)>& work) {
    if (rows * numbersPerRow <= fewNumbers || threadCount() == 1) {
        work(0, rows);
        return;
    }
    const int portions = std::min(rows, 4 * threadCount());
    forEachInParallel(portions, [&](int portion) {
        work(static_cast<int>(std::int64_t{rows} * portion / portions),
             static_cast<int>(std::int64_t{rows} * (portion + 1) / portions));
    });
}

}  // namespace phaseladder::ui
