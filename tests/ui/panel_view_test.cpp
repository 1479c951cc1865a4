#include "ui/figure/panel_view.h"

#include <QAccessible>
#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <memory>

#include "core/number_text.h"
#include "ui/figure/figure_link.h"
#include "ui/figure/legend_list.h"
#include "ui/figure/map_motion.h"
#include "ui/theme.h"

namespace phaseladder::ui::test {

namespace {

std::shared_ptr<Panel> ladderPanel() {
    auto panel = std::make_shared<Panel>();
    panel->x.meaning = AxisMeaning::pair;
    panel->x.title = "pair";
    panel->x.maximum = 63.0;
    panel->x.wholeNumbers = true;
    panel->y.meaning = AxisMeaning::wavelength;
    panel->y.title = "wavelength (tokens)";
    panel->y.minimum = 1.0;
    panel->y.maximum = 1e7;
    panel->y.scale = AxisScale::log10;
    Curve base, scaled;
    base.label = "base";
    base.role = Role::base;
    scaled.label = "YaRN ×4";
    for (int pair = 0; pair < 64; ++pair) {
        base.x.push_back(pair);
        base.y.push_back(6.283 * std::pow(5e5, pair / 64.0));
        scaled.x.push_back(pair);
        scaled.y.push_back(base.y.back() * (pair > 30 ? 4.0 : 1.0));
    }
    Rule trained;
    trained.label = "trained 8,192";
    trained.at = 8192.0;
    trained.parameterId = "length.trained";
    panel->layers = {base, scaled, trained};
    return panel;
}

std::shared_ptr<Panel> mapPanel() {
    auto panel = std::make_shared<Panel>();
    panel->x.meaning = AxisMeaning::keyToken;
    panel->x.title = "key";
    panel->x.minimum = -0.5;
    panel->x.maximum = 2.5;
    panel->x.wholeNumbers = true;
    panel->x.labels = {"dog", "bites", "man"};
    panel->y = panel->x;
    panel->y.meaning = AxisMeaning::queryToken;
    panel->y.title = "query";
    panel->y.reversed = true;
    Heatmap map;
    map.rows = map.columns = 3;
    map.values = {1.0, 0.0, 0.0, 0.857142857, 0.142857143, 0.0, 0.2, 0.3, 0.5};
    map.states.assign(9, CellState::shown);
    map.states[1] = map.states[2] = map.states[5] = CellState::masked;
    map.valueTitle = "weight";
    panel->layers = {map};
    return panel;
}

QString shown(double value) {
    return QString::fromStdString(formatForPeople(value, 6));
}

void wheel(QWidget* widget, const QPointF& at, int notches,
           Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
    QWheelEvent event(at, widget->mapToGlobal(at), QPoint(), QPoint(0, 120 * notches), Qt::NoButton,
                      modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

void drag(QWidget* widget, const QPointF& from, const QPointF& to, Qt::MouseButton button = Qt::LeftButton) {
    QTest::mousePress(widget, button, {}, from.toPoint());
    QTest::mouseMove(widget, ((from + to) / 2.0).toPoint());
    QMouseEvent move(QEvent::MouseMove, to, widget->mapToGlobal(to), Qt::NoButton, button, Qt::NoModifier);
    QApplication::sendEvent(widget, &move);
    QTest::mouseRelease(widget, button, {}, to.toPoint());
}

}  // namespace

class PanelViewTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setMotion(MotionChoice::reduced); }

    void init() {
        m_link = std::make_unique<FigureLink>();
        m_view = makeView(ladderPanel());
        m_map = makeView(mapPanel());
    }

    void cleanup() {
        m_view.reset();
        m_map.reset();
        m_link.reset();
    }

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

    void namesAreFollowedToTheirNewPlaces() {
        const std::vector<std::string> before{"dog", "bites", "man"};
        QCOMPARE(formerPlaces(before, {"man", "dog", "bites"}), (std::vector<int>{2, 0, 1}));
        QCOMPARE(formerPlaces(before, before), (std::vector<int>{0, 1, 2}));
        QVERIFY(!formerPlaces(before, {"man", "dog"}).has_value());
        QVERIFY(!formerPlaces(before, {"man", "dog", "cat"}).has_value());
        QVERIFY(!formerPlaces({"a", "b", "a"}, {"a", "a", "b"}).has_value());
    }

