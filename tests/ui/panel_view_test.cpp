#include "ui/figure/panel_view.h"

#include <QAccessible>
#include <QSignalSpy>

#include <algorithm>
#include <cmath>

#include "tests/ui/panel_view_test_parts.h"

namespace phaseladder::ui::test {

class PanelViewTest : public QObject, private PanelViewFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setMotion(MotionChoice::reduced); }

    void init() { makeViews(); }

    void cleanup() { deleteViews(); }

    void dataLiesWhereTheAxesSay() {
        const QRectF plot = m_view->plotRect();
        QCOMPARE(m_view->dataToWidget(0.0, 1.0), plot.bottomLeft());
        QCOMPARE(m_view->dataToWidget(63.0, 1e7), plot.topRight());
        QVERIFY(std::abs(m_view->dataToWidget(0.0, std::pow(10.0, 3.5)).y() - plot.center().y()) < 1e-9);
        QCOMPARE(m_map->dataToWidget(-0.5, -0.5), m_map->plotRect().topLeft());
    }

    void crosshairReadsTheFiguresNumbers() {
        const auto panel = ladderPanel();
        for (const int pair : {0, 7, 27, 40, 63}) {
            const Curve& base = std::get<Curve>(panel->layers[0]);
            const Curve& scaled = std::get<Curve>(panel->layers[1]);
            const auto index = static_cast<std::size_t>(pair);
            hover(*m_view, m_view->dataToWidget(pair, base.y[index]));
            QCOMPARE(m_view->readoutText(),
                     QStringLiteral("pair %1 · wavelength: base = %2, YaRN ×4 = %3 tokens")
                         .arg(QString::number(pair), shown(base.y[index]), shown(scaled.y[index])));
        }
    }

    void cellsReadTheirOwnValue() {
        hover(*m_map, m_map->dataToWidget(0.0, 1.0));
        QCOMPARE(m_map->readoutText(),
                 QStringLiteral("query bites → key dog · weight %1").arg(shown(0.857142857)));
        hover(*m_map, m_map->dataToWidget(2.0, 2.0));
        QCOMPARE(m_map->readoutText(), QStringLiteral("query man → key man · weight 0.5"));
    }

    void maskedCellsSaySo() {
        hover(*m_map, m_map->dataToWidget(2.0, 0.0));
        QCOMPARE(m_map->readoutText(), QStringLiteral("query dog → key man · masked"));
    }

    void maskedCellsAreHatchedAndNeverTheLowestColour() {
        const QImage image = m_map->grab().toImage();
        const auto colorAt = [&](double x, double y) {
            // Off the middle, where the hatch's stroke is.
            const QPointF at = (m_map->dataToWidget(x, y) + QPointF(-14.0, -14.0)) * image.devicePixelRatio();
            return image.pixelColor(at.toPoint());
        };
        const FigureStyle style = figureStyle(StyleKind::light);
        QCOMPARE(colorAt(2.0, 0.0), style.plotBackground);
        QCOMPARE(colorAt(0.0, 0.0).rgb(), colormap(QStringLiteral("viridis")).last());
        bool hasStroke = false;
        const QPoint center = (m_map->dataToWidget(2.0, 0.0) * image.devicePixelRatio()).toPoint();
        for (int dx = -6; dx <= 6; ++dx) {
            for (int dy = -6; dy <= 6; ++dy) {
                hasStroke = hasStroke || image.pixelColor(center + QPoint(dx, dy)) != style.plotBackground;
            }
        }
        QVERIFY(hasStroke);
    }

    void aPreviewIsPalerAndItsNumbersStayLegible() {
        FigureStyle style = figureStyle(StyleKind::light);
        style.dataOpacity = 0.5;
        const auto cornerOf = [](const PanelView& view, const QImage& image) {
            const QPointF at = view.dataToWidget(0.0, 0.0) + QPointF(-14.0, -14.0);
            return image.pixelColor((at * image.devicePixelRatio()).toPoint());
        };
        const QColor full = cornerOf(*m_map, m_map->grab().toImage());
        m_map->setFigureStyle(style);
        const QColor pale = cornerOf(*m_map, m_map->grab().toImage());
        QVERIFY(std::abs(pale.red() - (full.red() + style.plotBackground.red()) / 2) <= 1);
        QVERIFY(std::abs(pale.green() - (full.green() + style.plotBackground.green()) / 2) <= 1);
        QVERIFY(std::abs(pale.blue() - (full.blue() + style.plotBackground.blue()) / 2) <= 1);
        m_map->setFigureStyle(figureStyle(StyleKind::light));
        QCOMPARE(cornerOf(*m_map, m_map->grab().toImage()), full);

        const QImage curves = m_view->grab().toImage();
        m_view->setFigureStyle(style);
        QVERIFY(m_view->grab().toImage() != curves);
    }

    void outsideThePlotNothingIsRead() {
        hover(*m_view, m_view->dataToWidget(20.0, 100.0));
        QVERIFY(!m_view->readoutText().isEmpty());
        hover(*m_view, QPointF(2.0, 2.0));
        QVERIFY(m_view->readoutText().isEmpty());
    }

    void hoverMarksTheOtherViewsByMeaning() {
        hover(*m_view, m_view->dataToWidget(27.0, 100.0));
        QCOMPARE(m_link->mark(AxisMeaning::pair), std::optional(27.0));
        QVERIFY(!m_link->mark(AxisMeaning::position).has_value());
        hover(*m_map, m_map->dataToWidget(2.0, 1.0));
        QCOMPARE(m_link->mark(AxisMeaning::queryToken), std::optional(1.0));
        QCOMPARE(m_link->mark(AxisMeaning::keyToken), std::optional(2.0));
        QCOMPARE(m_link->mark(AxisMeaning::position), std::optional(1.0));
        QVERIFY(!m_link->mark(AxisMeaning::pair).has_value());
    }

    void aMarkFromElsewhereIsDrawn() {
        const QImage before = m_view->grab().toImage();
        m_link->setMarks({{AxisMeaning::pair, 50.0}}, this);
        const QImage after = m_view->grab().toImage();
        QVERIFY(before != after);
        m_link->clearMarks();
        QCOMPARE(m_view->grab().toImage(), before);
    }

    void aClickKeepsTheMark() {
        const QPointF at = m_view->dataToWidget(12.0, 1e6);
        hover(*m_view, at);
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, at.toPoint());
        leave(*m_view);
        QCOMPARE(m_link->mark(AxisMeaning::pair), std::optional(12.0));
        hover(*m_map, m_map->dataToWidget(0.0, 0.0));
        QVERIFY(!m_link->mark(AxisMeaning::pair).has_value());
        leave(*m_map);
        QCOMPARE(m_link->mark(AxisMeaning::pair), std::optional(12.0));
        QTest::keyClick(m_view.get(), Qt::Key_Escape);
        QVERIFY(!m_link->mark(AxisMeaning::pair).has_value());
    }

    void wheelZoomsAtThePointerAndDoubleClickResets() {
        const PlotRange full = m_view->shownRange();
        const QPointF at = m_view->dataToWidget(20.0, 1e3);
        wheel(m_view.get(), at, 3);
        QVERIFY(m_view->isZoomed());
        QVERIFY(QLineF(m_view->dataToWidget(20.0, 1e3), at).length() < 1.0);
        QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, m_view->plotRect().center().toPoint());
        QCOMPARE(m_view->shownRange(), full);
    }

    void shiftZoomsXAndControlZoomsY() {
        const PlotRange full = m_view->shownRange();
        wheel(m_view.get(), m_view->plotRect().center(), 2, Qt::ShiftModifier);
        QCOMPARE(m_view->shownRange().yMaximum, full.yMaximum);
        QVERIFY(m_view->shownRange().xMaximum < full.xMaximum);
        m_view->resetView();
        wheel(m_view.get(), m_view->plotRect().center(), 2, Qt::ControlModifier);
        QCOMPARE(m_view->shownRange().xMaximum, full.xMaximum);
        QVERIFY(m_view->shownRange().yMaximum < full.yMaximum);
    }

    void aBoxZoomsToItself() {
        drag(m_view.get(), m_view->dataToWidget(10.0, 1e2), m_view->dataToWidget(40.0, 1e5));
        const PlotRange& range = m_view->shownRange();
        QVERIFY(std::abs(range.xMinimum - 10.0) < 0.2 && std::abs(range.xMaximum - 40.0) < 0.2);
        QVERIFY(std::abs(std::log10(range.yMinimum) - 2.0) < 0.05 &&
                std::abs(std::log10(range.yMaximum) - 5.0) < 0.05);
    }

    void middleDragPans() {
        m_view->showRange({20.0, 40.0, 1e2, 1e5});
        const QPointF center = m_view->plotRect().center();
        drag(m_view.get(), center, center + QPointF(m_view->plotRect().width() / 4.0, 0.0), Qt::MiddleButton);
        QVERIFY(std::abs(m_view->shownRange().xMinimum - 15.0) < 0.2);
        QVERIFY(std::abs(m_view->shownRange().xMaximum - 35.0) < 0.2);
    }

    void keysDoWhatTheMouseDoes() {
        const PlotRange full = m_view->shownRange();
        QTest::keyClick(m_view.get(), Qt::Key_Plus);
        const PlotRange zoomed = m_view->shownRange();
        QVERIFY(m_view->isZoomed());
        QTest::keyClick(m_view.get(), Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(m_view->shownRange(), full);
        QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(m_view->shownRange(), zoomed);
        QTest::keyClick(m_view.get(), Qt::Key_Right, Qt::ShiftModifier);
        QVERIFY(m_view->shownRange().xMinimum > zoomed.xMinimum);
    }

    void arrowsMoveTheCrosshairByOnePoint() {
        hover(*m_view, m_view->dataToWidget(27.0, 100.0));
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QVERIFY(m_view->readoutText().startsWith(QStringLiteral("pair 28 ·")));
        QTest::keyClick(m_view.get(), Qt::Key_Left);
        QTest::keyClick(m_view.get(), Qt::Key_Left);
        QVERIFY(m_view->readoutText().startsWith(QStringLiteral("pair 26 ·")));
    }

    void arrowsMoveTheCrosshairByOneCell() {
        hover(*m_map, m_map->dataToWidget(0.0, 0.0));
        QTest::keyClick(m_map.get(), Qt::Key_Down);
        QTest::keyClick(m_map.get(), Qt::Key_Right);
        QVERIFY(m_map->readoutText().startsWith(QStringLiteral("query bites → key bites")));
        QTest::keyClick(m_map.get(), Qt::Key_Up);
        QTest::keyClick(m_map.get(), Qt::Key_Up);
        QVERIFY(m_map->readoutText().startsWith(QStringLiteral("query dog → key bites")));
    }

    void arrowsBringThePlotAlong() {
        m_view->showRange({10.0, 20.0, 1.0, 1e7});
        hover(*m_view, m_view->dataToWidget(20.0, 100.0));
        QTest::keyClick(m_view.get(), Qt::Key_Right);
        QVERIFY(m_view->readoutText().startsWith(QStringLiteral("pair 21 ·")));
        QVERIFY(m_view->shownRange().xMaximum > 20.5);
    }

    void keysDrawABox() {
        hover(*m_view, m_view->dataToWidget(10.0, 1e3));
        QTest::keyClick(m_view.get(), Qt::Key_Z);
        for (int step = 0; step < 10; ++step) {
            QTest::keyClick(m_view.get(), Qt::Key_Right);
        }
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QVERIFY(std::abs(m_view->shownRange().xMinimum - 10.0) < 0.1);
        QVERIFY(std::abs(m_view->shownRange().xMaximum - 20.0) < 0.1);
    }

    void keysDrawABoxOverCurvesInBothDirections() {
        hover(*m_view, m_view->dataToWidget(10.0, 1e3));
        QTest::keyClick(m_view.get(), Qt::Key_Z);
        for (int step = 0; step < 6; ++step) {
            QTest::keyClick(m_view.get(), Qt::Key_Right);
            QTest::keyClick(m_view.get(), Qt::Key_Up);
        }
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        const PlotRange& range = m_view->shownRange();
        QVERIFY(std::abs(range.xMinimum - 10.0) < 0.1 && std::abs(range.xMaximum - 16.0) < 0.1);
        QVERIFY(std::abs(std::log10(range.yMinimum) - 3.0) < 0.05);
        QVERIFY(std::abs(std::log10(range.yMaximum) - (3.0 + 6.0 * 7.0 / 20.0)) < 0.05);
    }

    void aBoxByKeysNeedsNoPointer() {
        QTest::keyClick(m_view.get(), Qt::Key_Z);
        for (int step = 0; step < 8; ++step) {
            QTest::keyClick(m_view.get(), Qt::Key_Right);
        }
        QTest::keyClick(m_view.get(), Qt::Key_Return);
        QVERIFY(m_view->isZoomed());
    }

    void paintedLogAxesHaveTwoLabelsAtEveryZoom() {
        m_view->resize(520, 110);
        for (int notch = 0; notch < 40; ++notch) {
            const PlotRange range = m_view->shownRange();
            const PlotAxes axes = planAxes(m_view->panel(), range, QSizeF(m_view->size()), 0.0, 0.0, true,
                                           figureStyle(StyleKind::light));
            const auto labels = std::ranges::count_if(
                axes.y, [](const Tick& tick) { return !tick.label.isEmpty() && !tick.minor; });
            QVERIFY2(labels >= 2, qPrintable(QString::number(notch)));
            wheel(m_view.get(), m_view->dataToWidget(20.0, std::sqrt(range.yMinimum * range.yMaximum)), 1,
                  Qt::ControlModifier);
        }
    }

    void lanesReadTheirOwnValue() {
        auto lanes = std::make_shared<Panel>();
        lanes->x.meaning = AxisMeaning::position;
        lanes->x.maximum = 4.0;
        lanes->x.wholeNumbers = true;
        lanes->y.minimum = -0.5;
        lanes->y.maximum = 1.5;
        lanes->y.labels = {"pair 9", "pair 0"};
        lanes->y.laneHeight = 0.4;
        for (const double lane : {0.0, 1.0}) {
            Curve curve;
            curve.x = {0.0, 1.0, 2.0, 3.0, 4.0};
            curve.y.assign(5, lane + 0.4 * (lane == 0.0 ? 0.25 : -0.5));
            lanes->layers.push_back(curve);
        }
        m_view->setPanel(lanes, QString());
        hover(*m_view, m_view->dataToWidget(2.0, 1.2));
        QCOMPARE(m_view->readoutText(), QStringLiteral("position 2 · pair 0 = ") + shown(-0.5));
        QTest::keyClick(m_view.get(), Qt::Key_Down);
        QCOMPARE(m_view->readoutText(), QStringLiteral("position 2 · pair 9 = 0.25"));
        const QAccessibleTableInterface* table =
            QAccessible::queryAccessibleInterface(m_view.get())->tableInterface();
        QCOMPARE(table->columnDescription(1), QStringLiteral("pair 0"));
        QCOMPARE(table->cellAt(2, 1)->text(QAccessible::Name), shown(-0.5));
    }

    void zoomIsKeptWhenTheFigureChanges() {
        m_view->showRange({20.0, 40.0, 1e2, 1e5});
        const PlotRange zoomed = m_view->shownRange();
        const auto changed = ladderPanel();
        std::get<Curve>(changed->layers[1]).y[30] *= 1.5;
        m_view->setPanel(changed, QString());
        QCOMPARE(m_view->shownRange(), zoomed);
    }

    void theReadoutFollowsTheFigure() {
        hover(*m_view, m_view->dataToWidget(27.0, 100.0));
        const auto changed = ladderPanel();
        std::get<Curve>(changed->layers[1]).y[27] = 1234.5;
        m_view->setPanel(changed, QString());
        QVERIFY(m_view->readoutText().contains(QStringLiteral("YaRN ×4 = ") + shown(1234.5)));
    }

    void rulesWithAParameterCanBeDragged() {
        QSignalSpy started(m_view.get(), &PanelView::gripMoveStarted);
        QSignalSpy dragged(m_view.get(), &PanelView::gripMoved);
        QSignalSpy finished(m_view.get(), &PanelView::gripMoveFinished);
        const PlotRange full = m_view->shownRange();
        drag(m_view.get(), m_view->dataToWidget(50.0, 8192.0), m_view->dataToWidget(50.0, 32768.0));
        QCOMPARE(started.count(), 1);
        QCOMPARE(finished.count(), 1);
        QVERIFY(dragged.count() >= 1);
        const auto move = dragged.last()[0].value<GripMove>();
        QCOMPARE(move.parameterId, std::string("length.trained"));
        QVERIFY(std::abs(std::log2(std::get<double>(move.to)) - 15.0) < 0.1);
        QCOMPARE(m_view->shownRange(), full);
    }

    void rulesShowThatTheyCanBeDragged() {
        hover(*m_view, m_view->dataToWidget(50.0, 8192.0));
        QCOMPARE(m_view->cursor().shape(), Qt::SplitVCursor);
        hover(*m_view, m_view->dataToWidget(50.0, 2.0));
        QCOMPARE(m_view->cursor().shape(), Qt::CrossCursor);
    }

    void aDevicePixelIsAPixelOfAMap() {
        auto panel = mapPanel();
        Heatmap& map = std::get<Heatmap>(panel->layers[0]);
        map.states.clear();
        m_map->setPanel(panel, QString());
        const QImage image = m_map->grab().toImage();
        const QRect inner = m_map->plotRect().toRect().adjusted(2, 2, -2, -2);
        QSet<QRgb> colors;
        for (int x = inner.left(); x <= inner.right(); ++x) {
            colors.insert(image.pixel((QPoint(x, inner.top()) * image.devicePixelRatio())));
        }
        QVERIFY2(colors.size() <= 2, "hard edges: no blended colours between cells");
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::PanelViewTest)
#include "panel_view_test.moc"
