#include "ui/figure/grips.h"

#include <QLineF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/figure/figure_style.h"
#include "ui/figure/readout_words.h"

namespace phaseladder::ui {
namespace {

constexpr double ruleReach = 5.0;     // pixels around a rule that take hold of it
constexpr double handleReach = 8.0;   // and around the middle of a handle
constexpr double handleRadius = 5.5;  // pixels
constexpr double denseRadius = 3.5;   // of handles that would touch
constexpr double ringGap = 3.5;

const ListEntryTarget* listTarget(const Grip& grip) {
    const auto* handle = std::get_if<Handle>(&grip);
    return handle == nullptr ? nullptr : std::get_if<ListEntryTarget>(&handle->target);
}

const std::string& parameterOf(const Grip& grip) {
    return std::visit([](const auto& one) -> const std::string& { return one.parameterId; }, grip);
}

QPointF insidePlot(const PlotMapping& mapping, const QPointF& pixel) {
    const QRectF& plot = mapping.rect();
    return {std::clamp(pixel.x(), plot.left(), plot.right()),
            std::clamp(pixel.y(), plot.top(), plot.bottom())};
}

QPointF placeOf(const Handle& handle, const PlotMapping& mapping) {
    return mapping.pixel(handle.x, handle.y);
}

bool isShown(const QPointF& pixel, const PlotMapping& mapping) {
    return mapping.rect().adjusted(-0.5, -0.5, 0.5, 0.5).contains(pixel);
}

QLineF ruleLine(const Rule& rule, const PlotMapping& mapping) {
    const QRectF& plot = mapping.rect();
    if (rule.orientation == Orientation::vertical) {
        const double x = mapping.xPixel(rule.at);
        return {x, plot.top(), x, plot.bottom()};
    }
    const double y = mapping.yPixel(rule.at);
    return {plot.left(), y, plot.right(), y};
}

/// Puts a handle where it goes; an entry of a list keeps its x.
HandlePlace place(Grip& grip, double x, double y) {
    HandlePlace placed{std::get<Handle>(grip), x, y};
    auto& handle = std::get<Handle>(grip);
    handle.y = y;
    if (listTarget(grip) == nullptr) {
        handle.x = x;
    }
    return placed;
}

std::vector<HandlePlace> drawList(std::vector<Grip>& grips, std::size_t& held, const PlotMapping& mapping,
                                  const QPointF& pixel) {
    const std::size_t before = held;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t index = 0; index < grips.size(); ++index) {
        if (!drawTogether(grips[index], grips[before])) {
            continue;
        }
        const double distance = std::abs(mapping.xPixel(std::get<Handle>(grips[index]).x) - pixel.x());
        if (distance < least) {
            least = distance;
            held = index;
        }
    }
    const double y = mapping.data(pixel).y();
    const Handle from = std::get<Handle>(grips[before]), to = std::get<Handle>(grips[held]);
    std::vector<std::pair<double, std::size_t>> passed;  // share of the way, grip
    for (std::size_t index = 0; index < grips.size(); ++index) {
        if (drawTogether(grips[index], grips[before]) && from.x != to.x) {
            const double share = (std::get<Handle>(grips[index]).x - from.x) / (to.x - from.x);
            if (share > 0.0 && share < 1.0) {
                passed.emplace_back(share, index);
            }
        }
    }
    std::ranges::sort(passed);
    std::vector<HandlePlace> places;
    for (const auto& [share, index] : passed) {
        places.push_back(
            place(grips[index], std::get<Handle>(grips[index]).x, from.y + share * (y - from.y)));
    }
    places.push_back(place(grips[held], to.x, y));
    return places;
}

/// Smaller where handles that draw together would touch.
double radiusOf(const std::vector<Grip>& grips, const PlotMapping& mapping) {
    double previous = -std::numeric_limits<double>::infinity();
    for (const Grip& grip : grips) {
        if (listTarget(grip) == nullptr) {
            continue;
        }
        const double x = mapping.xPixel(std::get<Handle>(grip).x);
        if (std::abs(x - previous) < 2.0 * handleRadius + 2.0) {
            return denseRadius;
        }
        previous = x;
    }
    return handleRadius;
}

}  // namespace