    void cellsGlideFromTheirFormerPlaces() {
        const auto before = mapPanel();
        auto after = mapPanel();
        after->x.labels = after->y.labels = {"man", "dog", "bites"};
        MapMotion motion;
        motion.follow(*before, *after);
        QVERIFY(motion.isRunning());
        PlotAxes axes;
        axes.y = {Tick{0.0, QStringLiteral("man"), {}, false}, Tick{1.0, QStringLiteral("dog"), {}, false}};
        QCOMPARE(motion.moved(axes).y[0].value, 2.0);
        QCOMPARE(motion.moved(axes).y[1].value, 0.0);
        motion.follow(*after, *after);
        QVERIFY(motion.isRunning());
        motion.stop();
        QCOMPARE(motion.moved(axes).y[0].value, 0.0);
        motion.follow(*before, *ladderPanel());
        QVERIFY(!motion.isRunning());
    }

    void nothingGlidesWhereMotionIsUnwanted() {
        auto after = mapPanel();
        after->x.labels = after->y.labels = {"man", "dog", "bites"};
        const QImage before = m_map->grab().toImage();
        m_map->setPanel(after, QStringLiteral("a summary"));
        const QImage moved = m_map->grab().toImage();
        QVERIFY(moved != before);
        QTest::qWait(50);
        QCOMPARE(m_map->grab().toImage(), moved);
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

    void legendEntriesHideAndShowAloneByMouse() {
        m_view->grab();
        const auto* list = m_view->legendList();
        QCOMPARE(list->legend().rects.size(), 2);
        const QPoint second = list->legend().rects[1].center().toPoint();
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, second);
        QCOMPARE(m_view->hiddenLabels(), QSet<QString>{QStringLiteral("YaRN ×4")});
        hover(*m_view, m_view->dataToWidget(27.0, 100.0));
        QVERIFY(!m_view->readoutText().contains(QStringLiteral("YaRN")));
        m_view->grab();
        QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, list->legend().rects[1].center().toPoint());
        QVERIFY(m_view->hiddenLabels().isEmpty());
        m_view->grab();
        QTest::mouseClick(m_view.get(), Qt::LeftButton, Qt::ControlModifier,
                          list->legend().rects[1].center().toPoint());
        QCOMPARE(m_view->hiddenLabels(), QSet<QString>{QStringLiteral("base")});
    }

