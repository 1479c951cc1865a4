#include "ui/figure/map_motion.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace phaseladder::ui {
namespace {

constexpr int motionMilliseconds = 200;
constexpr std::size_t mostMovingNames = 64;

bool isNamedMap(const Panel& panel) {
    const auto isNamed = [](const std::vector<std::string>& labels, std::int64_t count) {
        return !labels.empty() && labels.size() <= mostMovingNames &&
               labels.size() == static_cast<std::size_t>(count);
    };
    return std::any_of(panel.layers.begin(), panel.layers.end(), [&](const Layer& layer) {
        const auto* map = std::get_if<Heatmap>(&layer);
        return map != nullptr && panel.x.firstLabel == 0 && panel.y.firstLabel == 0 &&
               isNamed(panel.x.labels, map->columns) && isNamed(panel.y.labels, map->rows);
    });
}

/// Indices with the widest way last: what moved far is drawn over what made room.
std::vector<std::size_t> farthestLast(const std::vector<double>& from) {
    std::vector<std::size_t> indices(from.size());
    std::iota(indices.begin(), indices.end(), std::size_t{0});
    std::ranges::stable_sort(
        indices, {}, [&](std::size_t index) { return std::abs(from[index] - static_cast<double>(index)); });
    return indices;
}

/// Whole pixels, so that neighbours neither overlap nor leave a gap.
QRectF roundedRect(const QRectF& rect) {
    return QRectF(QPointF(std::round(rect.left()), std::round(rect.top())),
                  QPointF(std::round(rect.right()), std::round(rect.bottom())));
}

}  // namespace

std::optional<std::vector<int>> formerPlaces(const std::vector<std::string>& before,
                                             const std::vector<std::string>& after) {
    if (before.size() != after.size()) {
        return std::nullopt;
    }
    std::unordered_map<std::string_view, int> places;
    for (std::size_t index = 0; index < before.size(); ++index) {
        places.emplace(before[index], static_cast<int>(index));
    }
    std::vector<int> former;
    for (const std::string& label : after) {
        const auto found = places.find(label);
        if (found == places.end()) {
            return std::nullopt;
        }
        former.push_back(found->second);
        places.erase(found);
    }
    return former;
}

MapMotion::MapMotion() {
    m_clock.setDuration(motionMilliseconds);
    m_clock.setStartValue(0.0);
    m_clock.setEndValue(1.0);
    m_clock.setEasingCurve(QEasingCurve::InOutCubic);
}

double MapMotion::place(const Places& from, std::size_t index) const {
    const auto target = static_cast<double>(index);
    const double share = isRunning() ? m_clock.currentValue().toDouble() : 1.0;
    return index < from.size() ? from[index] + share * (target - from[index]) : target;
}

std::optional<MapMotion::Places> MapMotion::startPlaces(const Places& from,
                                                        const std::vector<std::string>& before,
                                                        const std::vector<std::string>& after) const {
    const std::optional<std::vector<int>> former = formerPlaces(before, after);
    if (!former) {
        return std::nullopt;
    }
    Places places;
    for (const int index : *former) {
        places.push_back(place(from, static_cast<std::size_t>(index)));
    }
    return places;
}

void MapMotion::follow(const Panel& before, const Panel& after) {
    if (!isNamedMap(before) || !isNamedMap(after)) {
        stop();
        return;
    }
    if (before.x.labels == after.x.labels && before.y.labels == after.y.labels) {
        return;
    }
    std::optional<Places> fromX = startPlaces(m_fromX, before.x.labels, after.x.labels);
    std::optional<Places> fromY = startPlaces(m_fromY, before.y.labels, after.y.labels);
    stop();
    if (fromX && fromY) {
        m_fromX = std::move(*fromX);
        m_fromY = std::move(*fromY);
        m_clock.start();
    }
}

void MapMotion::stop() {
    m_clock.stop();
}

void MapMotion::paintCells(QPainter& painter, const QPixmap& picture, const PlotMapping& mapping,
                           const QColor& ground) const {
    const double ratio = picture.devicePixelRatio();
    painter.save();
    painter.setClipRect(mapping.rect());
    painter.fillRect(mapping.rect(), ground);
    const std::vector<std::size_t> rows = farthestLast(m_fromY), columns = farthestLast(m_fromX);
    for (const std::size_t row : rows) {
        for (const std::size_t column : columns) {
            const auto x = static_cast<double>(column), y = static_cast<double>(row);
            const QRectF source = mapping.pixelRect(x - 0.5, y - 0.5, x + 0.5, y + 0.5);
            const QPointF way = mapping.pixel(place(m_fromX, column), place(m_fromY, row)) - source.center();
            const QRectF cell = roundedRect(QRectF(source.topLeft() * ratio, source.size() * ratio));
            const QPointF step((way * ratio).toPoint());
            painter.drawPixmap(QRectF((cell.topLeft() + step) / ratio, cell.size() / ratio), picture, cell);
        }
    }
    painter.restore();
}

PlotAxes MapMotion::moved(PlotAxes axes) const {
    const auto move = [this](QList<Tick>& ticks, const Places& from) {
        for (Tick& tick : ticks) {
            const double index = std::round(tick.value);
            tick.value += index >= 0.0 ? place(from, static_cast<std::size_t>(index)) - index : 0.0;
        }
    };
    move(axes.x, m_fromX);
    move(axes.y, m_fromY);
    return axes;
}

}  // namespace phaseladder::ui
