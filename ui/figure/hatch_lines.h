#pragma once

#include <QLineF>
#include <QList>
#include <QRectF>

namespace phaseladder::ui {

enum class HatchDirection { up, down, flat };

/// Lines `spacing` apart across a rectangle, cut at its border. They continue in neighbouring rectangles.
[[nodiscard]] QList<QLineF> hatchLines(const QRectF& rect, double spacing, HatchDirection direction);

}  // namespace phaseladder::ui