std::vector<Grip> gripsOf(const Panel& panel) {
    std::vector<Grip> grips;
    for (const Layer& layer : panel.layers) {
        if (const auto* rule = std::get_if<Rule>(&layer); rule != nullptr && !rule->parameterId.empty()) {
            grips.emplace_back(*rule);
        } else if (const auto* handle = std::get_if<Handle>(&layer)) {
            grips.emplace_back(*handle);
        }
    }
    return grips;
}

bool drawTogether(const Grip& one, const Grip& other) {
    return listTarget(one) != nullptr && listTarget(other) != nullptr &&
           parameterOf(one) == parameterOf(other) &&
           std::get<Handle>(one).role == std::get<Handle>(other).role;
}

std::optional<std::size_t> gripAt(const std::vector<Grip>& grips, const PlotMapping& mapping,
                                  const QPointF& pixel) {
    std::optional<std::size_t> nearest;
    double least = handleReach;
    for (std::size_t index = 0; index < grips.size(); ++index) {
        const auto* handle = std::get_if<Handle>(&grips[index]);
        if (handle == nullptr || !isShown(placeOf(*handle, mapping), mapping)) {
            continue;
        }
        const double distance = QLineF(placeOf(*handle, mapping), pixel).length();
        if (distance <= least) {  // the later one is drawn above
            least = distance;
            nearest = index;
        }
    }
    if (nearest.has_value() || !mapping.rect().contains(pixel)) {
        return nearest;
    }
    for (std::size_t index = 0; index < grips.size(); ++index) {
        if (const auto* rule = std::get_if<Rule>(&grips[index])) {
            const QPointF at = ruleLine(*rule, mapping).p1();
            const double distance =
                rule->orientation == Orientation::vertical ? at.x() - pixel.x() : at.y() - pixel.y();
            if (std::abs(distance) <= ruleReach) {
                return index;
            }
        }
    }
    return std::nullopt;
}

GripMove moveGrip(std::vector<Grip>& grips, std::size_t& held, const PlotMapping& mapping,
                  const QPointF& pixel) {
    const QPointF inside = insidePlot(mapping, pixel);
    const QPointF at = mapping.data(inside);
    GripMove move{parameterOf(grips[held]), 0.0};
    if (auto* rule = std::get_if<Rule>(&grips[held])) {
        rule->at = rule->orientation == Orientation::vertical ? at.x() : at.y();
        move.to = rule->at;
    } else if (listTarget(grips[held]) != nullptr) {
        move.to = drawList(grips, held, mapping, inside);
    } else {
        move.to = std::vector{place(grips[held], at.x(), at.y())};
    }
    return move;
}

GripMove nudgeGrip(std::vector<Grip>& grips, std::size_t held, const PlotMapping& mapping, double xShare,
                   double yShare) {
    const auto shifted = [](const Axis& axis, double minimum, double maximum, double value, double share) {
        const double low = scaledValue(axis, minimum), high = scaledValue(axis, maximum);
        const double moved = scaledValue(axis, value) + share * (high - low);
        return share == 0.0 ? value : unscaledValue(axis, std::clamp(moved, low, high));
    };
    const PlotRange& range = mapping.range();
    const auto alongX = [&](double x) {
        return shifted(mapping.x(), range.xMinimum, range.xMaximum, x, xShare);
    };
    const auto alongY = [&](double y) {
        return shifted(mapping.y(), range.yMinimum, range.yMaximum, y, yShare);
    };
    GripMove move{parameterOf(grips[held]), 0.0};
    if (auto* rule = std::get_if<Rule>(&grips[held])) {
        rule->at = rule->orientation == Orientation::vertical ? alongX(rule->at) : alongY(rule->at);
        move.to = rule->at;
    } else {
        const auto& handle = std::get<Handle>(grips[held]);
        move.to = std::vector{place(grips[held], alongX(handle.x), alongY(handle.y))};
    }
    return move;
}

