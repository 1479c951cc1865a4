#include "ui/figure/annotations.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/figure/bar_layout.h"
#include "ui/figure/content_texts.h"
#include "ui/figure/curve_samples.h"
#include "ui/figure/figure_painter.h"
#include "ui/figure/tile_layout.h"

namespace phaseladder::ui {
namespace {

constexpr double mostInside = 0.3;   // of the plot's height
constexpr double aroundPlot = 55.0;  // title, labels and title of x, about
constexpr double smallText = 9.0;    // pixels
constexpr double contentText = 13.0;
constexpr double mostInsideWidth = 0.6;    // of its width
constexpr double mostOutside = 1.0 / 3.0;  // of the panel's width beside the plot, or its height above it
constexpr double legendInset = 8.0, legendGap = 14.0, legendBorder = 4.0;

void paintPrimitives(QPainter& painter, const QList<Primitive>& primitives) {
    LaidOutFigure page;
    page.primitives = primitives;
    paintFigure(painter, page);
}

bool hasLabels(const Panel& annotations) {
    return std::ranges::any_of(annotations.layers, [](const Layer& layer) {
        const auto* rule = std::get_if<Rule>(&layer);
        const auto* band = std::get_if<Band>(&layer);
        return (rule != nullptr && !rule->label.empty()) || (band != nullptr && !band->label.empty()) ||
               std::holds_alternative<Text>(layer);
    });
}

/// Sharp edges for columns that are wide enough to keep their proportions.
void snapToPixels(QList<Primitive>& primitives) {
    for (Primitive& primitive : primitives) {
        auto* column = std::get_if<FilledRect>(&primitive);
        if (column != nullptr && column->rect.width() >= 4.0) {
            const QRectF& rect = column->rect;
            column->rect = QRectF(QPointF(std::round(rect.left()), rect.top()),
                                  QPointF(std::round(rect.right()), rect.bottom()));
        }
    }
}

void paintLegend(QPainter& painter, const QList<QRectF>& rows, const FigureStyle& style,
                 const LegendPlan& plan, ScreenLegend& legend) {
    for (qsizetype index = 0; index < rows.size(); ++index) {
        QList<Primitive> primitives;
        addLegendColumn(primitives, {plan.entries[index]}, rows[index].topLeft(), style, plan.text);
        painter.setOpacity(legend.hidden.contains(legend.entries[index].label) ? 0.35 : 1.0);
        paintPrimitives(painter, primitives);
    }
    painter.setOpacity(1.0);
    legend.rects = rows;
}

}  // namespace

TextStyle labelText(const FigureStyle& style) {
    return {style.fontFamily, 11.0, false, style.text};
}

qsizetype ScreenLegend::entryAt(const QPointF& pixel) const {
    for (qsizetype index = 0; index < rects.size(); ++index) {
        if (rects[index].contains(pixel)) {
            return index;
        }
    }
    return -1;
}

LegendPlan ScreenLegend::planned(const QSizeF& panel, const FigureStyle& style) const {
    LegendPlan plan{LegendPlan::Place::inside, entries, labelText(style)};
    const QSizeF size = legendColumnSize(entries, plan.text);
    const bool coversLittle = size.height() <= mostInside * (panel.height() - aroundPlot) &&
                              size.width() <= mostInsideWidth * panel.width();
    if (entries.isEmpty() || (!isBeside && coversLittle)) {
        return plan;
    }
    // A column beside the plot, or rows above it; dials and columns are best left their width.
    const double room = mostOutside * panel.width() - legendGap - legendBorder;
    const double across = panel.width() - 2.0 * legendBorder;
    for (const double pixels : {plan.text.sizePoints, smallText}) {
        plan.text.sizePoints = pixels;
        const QSizeF column = legendColumnSize(entries, plan.text);
        const double rows = legendRowsHeight(entries, plan.text, across) + legendBorder;
        const bool isOneRow = rows < 2.0 * pixels + legendBorder;
        if (column.width() <= room && column.height() <= panel.height() && !(isBeside && isOneRow)) {
            plan.place = LegendPlan::Place::beside;
            plan.width = column.width() + legendGap + legendBorder;
            return plan;
        }
        if (isOneRow || (pixels == smallText && rows <= mostOutside * panel.height())) {
            plan.place = LegendPlan::Place::above;
            plan.height = rows;
            return plan;
        }
    }
    plan.place = LegendPlan::Place::beside;
    const double words = room - (legendColumnSize(entries.first(1), plan.text).width() -
                                 textWidth(entries.first().label, plan.text));
    for (LegendEntry& entry : plan.entries) {
        entry.label = elidedText(entry.label, plan.text, words);
    }
    plan.width = room + legendGap + legendBorder;
    return plan;
}

Panel annotationsOf(const Panel& panel, const QSet<QString>& hiddenLabels) {
    const auto isHidden = [&](const auto& one) {
        return !one.label.empty() && hiddenLabels.contains(QString::fromStdString(one.label));
    };
    Panel annotations;
    annotations.x = panel.x;
    annotations.y = panel.y;
    annotations.axesShown = panel.axesShown;
    for (const Layer& layer : panel.layers) {
        if (std::holds_alternative<Band>(layer) || std::holds_alternative<Rule>(layer) ||
            std::holds_alternative<Text>(layer)) {
            annotations.layers.push_back(layer);
        } else if (const auto* bars = std::get_if<Bars>(&layer); bars != nullptr && !isHidden(*bars)) {
            annotations.layers.push_back(layer);
        } else if (const auto* clock = std::get_if<Clock>(&layer)) {
            Clock shown = *clock;
            std::erase_if(shown.hands, isHidden);
            std::erase_if(shown.arcs, isHidden);
            annotations.layers.emplace_back(std::move(shown));
        }
    }
    return annotations;
}

void paintGround(QPainter& painter, const Panel& annotations, const PlotAxes& axes,
                 const PlotMapping& mapping, const FigureStyle& style) {
    QList<Primitive> primitives;
    addMarks(primitives, annotations, mapping, axes.x, axes.y, style, labelText(style));
    if (hasBars(annotations)) {
        snapToPixels(primitives);
    }
    paintPrimitives(painter, primitives);
}

void paintLabels(QPainter& painter, const Panel& panel, const Panel& annotations, const PlotMapping& mapping,
                 const FigureStyle& style, const LegendPlan& plan, ScreenLegend& legend) {
    legend.rects.clear();
    const bool isInside = !plan.entries.isEmpty() && plan.place == LegendPlan::Place::inside;
    const QSizeF size = legendColumnSize(plan.entries, plan.text);
    const QRectF& plot = mapping.rect();
    if (const Heatmap* map = mapOf(panel); map != nullptr && map->tiles) {
        QList<Primitive> marks;
        addTileMarks(marks, *map, mapping, style, labelText(style));
        paintPrimitives(painter, marks);
    }
    if (!annotations.axesShown) {
        TextStyle content = labelText(style);
        content.sizePoints = contentText;
        QList<Primitive> words;
        for (const TextRun& run : contentTexts(annotations, mapping, style, content)) {
            words.append(run);
        }
        paintPrimitives(painter, words);
    }
    if (isInside || hasLabels(annotations)) {
        Obstacles obstacles = panelObstacles(panel, mapping, style, labelText(style));
        QList<Primitive> primitives;
        static_cast<void>(addLabels(primitives, panel, mapping, obstacles, style, labelText(style)));
        paintPrimitives(painter, primitives);
        if (isInside) {
            const Placement placement = bestPlacement(obstacles, legendPlaces(plot, size, legendInset));
            const QRectF& box = placement.candidate.box;
            if (!placement.isFree()) {
                QColor patch = style.plotBackground;
                patch.setAlphaF(0.82F);
                painter.fillRect(box.adjusted(-2.0, -2.0, 2.0, 2.0), patch);
            }
            paintLegend(painter, legendColumnBoxes(plan.entries, plan.text, box.topLeft()), style, plan,
                        legend);
        }
    }
    const QSizeF whole =
        QSizeF(painter.device()->width(), painter.device()->height()) / painter.device()->devicePixelRatioF();
    if (plan.place == LegendPlan::Place::beside) {
        const double top = std::max(0.0, std::min(plot.top(), whole.height() - size.height()));
        paintLegend(painter,
                    legendColumnBoxes(plan.entries, plan.text, QPointF(plot.right() + legendGap, top)), style,
                    plan, legend);
    } else if (plan.place == LegendPlan::Place::above) {
        const QRectF area(legendBorder, plan.top, whole.width() - 2.0 * legendBorder, plan.height);
        QList<QRectF> boxes = legendRowBoxes(plan.entries, plan.text, area);
        double right = 0.0;
        for (const QRectF& box : std::as_const(boxes)) {
            right = std::max(right, box.right());
        }
        // From the plot's left border on, where that leaves them room.
        const double shift = std::max(0.0, std::min(plot.left() - legendBorder, area.right() - right));
        for (QRectF& box : boxes) {
            box.translate(shift, 0.0);
        }
        paintLegend(painter, boxes, style, plan, legend);
    }
}

}  // namespace phaseladder::ui
