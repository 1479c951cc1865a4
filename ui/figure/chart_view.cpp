#include "ui/figure/chart_view.h"

#include <QAreaSeries>
#include <QChart>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QLineSeries>
#include <QPainter>
#include <QScatterSeries>
#include <QValueAxis>

#include <type_traits>
#include <utility>

#include "ui/figure/curve_points.h"

namespace phaseladder::ui {
namespace {

constexpr double pixelsPerPoint = 96.0 / 72.0;

QPen curvePen(const RoleStyle& role) {
    QPen pen(role.line, role.widthPoints * pixelsPerPoint);
    pen.setJoinStyle(Qt::RoundJoin);
    pen.setCapStyle(role.dashes.isEmpty() ? Qt::RoundCap : Qt::FlatCap);
    if (!role.dashes.isEmpty()) {
        pen.setDashPattern(role.dashes);
    }
    return pen;
}

QScatterSeries::MarkerShape chartShape(MarkerShape shape) {
    switch (shape) {
        case MarkerShape::square:
            return QScatterSeries::MarkerShapeRectangle;
        case MarkerShape::diamond:
            return QScatterSeries::MarkerShapeRotatedRectangle;
        case MarkerShape::triangle:
            return QScatterSeries::MarkerShapeTriangle;
        case MarkerShape::none:
        case MarkerShape::circle:
            break;
    }
    return QScatterSeries::MarkerShapeCircle;
}

}  // namespace

/// The chart and its series. A curve has one line series a visible run; each kind has a pool that only grows,
/// and what a panel does not need is hidden.
struct ChartView::Parts {
    QGraphicsScene scene;
    QChart* chart = new QChart;
    QValueAxis* xAxis = new QValueAxis(chart);
    QValueAxis* yAxis = new QValueAxis(chart);
    QList<QAreaSeries*> areas;
    QList<QLineSeries*> lines;
    QList<QScatterSeries*> scatters;

    Parts() {
        scene.setItemIndexMethod(QGraphicsScene::NoIndex);
        chart->setBackgroundVisible(false);
        chart->setMargins(QMargins(0, 0, 0, 0));
        chart->layout()->setContentsMargins(0.0, 0.0, 0.0, 0.0);
        chart->setAnimationOptions(QChart::NoAnimation);
        chart->legend()->hide();
        xAxis->setVisible(false);
        yAxis->setVisible(false);
        chart->addAxis(xAxis, Qt::AlignBottom);
        chart->addAxis(yAxis, Qt::AlignLeft);
        scene.addItem(chart);
    }

    template <class Series>
    Series* take(QList<Series*>& pool, qsizetype& used) {
        if (used == pool.size()) {
            auto* series = new Series(chart);
            if constexpr (std::is_same_v<Series, QAreaSeries>) {
                series->setUpperSeries(new QLineSeries(series));
                series->setLowerSeries(new QLineSeries(series));
            }
            chart->addSeries(series);
            series->attachAxis(xAxis);
            series->attachAxis(yAxis);
            pool.append(series);
        }
        Series* series = pool[used++];
        series->setVisible(true);
        return series;
    }

    template <class Series>
    static void hideFrom(const QList<Series*>& pool, qsizetype used) {
        for (qsizetype i = used; i < pool.size(); ++i) {
            pool[i]->setVisible(false);
        }
    }

    void place(const PlotMapping& mapping) {
        const QRectF area(QPointF(0.0, 0.0), mapping.rect().size());
        if (chart->plotArea() != area) {
            chart->resize(area.size());
            chart->setPlotArea(area);
            scene.setSceneRect(area);
        }
        const PlotRange& range = mapping.scaledRange();
        xAxis->setReverse(mapping.x().reversed);
        yAxis->setReverse(mapping.y().reversed);
        xAxis->setRange(range.xMinimum, range.xMaximum);
        yAxis->setRange(range.yMinimum, range.yMaximum);
    }

    void setLayers(const Panel& panel, const PlotMapping& mapping, const FigureStyle& style,
                   const QSet<QString>& hiddenLabels) {
        qsizetype usedAreas = 0, usedLines = 0, usedScatters = 0;
        const auto isHidden = [&](const std::string& label) {
            return !label.empty() && hiddenLabels.contains(QString::fromStdString(label));
        };
        for (const Layer& layer : panel.layers) {
            if (const auto* envelope = std::get_if<Envelope>(&layer);
                envelope && !isHidden(envelope->label)) {
                const QList<QList<QPointF>> low = curveRuns(envelope->x, envelope->low, mapping);
                const QList<QList<QPointF>> high = curveRuns(envelope->x, envelope->high, mapping);
                for (qsizetype run = 0; run < std::min(low.size(), high.size()); ++run) {
                    QAreaSeries* area = take(areas, usedAreas);
                    area->setPen(Qt::NoPen);
                    area->setBrush(style.role(envelope->role).tint);
                    area->lowerSeries()->replace(low[run]);
                    area->upperSeries()->replace(high[run]);
                }
            } else if (const auto* curve = std::get_if<Curve>(&layer); curve && !isHidden(curve->label)) {
                for (const QList<QPointF>& run : curveRuns(curve->x, curve->y, mapping)) {
                    QLineSeries* line = take(lines, usedLines);
                    line->setPen(curvePen(style.role(curve->role)));
                    line->replace(withoutStraightPoints(run, mapping));
                }
            } else if (const auto* points = std::get_if<Points>(&layer); points && !isHidden(points->label)) {
                const RoleStyle role = style.role(points->role);
                QScatterSeries* scatter = take(scatters, usedScatters);
                scatter->setMarkerShape(chartShape(role.marker));
                scatter->setMarkerSize(7.0);
                scatter->setBrush(role.line);
                scatter->setPen(QPen(style.plotBackground, 1.0));
                QList<QPointF> all;
                for (const QList<QPointF>& run : curveRuns(points->x, points->y, mapping)) {
                    all += run;
                }
                scatter->replace(all);
            }
        }
        hideFrom(areas, usedAreas);
        hideFrom(lines, usedLines);
        hideFrom(scatters, usedScatters);
    }
};

ChartView::ChartView() : m_parts(std::make_unique<Parts>()) {}
ChartView::~ChartView() = default;

bool ChartView::isNeeded(const Panel& panel) {
    for (const Layer& layer : panel.layers) {
        if (std::holds_alternative<Curve>(layer) || std::holds_alternative<Envelope>(layer) ||
            std::holds_alternative<Points>(layer)) {
            return true;
        }
    }
    return false;
}

void ChartView::paint(QPainter& painter, const Panel& panel, const PlotMapping& mapping,
                      const FigureStyle& style, const QSet<QString>& hiddenLabels) {
    m_parts->place(mapping);
    m_parts->setLayers(panel, mapping, style, hiddenLabels);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setClipRect(mapping.rect().adjusted(-1.0, -1.0, 1.0, 1.0));
    m_parts->scene.render(&painter, mapping.rect(), QRectF(QPointF(0.0, 0.0), mapping.rect().size()),
                          Qt::IgnoreAspectRatio);
    painter.restore();
}

}  // namespace phaseladder::ui
