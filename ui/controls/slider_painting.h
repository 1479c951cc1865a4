#pragma once

#include <QRect>
#include <QWidget>

#include "ui/controls/slider_mapping.h"

class QPainter;

namespace phaseladder::ui {

/// Where a slider's parts are inside its widget: the track above, tick labels below.
struct SliderGeometry {
    double left = 0.0, right = 0.0;  ///< ends of the track; a handle's centre moves between them
    double trackY = 0.0;
    Qt::LayoutDirection direction = Qt::LeftToRight;

    [[nodiscard]] static SliderGeometry of(const QWidget& widget);
    /// Where a fraction lies; the low end is on the right in a right-to-left layout.
    [[nodiscard]] double x(double fraction) const;
    /// The fraction that a horizontal way in pixels is worth.
    [[nodiscard]] double fractionOfWay(double pixels) const;
    [[nodiscard]] double fractionAt(double pointX) const;
};

inline constexpr int sliderHeight = 33;
inline constexpr double handleRadius = 6.5;

/// Track, its filled part between two fractions, and the labelled ticks (a label that would touch its
/// neighbour is left out).
void paintTrack(QPainter& painter, const QWidget& widget, const SliderMapping& mapping, double filledFrom,
                double filledTo);

enum class HandleState { resting, hovered, held };

/// A round handle with a focus ring.
void paintHandle(QPainter& painter, const QWidget& widget, QPointF centre, HandleState state, bool hasFocus);

}  // namespace phaseladder::ui
