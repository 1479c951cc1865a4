#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/figures/map_tiles.h"
#include "ui/figure/bar_layout.h"
#include "ui/figure/clock_layout.h"
#include "ui/figure/color_bar.h"
#include "ui/figure/curve_samples.h"
#include "ui/figure/legend_list.h"
#include "ui/figure/panel_view.h"
#include "ui/figure/text_advance.h"
#include "ui/figure/tile_layout.h"

// How a PanelView paints itself; what it does with the pointer and the keys is in panel_view.cpp.

namespace phaseladder::ui {
namespace {

constexpr double outlinedCell =
    6.0;  // pixels from which a marked row or column is outlined instead of struck through
constexpr int titlePixels = 12, smallestTitlePixels = 10;
constexpr double titleInset = 2.0;

constexpr double markLine = 1.5, chosenLine = 2.25;  // pixels: of what is pointed at, of what is looked at

/// A line that is seen on any colour: the ground's colour beneath, then its own.
void drawMarkLine(QPainter& painter, const QLineF& line, const FigureStyle& style) {
    QColor ground = style.plotBackground;
    ground.setAlphaF(0.65F);
    painter.setPen(QPen(ground, 3.5, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(line);
    painter.setPen(QPen(style.accent, 1.5, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(line);
}

/// A thin line that leaves what it crosses readable.
void drawGuide(QPainter& painter, const QLineF& line, QColor color) {
    color.setAlphaF(0.6F);
    painter.setPen(QPen(color, 1.0));
    painter.drawLine(line);
}

void drawMarkRect(QPainter& painter, const QRectF& rect, const FigureStyle& style, double lineWidth) {
    QColor ground = style.plotBackground;
    ground.setAlphaF(0.65F);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(ground, lineWidth + 2.0, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
    painter.setPen(QPen(style.accent, lineWidth, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.drawRect(rect);
}

void drawDots(QPainter& painter, const QList<HoverReadout::Dot>& dots, const PlotMapping& mapping,
              const FigureStyle& style) {
    for (const HoverReadout::Dot& dot : dots) {
        painter.setPen(QPen(style.plotBackground, 1.5));
        painter.setBrush(style.role(dot.role).line);
        painter.drawEllipse(mapping.pixel(dot.x, dot.y), 4.5, 4.5);
    }
}

/// The frame of a dial: the label of a chosen one is inside it, and here too.
void drawDialFrame(QPainter& painter, const Clock& clock, const Panel& panel, const PlotMapping& mapping,
                   const FigureStyle& style) {
    const QRectF frame = clockFrame(clock, panel, mapping, labelText(style));
    if (!frame.isEmpty()) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(style.accent, 1.5));
        painter.drawRoundedRect(frame, 3.0, 3.0);
    }
}

/// A pale ground behind the columns at an x.
void drawSlot(QPainter& painter, const Panel& panel, double x, const PlotMapping& mapping,
              const FigureStyle& style) {
    for (const Layer& layer : panel.layers) {
        if (const auto* bars = std::get_if<Bars>(&layer)) {
            QColor fill = style.accent;
            fill.setAlphaF(0.10F);
            painter.fillRect(barSlot(*bars, x, mapping), fill);
            return;
        }
    }
}

/// An outline around the columns at an x.
void drawChosenSlot(QPainter& painter, const Panel& panel, double x, const PlotMapping& mapping,
                    const FigureStyle& style) {
    for (const Layer& layer : panel.layers) {
        if (const auto* bars = std::get_if<Bars>(&layer)) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(style.accent, 1.5));
            painter.drawRoundedRect(barSlot(*bars, x, mapping).adjusted(0.75, 0.75, -0.75, -0.75), 3.0, 3.0);
            return;
        }
    }
}

/// Where an axis says that its parameter stands; nothing where that is not on it.
std::optional<double> chosenPlace(const Axis& axis) {
    const bool isOnAxis = axis.choice.at && *axis.choice.at > axis.minimum && *axis.choice.at < axis.maximum;
    return isOnAxis ? axis.choice.at : std::nullopt;
}

/// The data interval of the cell, or of the whole number, that a mark is on.
std::pair<double, double> markedInterval(double value, double start, double step) {
    const double low = start + std::floor((value - start) / step) * step;
    return {low, low + step};
}

}  // namespace

void PanelView::paintEvent(QPaintEvent*) {
    const double ratio = devicePixelRatioF();
    if (m_content.size() != size() * ratio || m_content.devicePixelRatio() != ratio) {
        m_content = QPixmap(size() * ratio);
        m_content.setDevicePixelRatio(ratio);
        m_isContentStale = true;
    }
    if (std::exchange(m_isContentStale, false)) {
        m_content.fill(m_style.background);
        QPainter content(&m_content);
        paintContent(content);
        m_legendList->refresh();  // where it found room
    }
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_content);
    if (m_motion.isRunning()) {
        m_motion.paintCells(painter, m_content, mapping(), m_style.plotBackground);
        paintAxes(painter, m_motion.moved(m_axes), mapping(), m_style);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.save();
    painter.setClipRect(m_plot.adjusted(-1.0, -1.0, 1.0, 1.0));
    paintChosen(painter);
    paintMarks(painter);
    paintCrosshair(painter);
    paintBox(painter);
    painter.restore();
    paintGrips(painter, m_grips, mapping(), m_style, m_pointedGrip, m_dragGrip ? m_dragGrip : m_keyGrip);
    if (hasFocus() && m_focusIsByKeys) {
        painter.setPen(QPen(m_style.accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(1.0, 1.0, -1.0, -1.0), 4.0, 4.0);
    }
}

void PanelView::paintContent(QPainter& painter) {
    const PlotMapping map = mapping();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(m_plot, m_style.plotBackground);
    if (!m_panel->title.empty()) {
        paintTitle(painter);
    }
    painter.save();
    painter.setClipRect(m_plot);
    if (m_maps.empty()) {
        paintGround(painter, m_annotations, m_axes, map, m_style);
    }
    auto mapPainter = m_maps.begin();
    for (const Layer& layer : m_panel->layers) {
        if (const auto* heatmap = std::get_if<Heatmap>(&layer)) {
            (mapPainter++)->paint(painter, *heatmap, map, m_style);
        }
    }
    if (!m_maps.empty()) {
        paintGround(painter, m_annotations, PlotAxes(), map, m_style);
    }
    painter.restore();
    if (ChartView::isNeeded(*m_panel)) {
        m_chart.paint(painter, *m_panel, map, m_style, m_legend.hidden);
    }
    if (m_maps.empty() && m_style.dataOpacity < 1.0) {
        QColor veil = m_style.plotBackground;
        veil.setAlphaF(static_cast<float>(1.0 - m_style.dataOpacity));
        painter.fillRect(m_plot, veil);
    }
    if (!m_motion.isRunning() && m_panel->axesShown) {
        paintAxes(painter, m_axes, map, m_style);
    }
    if (const Heatmap* heatmap = mapOf(*m_panel)) {
        paintColorBar(painter, *heatmap, m_plot, m_style);
    }
    paintLabels(painter, *m_panel, m_annotations, map, m_style, m_legendPlan, m_legend);
}

/// Above the plot; a title too long for that begins further left, is set smaller, and only then cut.
void PanelView::paintTitle(QPainter& painter) {
    const QString title = QString::fromStdString(m_panel->title);
    QFont font = figureFont(m_style, titlePixels);
    font.setWeight(QFont::Medium);
    while (font.pixelSize() > smallestTitlePixels && textAdvance(font, title) > width() - 2.0 * titleInset) {
        font.setPixelSize(font.pixelSize() - 1);
    }
    const double room = width() - 2.0 * titleInset;
    const QString words = QFontMetricsF(font).elidedText(title, Qt::ElideRight, room);
    const double left = std::clamp(width() - titleInset - textAdvance(font, words), titleInset,
                                   std::max(titleInset, m_plot.left()));
    painter.setFont(font);
    painter.setPen(m_style.text);
    painter.drawText(QRectF(left, 0.0, width() - left, 16.0), Qt::AlignLeft | Qt::AlignVCenter, words);
}

/// An outline around the cell, the row or the columns that the axes name as chosen.
void PanelView::paintChosen(QPainter& painter) {
    const std::optional<double> x = chosenPlace(m_panel->x), y = chosenPlace(m_panel->y);
    const PlotMapping map = mapping();
    const PlotRange& range = map.range();
    const Heatmap* cells = mapOf(*m_panel);
    if (m_motion.isRunning() || (!x && !y)) {
        return;
    }
    if (cells == nullptr) {
        if (x) {
            drawChosenSlot(painter, *m_panel, *x, map, m_style);
        }
        return;
    }
    const auto [left, right] = x ? markedInterval(*x, cells->columnStart, cells->columnStep)
                                 : std::pair(range.xMinimum, range.xMaximum);
    const auto [low, high] =
        y ? markedInterval(*y, cells->rowStart, cells->rowStep) : std::pair(range.yMinimum, range.yMaximum);
    const QRectF cell = map.pixelRect(left, low, right, high);
    const double wider = std::max(0.0, 0.5 * (outlinedCell - cell.width()));
    const double higher = std::max(0.0, 0.5 * (outlinedCell - cell.height()));
    drawMarkRect(painter, cell.adjusted(-wider, -higher, wider, higher), m_style, chosenLine);
}

void PanelView::paintMarks(QPainter& painter) {
    if (!m_link || (m_link->source() == this && m_hover.has_value())) {
        return;
    }
    const PlotMapping map = mapping();
    const PlotRange& range = map.range();
    for (const Clock* clock : clocksOf(*m_panel)) {
        if (m_link->mark(clock->meaning) == clock->value) {
            drawDialFrame(painter, *clock, *m_panel, map, m_style);
        }
    }
    const Heatmap* cells = mapOf(*m_panel);
    if (cells != nullptr && cells->tiles) {
        if (const std::optional<double> tile = m_link->mark(cells->tiles->meaning);
            tile && *tile < static_cast<double>(tileCount(*cells))) {
            drawMarkRect(painter, tileRect(*cells, std::llround(*tile), map), m_style, markLine);
        }
        return;
    }
    if (const std::optional<double> x = m_link->mark(m_panel->x.meaning)) {
        const auto [low, high] =
            markedInterval(*x, cells ? cells->columnStart : *x - 0.5, cells ? cells->columnStep : 1.0);
        const QRectF column = map.pixelRect(low, range.yMinimum, high, range.yMaximum);
        if (cells != nullptr && column.width() >= outlinedCell) {
            drawMarkRect(painter, column, m_style, markLine);
        } else {
            const double middle = cells ? column.center().x() : map.xPixel(*x);
            const QLineF line(middle, m_plot.top(), middle, m_plot.bottom());
            cells ? drawMarkLine(painter, line, m_style) : drawGuide(painter, line, m_style.accent);
        }
        drawDots(painter, dotsAt(*m_panel, map, *x, m_legend.hidden), map, m_style);
    }
    if (const std::optional<double> y = m_link->mark(m_panel->y.meaning)) {
        const auto [low, high] =
            markedInterval(*y, cells ? cells->rowStart : *y - 0.5, cells ? cells->rowStep : 1.0);
        const QRectF row = map.pixelRect(range.xMinimum, low, range.xMaximum, high);
        if (cells != nullptr && row.height() >= outlinedCell) {
            drawMarkRect(painter, row, m_style, markLine);
        } else {
            const double middle = cells ? row.center().y() : map.yPixel(*y);
            const QLineF line(m_plot.left(), middle, m_plot.right(), middle);
            cells ? drawMarkLine(painter, line, m_style) : drawGuide(painter, line, m_style.accent);
        }
    }
}

void PanelView::paintCrosshair(QPainter& painter) {
    if (!m_hover.has_value() || m_drag == Drag::pan) {
        return;
    }
    const PlotMapping map = mapping();
    if (m_hover->clock != nullptr) {
        drawDialFrame(painter, *m_hover->clock, *m_panel, map, m_style);
        return;
    }
    if (hasBars(*m_panel)) {
        drawSlot(painter, *m_panel, m_hover->x, map, m_style);
        drawDots(painter, m_hover->dots, map, m_style);
        return;
    }
    if (!m_hover->cell.has_value()) {
        const double x = std::floor(map.xPixel(m_hover->x)) + 0.5;
        drawGuide(painter, QLineF(x, m_plot.top(), x, m_plot.bottom()), m_style.mutedText);
        drawDots(painter, m_hover->dots, map, m_style);
        return;
    }
    const QRectF& cell = *m_hover->cell;
    const QRectF rect = map.pixelRect(cell.left(), cell.top(), cell.right(), cell.bottom());
    const QPointF center = rect.center();
    if (m_hover->tile.has_value()) {
        const QRectF& tile = *m_hover->tile;
        drawMarkRect(painter, map.pixelRect(tile.left(), tile.top(), tile.right(), tile.bottom()), m_style,
                     markLine);
        if (rect.width() >= outlinedCell) {
            drawMarkRect(painter, rect, m_style, markLine);
        }
        return;
    }
    if (rect.width() < outlinedCell || rect.height() < outlinedCell) {
        drawMarkLine(painter, QLineF(m_plot.left(), center.y(), m_plot.right(), center.y()), m_style);
        drawMarkLine(painter, QLineF(center.x(), m_plot.top(), center.x(), m_plot.bottom()), m_style);
    } else {
        drawMarkRect(painter, rect, m_style, markLine);
    }
}

void PanelView::paintBox(QPainter& painter) {
    QRectF box;
    if (m_drag == Drag::box && QLineF(m_press, m_last).length() >= 4.0) {
        box = QRectF(m_press, m_last).normalized();
    } else if (m_keyBoxStart.has_value() && m_hover.has_value()) {
        box =
            QRectF(dataToWidget(m_keyBoxStart->x(), m_keyBoxStart->y()), dataToWidget(m_hover->x, m_hover->y))
                .normalized();
    }
    if (box.isNull()) {
        return;
    }
    QColor fill = m_style.accent;
    fill.setAlphaF(0.14F);
    painter.setBrush(fill);
    painter.setPen(QPen(m_style.accent, 1.0));
    painter.drawRect(box);
}

}  // namespace phaseladder::ui
