#include "ui/figure/figure_view.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/figures/color_range.h"
#include "core/number_text.h"
#include "ui/figure/color_lock.h"

namespace phaseladder::ui {
namespace {

struct Interval {
    double low = 0.0, high = 0.0;
};

/// "low:high" with low below high.
std::optional<Interval> intervalOf(const QString& text) {
    const QStringList ends = text.split(QLatin1Char(':'));
    if (ends.size() != 2) {
        return std::nullopt;
    }
    const Result<double> low = parseNumber(ends[0].toStdString());
    const Result<double> high = parseNumber(ends[1].toStdString());
    if (!low || !high || !(*low < *high)) {
        return std::nullopt;
    }
    return Interval{*low, *high};
}

QString textOf(double low, double high) {
    return QString::fromStdString(formatNumber(low) + ':' + formatNumber(high));
}

tl::unexpected<Error> wrongPanel(const char* option, const QString& text,
                                 const std::vector<std::string>& ids) {
    return fail(ErrorKind::usage,
                fmt::format("{} must begin with a panel of this figure ({}), got \"{}\".", option,
                            ids.empty() ? "it has none" : fmt::format("{}", fmt::join(ids, ", ")),
                            text.toStdString()));
}

/// Whether the axis has anything to show there.
bool fits(const Axis& axis, const Interval& shown) {
    return shown.low < axis.maximum && shown.high > axis.minimum &&
           (axis.scale != AxisScale::log10 || shown.low > 0.0);
}

}  // namespace

Result<void> zoomPanel(Figure& figure, const QString& text) {
    const QString id = text.section(QLatin1Char('='), 0, 0);
    const auto panel = std::ranges::find(figure.panels, id.toStdString(), &Panel::id);
    if (panel == figure.panels.end()) {
        std::vector<std::string> ids;
        std::ranges::transform(figure.panels, std::back_inserter(ids), &Panel::id);
        return wrongPanel("--zoom", text, ids);
    }
    const QStringList parts = text.section(QLatin1Char('='), 1).split(QLatin1Char(','));
    const std::optional<Interval> x = intervalOf(parts.first());
    const std::optional<Interval> y = intervalOf(parts.last());
    if (parts.size() != 2 || !x || !y || !fits(panel->x, *x) || !fits(panel->y, *y)) {
        return fail(
            ErrorKind::usage,
            fmt::format("--zoom must be PANEL=x0:x1,y0:y1 with x0 below x1 and y0 below y1 (above 0 on a "
                        "log axis) and meet x from {} to {} and y from {} to {}, got \"{}\".",
                        formatNumber(panel->x.minimum), formatNumber(panel->x.maximum),
                        formatNumber(panel->y.minimum), formatNumber(panel->y.maximum), text.toStdString()));
    }
    panel->x.minimum = x->low;
    panel->x.maximum = x->high;
    panel->y.minimum = y->low;
    panel->y.maximum = y->high;
    return {};
}

Result<void> keepColors(Figure& figure, const QString& text) {
    const std::string id = text.section(QLatin1Char('='), 0, 0).toStdString();
    std::vector<std::string> ids;
    for (Panel& panel : figure.panels) {
        Heatmap* map = keepableMap(panel);
        if (map == nullptr) {
            continue;
        }
        ids.push_back(panel.id);
        if (panel.id != id) {
            continue;
        }
        const std::optional<Interval> range = intervalOf(text.section(QLatin1Char('='), 1));
        if (!range) {
            return fail(ErrorKind::usage,
                        fmt::format("--color-range must be PANEL=low:high with low below high, got \"{}\".",
                                    text.toStdString()));
        }
        if (map->scale == AxisScale::log10 && !(range->low > 0.0)) {
            return fail(ErrorKind::usage,
                        fmt::format("--color-range of log colours must begin above 0, got \"{}\".",
                                    text.toStdString()));
        }
        setKeptRange(figure, *map, range->low, range->high);
        return {};
    }
    return wrongPanel("--color-range", text, ids);
}

QStringList viewWords(const Figure& computed, const Figure& shown) {
    QStringList words;
    const bool isSaid = computed.notes != shown.notes;  // colours kept where they are
    const std::size_t panels = std::min(computed.panels.size(), shown.panels.size());
    for (std::size_t index = 0; index < panels; ++index) {
        const Panel& before = computed.panels[index];
        const Panel& now = shown.panels[index];
        const QString id = QString::fromStdString(now.id) + QLatin1Char('=');
        const auto isSame = [](const Axis& left, const Axis& right) {
            return left.minimum == right.minimum && left.maximum == right.maximum;
        };
        if (!isSame(before.x, now.x) || !isSame(before.y, now.y)) {
            words << QStringLiteral("--zoom")
                  << id + textOf(now.x.minimum, now.x.maximum) + QLatin1Char(',') +
                         textOf(now.y.minimum, now.y.maximum);
        }
        const Heatmap* mapBefore = keepableMap(before);
        const Heatmap* mapNow = keepableMap(now);
        if (mapBefore != nullptr && mapNow != nullptr &&
            (mapBefore->low != mapNow->low || mapBefore->high != mapNow->high || isSaid)) {
            words << QStringLiteral("--color-range") << id + textOf(mapNow->low, mapNow->high);
        }
    }
    return words;
}

}  // namespace phaseladder::ui