std::size_t neighbourGrip(const std::vector<Grip>& grips, std::size_t held, int step) {
    std::size_t nearest = held;
    const double from = std::get<Handle>(grips[held]).x;
    for (std::size_t index = 0; index < grips.size(); ++index) {
        if (!drawTogether(grips[index], grips[held])) {
            continue;
        }
        const double way = step * (std::get<Handle>(grips[index]).x - from);
        const double least = step * (std::get<Handle>(grips[nearest]).x - from);
        if (way > 0.0 && (nearest == held || way < least)) {
            nearest = index;
        }
    }
    return nearest;
}

QString gripLabel(const Grip& grip) {
    return std::visit([](const auto& one) { return QString::fromStdString(one.label); }, grip);
}

QString gripSentence(const Grip& grip, const Panel& panel) {
    QString value;
    if (const auto* rule = std::get_if<Rule>(&grip)) {
        value = axisText(rule->orientation == Orientation::vertical ? panel.x : panel.y, rule->at);
        return gripLabel(grip).isEmpty() ? value : gripLabel(grip) + QStringLiteral(" · ") + value;
    }
    const auto& handle = std::get<Handle>(grip);
    if (std::holds_alternative<RecordTarget>(handle.target)) {
        value = QStringLiteral("(%1, %2)").arg(shownNumber(handle.x), shownNumber(handle.y));
    } else {
        value = withUnit(shownNumber(handle.y), splitTitle(panel.y.title).unit);
    }
    return gripLabel(grip) + QStringLiteral(" = ") + value;
}

QRectF gripRect(const Grip& grip, const PlotMapping& mapping) {
    if (const auto* handle = std::get_if<Handle>(&grip)) {
        const QPointF at = placeOf(*handle, mapping);
        const QPointF half(handleRadius, handleRadius);
        return isShown(at, mapping) ? QRectF(at - half, at + half) : QRectF();
    }
    const QLineF line = ruleLine(std::get<Rule>(grip), mapping);
    return QRectF(line.p1(), line.p2()).adjusted(-2.0, -2.0, 2.0, 2.0).intersected(mapping.rect());
}

void paintGrips(QPainter& painter, const std::vector<Grip>& grips, const PlotMapping& mapping,
                const FigureStyle& style, std::optional<std::size_t> hovered,
                std::optional<std::size_t> held) {
    const double usual = radiusOf(grips, mapping);
    const auto paint = [&](std::size_t index) {
        if (const auto* rule = std::get_if<Rule>(&grips[index])) {
            const QLineF line = ruleLine(*rule, mapping);
            if (held == index && isShown(line.p1(), mapping)) {
                QColor ground = style.plotBackground;
                ground.setAlphaF(0.65F);
                painter.setPen(QPen(ground, 3.5, Qt::SolidLine, Qt::FlatCap));
                painter.drawLine(line);
                painter.setPen(QPen(style.accent, 1.5, Qt::SolidLine, Qt::FlatCap));
                painter.drawLine(line);
            }
            return;
        }
        const auto& handle = std::get<Handle>(grips[index]);
        const QPointF at = placeOf(handle, mapping);
        if (!isShown(at, mapping)) {
            return;
        }
        const double radius = hovered == index || held == index ? handleRadius + 1.5 : usual;
        painter.setPen(QPen(style.plotBackground, 1.5));
        painter.setBrush(style.role(handle.role).line);
        painter.drawEllipse(at, radius, radius);
        if (held == index) {
            painter.setPen(QPen(style.accent, 1.5));
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(at, radius + ringGap, radius + ringGap);
        }
    };
    for (std::size_t index = 0; index < grips.size(); ++index) {
        if (held != index) {
            paint(index);
        }
    }
    if (held.has_value() && *held < grips.size()) {
        paint(*held);
    }
}

}  // namespace phaseladder::ui
