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
    bool showLegend = true;
    bool showPanelLetters = false;  ///< (a), (b) … where a figure has several panels
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
    bool hasAxes = true;
    /// Primitives [clippedFrom, clippedTo) lie inside the plot (data, not labels).
    qsizetype clippedFrom = 0;
    qsizetype clippedTo = 0;
};

/// What a reader would complain about, counted. Superscripts do not count as small text.
struct PageCheck {
    int overlapping = 0;  ///< pairs of labels that touch
    int cutOff = 0;       ///< labels that leave the page
    int crowded = 0;      ///< labels that found no place off the lines
    int foreign = 0;      ///< labels with a sign that the font lacks, so that another font stands in
    double smallestTextPoints = 0.0;
    bool isCramped = false;  ///< a plot has next to no room
};

/// A figure placed on a page.
struct LaidOutFigure {
    QSizeF sizePoints;
    QString title;
    QList<Primitive> primitives;
    QList<PlotArea> plots;
    PageCheck check;
};

[[nodiscard]] LaidOutFigure layoutFigure(const Figure& figure, const PageOptions& options);

}  // namespace phaseladder::ui
