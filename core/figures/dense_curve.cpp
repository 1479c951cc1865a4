#include "core/figures/dense_curve.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>

#include "core/figures/figure_parts.h"

namespace phaseladder {
namespace {

/// Whether finite values only rise or only fall; those that are not finite are left out.
bool isOneWay(std::span<const double> values) {
    bool rises = false;
    bool falls = false;
    for (std::size_t at = 1; at < values.size(); ++at) {
        rises = rises || values[at] > values[at - 1];
        falls = falls || values[at] < values[at - 1];
    }
    return !(rises && falls);
}

std::size_t indexOf(const std::vector<double>& x, double at) {
    return static_cast<std::size_t>(std::ranges::lower_bound(x, at) - x.begin());
}

/// From the value at `from` on.
DenseValues tailOf(const DenseValues& values, std::size_t from, std::size_t firstBin) {
    const auto after = [](const std::vector<double>& numbers, std::size_t start) {
        return std::vector<double>(numbers.begin() + static_cast<std::ptrdiff_t>(start), numbers.end());
    };
    return {after(values.x, from), after(values.y, from), after(values.binEdges, firstBin)};
}

}  // namespace

void addDenseCurve(Panel& panel, const DenseCurve& curve) {
    const DenseValues& values = curve.values;
    const std::vector<double>& edges = values.binEdges;
    const std::size_t bins = edges.size() < 2 ? 0 : edges.size() - 1;
    const auto begin = [&](std::size_t bin) { return indexOf(values.x, edges[bin]); };
    const auto binValues = [&](std::size_t bin) {
        // The next bin's first value as well, so that neighbours meet.
        const std::size_t end = std::min(begin(bin + 1) + 1, values.y.size());
        return std::span(values.y).subspan(begin(bin), end - begin(bin));
    };
    std::size_t lineEnd = bins == 0 ? values.x.size() : begin(0);
    if (bins > 0 && lineEnd < values.x.size() && values.x[lineEnd] == edges.front()) {
        ++lineEnd;
    }
    std::size_t bin = 0;
    for (; bin < bins && isOneWay(binValues(bin)); ++bin) {
        lineEnd = begin(bin + 1);
    }
    Envelope envelope{curve.label, curve.role, {}, {}, {}, {}};
    for (std::size_t at = bin; at < bins; ++at) {
        double low = noValue;
        double high = noValue;
        for (const double value : binValues(at)) {
            low = std::fmin(low, std::isfinite(value) ? value : noValue);
            high = std::fmax(high, std::isfinite(value) ? value : noValue);
        }
        if (!std::isnan(low)) {
            const auto add = [&](double x) {
                envelope.x.push_back(x);
                envelope.low.push_back(low);
                envelope.high.push_back(high);
            };
            const bool isLast = at + 1 == bins;
            if (!isLast || envelope.x.empty()) {  // a last one alone reaches from its edge to the end
                add(edges[at]);
            }
            if (isLast) {
                add(values.x.back());
            }
        }
    }
    const bool hasLine = lineEnd > 1;
    if (envelope.x.size() > 1) {
        envelope.label = hasLine ? std::string() : curve.label;
        envelope.dense = tailOf(values, begin(bin), bin);
        panel.layers.emplace_back(std::move(envelope));
    }
    if (hasLine) {
        const auto end = static_cast<std::ptrdiff_t>(lineEnd);
        panel.layers.emplace_back(Curve{curve.label,
                                        curve.role,
                                        {values.x.begin(), values.x.begin() + end},
                                        {values.y.begin(), values.y.begin() + end}});
    }
}

DenseValues denseValues(const Curve* curve, const Envelope* envelope) {
    DenseValues values;
    if (curve != nullptr) {
        values.x = curve->x;
        values.y = curve->y;
    }
    if (envelope == nullptr) {
        return values;
    }
    const DenseValues& tail = envelope->dense;
    for (std::size_t at = 0; at < tail.x.size(); ++at) {
        if (values.x.empty() || tail.x[at] > values.x.back()) {
            values.x.push_back(tail.x[at]);
            values.y.push_back(tail.y[at]);
        }
    }
    values.binEdges = tail.binEdges;
    return values;
}

}  // namespace phaseladder
