#include "ui/figure/plot_navigation.h"

#include <QTest>

#include <cmath>

#include "ui/figure/axis_ticks.h"
#include "ui/figure/curve_points.h"

using phaseladder::Axis;
using phaseladder::AxisMeaning;
using phaseladder::AxisScale;
using phaseladder::ui::HistoryStep;
using phaseladder::ui::PlotNavigation;
using phaseladder::ui::PlotRange;
using phaseladder::ui::ZoomAxes;

namespace {

Axis pairAxis(double maximum = 63.0) {
    Axis axis;
    axis.meaning = AxisMeaning::pair;
    axis.maximum = maximum;
    axis.wholeNumbers = true;
    return axis;
}

Axis wavelengthAxis(double maximum = 1e7) {
    Axis axis;
    axis.meaning = AxisMeaning::wavelength;
    axis.minimum = 1.0;
    axis.maximum = maximum;
    axis.scale = AxisScale::log10;
    return axis;
}

qsizetype labelledTicks(const Axis& axis, double minimum, double maximum) {
    qsizetype count = 0;
    for (const phaseladder::ui::Tick& tick : phaseladder::ui::axisTicks(axis, minimum, maximum, 6)) {
        count += !tick.label.isEmpty() && tick.value >= minimum * (1.0 - 1e-12) &&
                 tick.value <= maximum * (1.0 + 1e-12);
    }
    return count;
}

}  // namespace

class PlotNavigationTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_navigation = PlotNavigation();
        m_navigation.setAxes(pairAxis(), wavelengthAxis());
    }

    void startsInFull() { QVERIFY(m_navigation.isFull()); }

    void zoomKeepsTheValueUnderThePointer() {
        QVERIFY(m_navigation.zoomAt(0.25, 0.5, 2.0, ZoomAxes::both, HistoryStep::separate));
        const PlotRange& range = m_navigation.range();
        QCOMPARE(range.xMinimum + 0.25 * (range.xMaximum - range.xMinimum), 0.25 * 63.0);
        QCOMPARE(range.xMaximum - range.xMinimum, 31.5);
        const double middle = 0.5 * (std::log10(range.yMinimum) + std::log10(range.yMaximum));
        QVERIFY(std::abs(middle - 3.5) < 1e-12);
    }

    void zoomOfOneAxisLeavesTheOther() {
        m_navigation.zoomAt(0.5, 0.5, 2.0, ZoomAxes::x, HistoryStep::separate);
        QCOMPARE(m_navigation.range().yMaximum, 1e7);
        m_navigation.reset();
        m_navigation.zoomAt(0.5, 0.5, 2.0, ZoomAxes::y, HistoryStep::separate);
        QCOMPARE(m_navigation.range().xMaximum, 63.0);
    }

    void theZoomFactorIsThatOfTheAxisZoomedMore() {
        QCOMPARE(m_navigation.zoomFactor(), 1.0);
        m_navigation.zoomAt(0.5, 0.5, 2.0, ZoomAxes::both, HistoryStep::separate);
        QCOMPARE(m_navigation.zoomFactor(), 2.0);
        m_navigation.zoomAt(0.5, 0.5, 1.5, ZoomAxes::y, HistoryStep::separate);
        QCOMPARE(m_navigation.zoomFactor(), 3.0);
        m_navigation.reset();
        QCOMPARE(m_navigation.zoomFactor(), 1.0);
    }

    void zoomInAndOutAgainIsExactlyFull() {
        for (int step = 0; step < 7; ++step) {
            m_navigation.zoomAt(0.3, 0.8, 1.25, ZoomAxes::both, HistoryStep::merged);
        }
        for (int step = 0; step < 9; ++step) {
            m_navigation.zoomAt(0.3, 0.8, 1.0 / 1.25, ZoomAxes::both, HistoryStep::merged);
        }
        QVERIFY(m_navigation.isFull());
    }

    void resetIsExact() {
        m_navigation.zoomTo({3.0, 7.5, 12.0, 9e5});
        QVERIFY(m_navigation.reset());
        QCOMPARE(m_navigation.range(), m_navigation.fullRange());
    }

    void nothingLeavesTheFullRange() {
        m_navigation.zoomAt(0.5, 0.5, 4.0, ZoomAxes::both, HistoryStep::separate);
        m_navigation.panBy(-100.0, 100.0, HistoryStep::separate);
        QCOMPARE(m_navigation.range().xMinimum, 0.0);
        QCOMPARE(m_navigation.range().yMaximum, 1e7);
        QCOMPARE(m_navigation.range().xMaximum, 63.0 / 4.0);
    }

    void wholeNumbersZoomToTwoCellsAtMost() {
        for (int step = 0; step < 60; ++step) {
            m_navigation.zoomAt(0.5, 0.5, 1.5, ZoomAxes::both, HistoryStep::merged);
        }
        QVERIFY(std::abs(m_navigation.range().xMaximum - m_navigation.range().xMinimum - 2.0) < 1e-9);
    }

    void logAxesHaveTwoLabelsAtEveryZoom() {
        const Axis axis = wavelengthAxis();
        for (const double fraction : {0.0, 0.13, 0.31, 0.5, 0.77, 1.0}) {
            init();
            for (int step = 0; step < 60; ++step) {
                const PlotRange& range = m_navigation.range();
                QVERIFY2(labelledTicks(axis, range.yMinimum, range.yMaximum) >= 2,
                         qPrintable(QStringLiteral("%1 to %2").arg(range.yMinimum).arg(range.yMaximum)));
                m_navigation.zoomAt(0.5, fraction, 1.25, ZoomAxes::y, HistoryStep::merged);
            }
        }
        QVERIFY(labelledTicks(axis, 2.0, 9.0) >= 2);
    }

    void backAndForwardWalkTheHistory() {
        m_navigation.zoomTo({10.0, 20.0, 1.0, 1e7});
        m_navigation.zoomTo({12.0, 18.0, 1.0, 1e7});
        QVERIFY(m_navigation.back());
        QCOMPARE(m_navigation.range().xMinimum, 10.0);
        QVERIFY(m_navigation.back());
        QVERIFY(m_navigation.isFull());
        QVERIFY(!m_navigation.back());
        QVERIFY(m_navigation.forward());
        QVERIFY(m_navigation.forward());
        QCOMPARE(m_navigation.range().xMaximum, 18.0);
        QVERIFY(!m_navigation.forward());
    }

    void aBurstOfTheWheelIsOneStep() {
        for (int step = 0; step < 5; ++step) {
            m_navigation.zoomAt(0.5, 0.5, 1.25, ZoomAxes::both, HistoryStep::merged);
        }
        m_navigation.back();
        QVERIFY(m_navigation.isFull());
    }

    void zoomIsKeptWhileTheAxesMeanTheSame() {
        m_navigation.zoomTo({10.0, 20.0, 1.0, 1e7});
        m_navigation.setAxes(pairAxis(), wavelengthAxis(1e8));
        QCOMPARE(m_navigation.range().xMinimum, 10.0);
        QCOMPARE(m_navigation.range().xMaximum, 20.0);
        QCOMPARE(m_navigation.range().yMaximum, 1e8);  // was in full: follows
    }

    void otherAxesStartInFull() {
        m_navigation.zoomTo({10.0, 20.0, 1.0, 1e7});
        Axis ratio;
        ratio.meaning = AxisMeaning::ratio;
        m_navigation.setAxes(pairAxis(), ratio);
        QVERIFY(m_navigation.isFull());
        QVERIFY(!m_navigation.back());
    }

    void aRangeThatNoLongerExistsIsLeft() {
        m_navigation.zoomTo({50.0, 60.0, 1.0, 1e7});
        m_navigation.setAxes(pairAxis(31.0), wavelengthAxis());
        QVERIFY(m_navigation.isFull());
    }

    void thinningKeepsTheExtremesOfEachColumn() {
        Axis x, y;
        x.maximum = 1000.0;
        y.minimum = -2.0;
        y.maximum = 2.0;
        std::vector<double> positions, values;
        for (int i = 0; i <= 100'000; ++i) {
            positions.push_back(i / 100.0);
            values.push_back(std::sin(i * 0.7) + (i == 54'321 ? 0.9 : 0.0));
        }
        const phaseladder::ui::PlotMapping mapping(QRectF(0, 0, 100, 100), x, y, {0.0, 1000.0, -2.0, 2.0});
        const auto runs = phaseladder::ui::curveRuns(positions, values, mapping);
        QCOMPARE(runs.size(), 1);
        QVERIFY(runs.first().size() <= 4 * 101);
        const auto highest = *std::ranges::max_element(values);
        const auto lowest = *std::ranges::min_element(values);
        const auto byHeight = [](const QPointF& a, const QPointF& b) { return a.y() < b.y(); };
        QCOMPARE(std::ranges::max_element(runs.first(), byHeight)->y(), highest);
        QCOMPARE(std::ranges::min_element(runs.first(), byHeight)->y(), lowest);
        QCOMPARE(runs.first().first().x(), 0.0);
        QCOMPARE(runs.first().last().x(), 1000.0);
    }

    void valuesThatAreNoNumbersBreakACurve() {
        const Axis x = pairAxis(), y = wavelengthAxis();
        const phaseladder::ui::PlotMapping mapping(QRectF(0, 0, 100, 100), x, y, {0.0, 63.0, 1.0, 1e7});
        const std::vector<double> xs{0, 1, 2, 3, 4, 5, 6};
        const std::vector<double> ys{10, 20, std::nan(""), 30, 40, 0.0, 50};
        const auto runs = phaseladder::ui::curveRuns(xs, ys, mapping);
        QCOMPARE(runs.size(), 3);
        QCOMPARE(runs[1].first(), QPointF(3.0, std::log10(30.0)));
    }

private:
    PlotNavigation m_navigation;
};

QTEST_GUILESS_MAIN(PlotNavigationTest)
#include "plot_navigation_test.moc"
