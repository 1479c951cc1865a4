#include "core/figures/distance_curve.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/figures/dense_curve.h"
#include "core/figures/figure_parts.h"

namespace phaseladder {
namespace {

constexpr std::int64_t longestLinear = 512;
constexpr int pixelsPerBin = 3;
constexpr double mostDistancesPerBinOfALine = 3.0;
constexpr std::int64_t mostSamplesPerBin = 256;

/// Fractions of a golden-ratio sequence: even, and in step with no period.
constexpr double goldenStep = 0.6180339887498949;

std::int64_t binCount(const FigureRequest& request) {
    return std::clamp(request.pixelColumns / pixelsPerBin, 64, 320);
}

void chooseBins(DistanceSamples& samples, std::int64_t bins) {
    const auto last = static_cast<double>(samples.last);
    if (!samples.isLogarithmic()) {
        samples.denseFrom =
            (last + 1.0) / static_cast<double>(bins) > mostDistancesPerBinOfALine ? 0 : samples.last + 1;
    } else {
        const double ratio = std::pow(last, 1.0 / static_cast<double>(bins));
        samples.denseFrom = std::max<std::int64_t>(
            static_cast<std::int64_t>(std::ceil(mostDistancesPerBinOfALine / (ratio - 1.0))), 1);
    }
    if (samples.denseFrom > samples.last) {
        return;
    }
    const auto from = static_cast<double>(samples.denseFrom);
    const double share = samples.isLogarithmic() ? 1.0 - std::log(from) / std::log(last) : 1.0;
    const std::int64_t count = std::max<std::int64_t>(1, std::llround(share * static_cast<double>(bins)));
    for (std::int64_t bin = 0; bin <= count; ++bin) {
        const double part = static_cast<double>(bin) / static_cast<double>(count);
        const double edge = samples.isLogarithmic() ? from * std::pow((last + 1.0) / from, part)
                                                    : from + (last + 1.0 - from) * part;
        samples.binEdges.push_back(bin == count ? samples.last + 1 : static_cast<std::int64_t>(edge));
    }
}

void fillBin(DistanceSamples& samples, std::int64_t begin, std::int64_t end) {
    const std::int64_t width = end - begin;
    if (width <= mostSamplesPerBin) {
        for (std::int64_t distance = begin; distance < end; ++distance) {
            samples.distances.push_back(distance);
        }
        return;
    }
    samples.isSampled = true;
    for (std::int64_t sample = 0; sample < mostSamplesPerBin; ++sample) {
        const double fraction = std::fmod(static_cast<double>(sample) * goldenStep, 1.0);
        samples.distances.push_back(begin + static_cast<std::int64_t>(fraction * static_cast<double>(width)));
    }
}

/// Leaves out what is beyond the longest distance, which is wanted exactly then.
void cut(DistanceSamples& samples, std::int64_t longest) {
    if (samples.last <= longest) {
        return;
    }
    samples.last = longest;
    std::erase_if(samples.distances, [longest](std::int64_t distance) { return distance > longest; });
    samples.distances.push_back(longest);
    std::erase_if(samples.binEdges, [longest](std::int64_t edge) { return edge > longest; });
    if (!samples.binEdges.empty()) {
        samples.binEdges.push_back(longest + 1);
    }
}

}  // namespace

bool DistanceSamples::isLogarithmic() const {
    return last > longestLinear;
}

DistanceSamples distanceSamples(std::int64_t last, std::int64_t longest, const FigureRequest& request,
                                const std::vector<std::int64_t>& alsoAt) {
    const std::int64_t reach =
        request.alsoAt.empty() ? last : std::max(last, std::ranges::max(request.alsoAt));
    DistanceSamples samples{.distances = {0, last, reach}, .last = reach};
    chooseBins(samples, binCount(request));
    for (std::int64_t distance = 0; distance <= std::min(samples.denseFrom, reach); ++distance) {
        samples.distances.push_back(distance);
    }
    for (std::size_t bin = 0; bin + 1 < samples.binEdges.size(); ++bin) {
        fillBin(samples, samples.binEdges[bin], samples.binEdges[bin + 1]);
    }
    for (const std::vector<std::int64_t>* wanted : {&alsoAt, &request.alsoAt}) {
        std::ranges::copy_if(*wanted, std::back_inserter(samples.distances),
                             [reach](std::int64_t distance) { return distance >= 0 && distance <= reach; });
    }
    cut(samples, longest);
    std::ranges::sort(samples.distances);
    const auto repeated = std::ranges::unique(samples.distances);
    samples.distances.erase(repeated.begin(), repeated.end());
    return samples;
}

Axis distanceAxis(const DistanceSamples& samples, std::string title) {
    Axis axis;
    axis.meaning = AxisMeaning::distance;
    axis.title = std::move(title);
    axis.wholeNumbers = true;
    axis.scale = samples.isLogarithmic() ? AxisScale::log10 : AxisScale::linear;
    axis.minimum = samples.isLogarithmic() ? 1.0 : 0.0;
    axis.maximum = static_cast<double>(samples.last);
    return axis;
}

void addDistanceCurve(Panel& panel, const DistanceSamples& samples, const std::string& label, Role role,
                      const std::vector<double>& values) {
    const std::ptrdiff_t first = samples.isLogarithmic() ? 1 : 0;  // distance 0 is among the samples
    DenseValues dense{{samples.distances.begin() + first, samples.distances.end()},
                      {values.begin() + first, values.end()},
                      {samples.binEdges.begin(), samples.binEdges.end()}};
    addDenseCurve(panel, DenseCurve{label, role, std::move(dense)});
}

void noteDensity(Figure& figure, const DistanceSamples& samples) {
    const auto hasEnvelope = [](const Panel& panel) {
        return std::ranges::any_of(
            panel.layers, [](const Layer& layer) { return std::holds_alternative<Envelope>(layer); });
    };
    if (!std::ranges::any_of(figure.panels, hasEnvelope)) {
        return;
    }
    figure.notes.push_back(fmt::format(
        "From about distance {} on a band from the lowest to the highest value is drawn: the curve is denser "
        "than the pixels{}.",
        groupedNumber(samples.denseFrom),
        samples.isSampled ? fmt::format(", and a column reads up to {} of its distances", mostSamplesPerBin)
                          : ""));
}

std::vector<double> distanceColumn(const DistanceSamples& samples) {
    return {samples.distances.begin(), samples.distances.end()};
}

double valueAt(const DistanceSamples& samples, const std::vector<double>& values, std::int64_t distance) {
    const auto found = std::ranges::lower_bound(samples.distances, distance);
    return found == samples.distances.end() || *found != distance
               ? noValue
               : values[static_cast<std::size_t>(found - samples.distances.begin())];
}

Axis valueAxis(std::string title, const std::vector<const std::vector<double>*>& curves) {
    double low = noValue;
    double high = noValue;
    for (const std::vector<double>* curve : curves) {
        for (const double value : *curve) {
            if (std::isfinite(value)) {
                low = std::fmin(low, value);
                high = std::fmax(high, value);
            }
        }
    }
    Axis axis;
    axis.meaning = AxisMeaning::value;
    axis.title = std::move(title);
    if (std::isnan(low)) {
        return axis;
    }
    constexpr double room = 0.06;
    const double reach = high - low > 1e-9 * std::max(std::abs(low), std::abs(high))
                             ? room * (high - low)
                             : std::max(0.5 * std::abs(high), 0.5);
    axis.minimum = low - reach;
    axis.maximum = high + reach;
    return axis;
}

}  // namespace phaseladder
