#include "ui/figure/annotations.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

#include "ui/figure/bar_layout.h"
#include "ui/figure/content_texts.h"
#include "ui/figure/figure_painter.h"

namespace phaseladder::ui {
namespace {

constexpr double mostInside = 0.35;  // of the panel's height
constexpr double smallText = 9.0;    // pixels
constexpr double contentText = 13.0;
constexpr double legendInset = 8.0, legendGap = 14.0;

void paintPrimitives(QPainter& painter, const QList<Primitive>& primitives) {
    LaidOutFigure page;
    page.primitives = primitives;
    paintFigure(painter, page);
}

/// Smaller where the entries would be taller than the panel.
TextStyle legendText(const QList<LegendEntry>& entries, double panelHeight, const FigureStyle& style) {
    TextStyle text = labelText(style);
    if (legendColumnSize(entries, text).height() > panelHeight) {
        text.sizePoints = smallText;
    }
    return text;
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

void paintLegend(QPainter& painter, const QRectF& box, const FigureStyle& style, const TextStyle& text,
                 ScreenLegend& legend) {
    const double rowHeight = box.height() / static_cast<double>(legend.entries.size());
    QRectF row(box.topLeft(), QSizeF(box.width(), rowHeight));
    for (const LegendEntry& entry : legend.entries) {
        QList<Primitive> primitives;
        addLegendColumn(primitives, {entry}, row.topLeft(), style, text);
        painter.setOpacity(legend.hidden.contains(entry.label) ? 0.35 : 1.0);
        paintPrimitives(painter, primitives);
        legend.rects.append(row);
        row.translate(0.0, rowHeight);
    }
    painter.setOpacity(1.0);
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

double ScreenLegend::outsideWidth(double panelHeight, const FigureStyle& style) const {
    const QSizeF size = legendColumnSize(entries, legendText(entries, panelHeight, style));
    const bool isInside = !isBeside && size.height() <= mostInside * panelHeight;
    return isInside || entries.isEmpty() ? 0.0 : size.width() + legendGap + 4.0;
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
                 const FigureStyle& style, ScreenLegend& legend) {
    legend.rects.clear();
    const double panelHeight = painter.device()->height() / painter.device()->devicePixelRatioF();
    const bool inside = !legend.entries.isEmpty() && legend.outsideWidth(panelHeight, style) == 0.0;
    const TextStyle text = legendText(legend.entries, panelHeight, style);
    const QSizeF size = legendColumnSize(legend.entries, text);
    const QRectF& plot = mapping.rect();
    if (!annotations.axesShown) {
        TextStyle content = labelText(style);
        content.sizePoints = contentText;
        QList<Primitive> words;
        for (const TextRun& run : contentTexts(annotations, mapping, style, content)) {
            words.append(run);
        }
        paintPrimitives(painter, words);
    }
    if (inside || hasLabels(annotations)) {
        Obstacles obstacles = panelObstacles(panel, mapping, style, labelText(style));
        QList<Primitive> primitives;
        static_cast<void>(addLabels(primitives, annotations, mapping, obstacles, style, labelText(style)));
        paintPrimitives(painter, primitives);
        if (inside) {
            const QRectF box = bestPlacement(obstacles, legendPlaces(plot, size, legendInset)).candidate.box;
            paintLegend(painter, box, style, text, legend);
        }
    }
    if (!inside && !legend.entries.isEmpty()) {
        const double top = std::max(0.0, std::min(plot.top(), panelHeight - size.height()));
        paintLegend(painter, QRectF(QPointF(plot.right() + legendGap, top), size), style, text, legend);
    }
}

}  // namespace phaseladder::ui
