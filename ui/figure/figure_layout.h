#pragma once

#include <QColor>
#include <QFont>
#include <QImage>
#include <QList>
#include <QPolygonF>
#include <QRectF>
#include <QString>

#include <optional>
#include <variant>

#include "core/figures/figure.h"
#include "ui/figure/figure_style.h"

namespace phaseladder::ui {

struct PageOptions {
    QSizeF sizePoints{396.0, 244.7};  ///< 1 pt = 1/72 in
    double fontPoints = 9.0;          ///< tick labels and axis titles; the title is a little larger
    FigureStyle style;
    QString title;  ///< empty: the figure's own
    bool showTitle = true;
    bool transparent = false;
};

// Primitives in points, y down, in drawing order. Everything inside a plot is already clipped in data space.
struct FilledRect {
    QRectF rect;
    QColor color;
};
struct HatchedRect {
    QRectF rect;
    QColor line;
    double spacing = 4.0;
};
/// One line in one or more parts (a curve that was broken or cut).
struct Polyline {
    QList<QPolygonF> parts;
    QColor color;
    double width = 1.0;
    QList<qreal> dashes;
};
struct FilledPolygon {
    QPolygonF points;
    QColor color;
};
struct Marker {
    QPointF center;
    MarkerShape shape;
    double radius;
    QColor color;
};
struct TextRun {
    QPointF anchor;  ///< on the baseline
    QString text;
    QFont font;  ///< family and weight; its size is sizePoints, which need not be whole
    double sizePoints = 9.0;
    QColor color;
    Qt::Alignment alignment = Qt::AlignLeft;  ///< horizontal: left, centre or right of the anchor
    double degrees = 0.0;                     ///< rotation about the anchor; -90 reads upwards
    bool isRaised = false;                    ///< a superscript or subscript
};
/// One cell of the image is one data cell; drawn with hard edges.
struct CellImage {
    QRectF rect;
    QImage image;
};
using Primitive = std::variant<FilledRect, HatchedRect, Polyline, FilledPolygon, Marker, TextRun, CellImage>;

struct PlotArea {
    QRectF rect;
    Axis x, y;
    int panel = 0;
    /// Primitives [clippedFrom, clippedTo) lie inside the plot (data, not labels).
    qsizetype clippedFrom = 0;
    qsizetype clippedTo = 0;
};

/// A figure placed on a page.
struct LaidOutFigure {
    QSizeF sizePoints;
    QString title;
    QList<Primitive> primitives;
    QList<PlotArea> plots;
    QStringList
        problems;  ///< "2 labels overlap", "smallest text is 5.6 pt": for the export dialog's check line
};

[[nodiscard]] LaidOutFigure layoutFigure(const Figure& figure, const PageOptions& options);

}  // namespace phaseladder::ui