    void theLegendIsAListForTheKeyboard() {
        m_view->grab();
        LegendList* list = m_view->legendList();
        QVERIFY(list->isVisible());
        QVERIFY(list->focusPolicy() & Qt::TabFocus);
        QTest::keyClick(list, Qt::Key_Down);
        QTest::keyClick(list, Qt::Key_Space);
        QCOMPARE(m_view->hiddenLabels(), QSet<QString>{QStringLiteral("YaRN ×4")});
        QAccessibleInterface* accessible = QAccessible::queryAccessibleInterface(list);
        QCOMPARE(accessible->role(), QAccessible::List);
        QCOMPARE(accessible->childCount(), 2);
        QCOMPARE(accessible->child(1)->text(QAccessible::Name), QStringLiteral("YaRN ×4"));
        QVERIFY(!accessible->child(1)->state().checked);
        QVERIFY(accessible->child(0)->state().checked);
        QTest::keyClick(list, Qt::Key_Return);
        QVERIFY(m_view->hiddenLabels().isEmpty());
        QTest::keyClick(list, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(m_view->hiddenLabels(), QSet<QString>{QStringLiteral("base")});
        QVERIFY(!m_map->legendList()->isVisible());
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
        QSignalSpy started(m_view.get(), &PanelView::ruleDragStarted);
        QSignalSpy dragged(m_view.get(), &PanelView::ruleDragged);
        QSignalSpy finished(m_view.get(), &PanelView::ruleDragFinished);
        const PlotRange full = m_view->shownRange();
        drag(m_view.get(), m_view->dataToWidget(50.0, 8192.0), m_view->dataToWidget(50.0, 32768.0));
        QCOMPARE(started.count(), 1);
        QCOMPARE(finished.count(), 1);
        QVERIFY(dragged.count() >= 1);
        QCOMPARE(dragged.last()[0].toString(), QStringLiteral("length.trained"));
        QVERIFY(std::abs(std::log2(dragged.last()[1].toDouble()) - 15.0) < 0.1);
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

    void plotsAreAccessible() {
        m_view->setAccessibleName(QStringLiteral("Ladder"));
        QAccessibleInterface* plot = QAccessible::queryAccessibleInterface(m_view.get());
        QVERIFY(plot != nullptr);
        QCOMPARE(plot->role(), QAccessible::Chart);
        QCOMPARE(plot->text(QAccessible::Name), QStringLiteral("Ladder"));
        QCOMPARE(plot->text(QAccessible::Description), QStringLiteral("a summary"));
        hover(*m_view, m_view->dataToWidget(27.0, 100.0));
        QCOMPARE(plot->text(QAccessible::Value), m_view->readoutText());
    }

    void curvesAreATableOfXByCurve() {
        QAccessibleInterface* plot = QAccessible::queryAccessibleInterface(m_view.get());
        const QAccessibleTableInterface* table = plot->tableInterface();
        QCOMPARE(table->rowCount(), 64);
        QCOMPARE(table->columnCount(), 2);
        QCOMPARE(table->rowDescription(27), QStringLiteral("pair 27"));
        QCOMPARE(table->columnDescription(1), QStringLiteral("YaRN ×4"));
        const double value = std::get<Curve>(m_view->panel().layers[1]).y[40];
        QAccessibleInterface* cell = table->cellAt(40, 1);
        QCOMPARE(cell->text(QAccessible::Name), shown(value));
        QCOMPARE(cell->text(QAccessible::Description),
                 QStringLiteral("pair 40 · YaRN ×4 = %1 tokens").arg(shown(value)));
        QCOMPARE(cell->tableCellInterface()->rowHeaderCells()[0]->text(QAccessible::Name),
                 QStringLiteral("pair 40"));
        QVERIFY(cell->rect().contains(m_view->mapToGlobal(m_view->dataToWidget(40.0, value)).toPoint()));
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {},
                          (m_view->grab(), m_view->legendList()->legend().rects[0].center().toPoint()));
        QCOMPARE(table->columnCount(), 1);
    }

    void mapsAreATableOfRowsByColumns() {
        const QAccessibleTableInterface* table =
            QAccessible::queryAccessibleInterface(m_map.get())->tableInterface();
        QCOMPARE(table->rowCount(), 3);
        QCOMPARE(table->rowDescription(1), QStringLiteral("query bites"));
        QCOMPARE(table->columnDescription(0), QStringLiteral("key dog"));
        QCOMPARE(table->cellAt(1, 0)->text(QAccessible::Name), shown(0.857142857));
        QCOMPARE(table->cellAt(0, 2)->text(QAccessible::Name), QStringLiteral("masked"));
    }

    void aBigMapsCellsAreMadeWhenTheyAreAskedFor() {
        constexpr int side = 2048;
        auto big = std::make_shared<Panel>(*mapPanel());
        big->x.labels.clear();
        big->y.labels.clear();
        auto& map = std::get<Heatmap>(big->layers[0]);
        map.rows = map.columns = side;
        map.states.clear();
        map.values.assign(std::size_t(side) * side, 0.25);
        map.values.back() = 0.75;
        m_map->setPanel(big, QString());
        QAccessibleInterface* plot = QAccessible::queryAccessibleInterface(m_map.get());
        const QAccessibleTableInterface* table = plot->tableInterface();
        QCOMPARE(table->rowCount(), side);
        QCOMPARE(table->cellAt(side - 1, side - 1)->text(QAccessible::Name), QStringLiteral("0.75"));
        QVERIFY(plot->childCount() < 5000);  // a walk over the tree ends
        const QAccessible::Id first = QAccessible::uniqueId(table->cellAt(0, 0));
        for (int column = 0; column < 1000; ++column) {
            QVERIFY(table->cellAt(7, column) != nullptr);
        }
        QVERIFY(QAccessible::accessibleInterface(first) == nullptr);  // only the last few are kept
        QAccessibleInterface* corner = table->cellAt(0, 0);
        QCOMPARE(plot->child(plot->indexOfChild(corner)), corner);
    }

    void theFocusOfAScreenReaderIsOnTheCellOfTheCrosshair() {
        m_map->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_map.get()));
        m_map->setFocus();
        hover(*m_map, m_map->dataToWidget(0.0, 0.0));
        QTest::keyClick(m_map.get(), Qt::Key_Down);
        const QAccessibleInterface* cell = QAccessible::queryAccessibleInterface(m_map.get())->focusChild();
        QVERIFY(cell != nullptr && cell->state().focused);
        QCOMPARE(cell->text(QAccessible::Description),
                 QStringLiteral("query bites · key dog · weight %1").arg(shown(0.857142857)));
    }

private:
    std::unique_ptr<PanelView> makeView(std::shared_ptr<const Panel> panel) {
        auto view = std::make_unique<PanelView>(m_link.get());
        view->resize(520, 300);
        view->setPanel(std::move(panel), QStringLiteral("a summary"));
        view->show();
        return view;
    }

    static void hover(QWidget& widget, const QPointF& at) {
        QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                          Qt::NoModifier);
        QApplication::sendEvent(&widget, &event);
    }

    static void leave(QWidget& widget) {
        QEvent event(QEvent::Leave);
        QApplication::sendEvent(&widget, &event);
    }

    std::unique_ptr<FigureLink> m_link;
    std::unique_ptr<PanelView> m_view, m_map;
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::PanelViewTest)
#include "panel_view_test.moc"
