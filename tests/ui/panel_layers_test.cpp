#include <QAccessible>

#include "tests/ui/layer_panels.h"
#include "tests/ui/panel_view_test_parts.h"
#include "ui/figure/bar_layout.h"
#include "ui/figure/clock_layout.h"
#include "ui/figure/legend_list.h"

namespace phaseladder::ui::test {

namespace {

/// Whether two pictures differ anywhere in a part of them.
bool differ(const QImage& one, const QImage& other, const QRectF& part) {
    const QRect pixels = part.toAlignedRect().intersected(one.rect());
    for (int y = pixels.top(); y <= pixels.bottom(); ++y) {
        for (int x = pixels.left(); x <= pixels.right(); ++x) {
            if (one.pixel(x, y) != other.pixel(x, y)) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace

/// Columns, dials, panels without axes: what is drawn on screen and what is read there.
class PanelLayersTest : public QObject, private PanelViewFixture {
    Q_OBJECT

    std::unique_ptr<PanelView> viewOf(const Panel& panel) const {
        return makeView(std::make_shared<const Panel>(panel));
    }
    static PlotMapping mappingOf(const PanelView& view) {
        return {view.plotRect(), view.panel().x, view.panel().y, view.shownRange()};
    }

private Q_SLOTS:
    void initTestCase() { setMotion(MotionChoice::reduced); }

    void init() { makeViews(); }

    void cleanup() { deleteViews(); }

    void everyKindOfLayerIsDrawn() {
        const Panel all = everyLayerPanel();
        QCOMPARE(all.layers.size(), std::variant_size_v<Layer>);
        const QImage whole = viewOf(all)->grab().toImage();
        for (std::size_t left = 0; left < all.layers.size(); ++left) {
            QCOMPARE(all.layers[left].index(), left);
            Panel without = all;
            without.layers.erase(without.layers.begin() + static_cast<std::ptrdiff_t>(left));
            QVERIFY2(viewOf(without)->grab().toImage() != whole, qPrintable(QString::number(left)));
        }
    }

    void columnsStandWhereTheDataSays() {
        const auto view = viewOf(barPanel());
        const QImage image = view->grab().toImage();
        const FigureStyle style = figureStyle(StyleKind::light);
        const auto colorAt = [&](double x, double y) {
            return image.pixelColor(view->dataToWidget(x, y).toPoint());
        };
        const Bars& live = std::get<Bars>(view->panel().layers[0]);
        for (std::size_t index = 0; index < live.x.size(); ++index) {
            const double value = live.y[index], x = live.x[index] + barOffset(live);
            if (std::isfinite(value) && value != 0.0) {
                QCOMPARE(colorAt(x, 0.5 * value), style.accent);
                QCOMPARE(colorAt(x, 0.92 * value), style.accent);
                QVERIFY(colorAt(x, -0.2 * value) != style.accent);
            }
        }
        QCOMPARE(colorAt(4.0 + barOffset(live), 0.4), style.plotBackground);  // no value, no column
    }

    void columnsOfASeriesStandBesideThoseOfAnother() {
        const auto view = viewOf(barPanel());
        const PlotMapping mapping = mappingOf(*view);
        const Bars& live = std::get<Bars>(view->panel().layers[0]);
        const Bars& base = std::get<Bars>(view->panel().layers[1]);
        for (const std::size_t index : {0U, 1U, 3U}) {
            const QRectF one = barRect(live, index, mapping), other = barRect(base, index, mapping);
            QVERIFY(std::abs(one.right() - other.left()) < 1e-6);
            QVERIFY(view->plotRect().contains(one) && view->plotRect().contains(other));
        }
        QCOMPARE(barRect(live, 4, mapping), QRectF());
    }

    void columnsReadTheirOwnValues() {
        const auto view = viewOf(barPanel());
        const Bars& live = std::get<Bars>(view->panel().layers[0]);
        const Bars& base = std::get<Bars>(view->panel().layers[1]);
        for (const std::size_t index : {0U, 1U, 2U, 3U, 5U}) {
            for (const double y : {-0.5, 0.3}) {
                hover(*view, view->dataToWidget(live.x[index] + 0.2, y));
                QCOMPARE(view->readoutText(),
                         QStringLiteral("pair %1 · share of the logit: live = %2, base = %3")
                             .arg(QString::number(index), shown(live.y[index]), shown(base.y[index])));
            }
        }
        hover(*view, view->dataToWidget(4.1, 0.3));
        QVERIFY(view->readoutText().startsWith(QStringLiteral("pair 4 · ")));
        QVERIFY(!view->readoutText().contains(QStringLiteral("live =")));
        QTest::keyClick(view.get(), Qt::Key_Right);
        QVERIFY(view->readoutText().startsWith(QStringLiteral("pair 5 · ")));
    }

    void columnsCarryTheirNumbersWhereThereIsRoom() {
        const FigureStyle style = figureStyle(StyleKind::light);
        const TextStyle text{style.fontFamily, 11.0, false, style.text};
        const Panel panel = barPanel();
        const auto numbersAt = [&](double width) {
            const PlotMapping mapping(QRectF(0.0, 0.0, width, 200.0), panel.x, panel.y,
                                      {panel.x.minimum, panel.x.maximum, panel.y.minimum, panel.y.maximum});
            return barNumbers(panel, mapping, style, text);
        };
        const QList<TextRun> wide = numbersAt(520.0);
        QCOMPARE(wide.size(), 11);  // all but the one without a value
        for (qsizetype one = 0; one < wide.size(); ++one) {
            for (qsizetype other = one + 1; other < wide.size(); ++other) {
                QVERIFY(!textBounds(wide[one]).intersects(textBounds(wide[other])));
            }
        }
        QVERIFY(numbersAt(120.0).isEmpty());
    }

    void aLegendEntryHidesAColumn() {
        const auto view = viewOf(barPanel());
        const QImage before = view->grab().toImage();
        QTest::mouseClick(view.get(), Qt::LeftButton, {},
                          view->legendList()->legend().rects[0].center().toPoint());
        QVERIFY(differ(before, view->grab().toImage(), view->plotRect()));
        hover(*view, view->dataToWidget(1.0, 0.3));
        QCOMPARE(view->readoutText(), QStringLiteral("pair 1 · share of the logit 0.5"));
    }

    void dialsAreRoundAndInsideThePlot_data() {
        QTest::addColumn<QSize>("size");
        QTest::newRow("wide") << QSize(720, 240);
        QTest::newRow("tall") << QSize(300, 620);
    }

    void dialsAreRoundAndInsideThePlot() {
        QFETCH(QSize, size);
        for (const bool isSquare : {true, false}) {
            Panel panel = clockPanel(8, 4);
            panel.squareCells = isSquare;
            const auto view = viewOf(panel);
            view->resize(size);
            const QImage image = view->grab().toImage();
            for (const Clock* clock : clocksOf(view->panel())) {
                const Dial dial = dialOf(*clock, mappingOf(*view));
                QVERIFY(dial.radius > 15.0);
                const QRectF box(dial.center - QPointF(dial.radius, dial.radius),
                                 QSizeF(2.0 * dial.radius, 2.0 * dial.radius));
                QVERIFY(view->plotRect().adjusted(-0.5, -0.5, 0.5, 0.5).contains(box));
                for (const double angle : {1.7, 2.5, 3.6}) {  // ink on the circle in all directions
                    const QPointF at = dial.center + dial.radius * QPointF(std::cos(angle), -std::sin(angle));
                    bool hasInk = false;
                    for (int dx = -1; dx <= 1; ++dx) {
                        for (int dy = -1; dy <= 1; ++dy) {
                            const QColor color = image.pixelColor(at.toPoint() + QPoint(dx, dy));
                            hasInk = hasInk || color.lightness() < 220;
                        }
                    }
                    QVERIFY(hasInk);
                }
            }
        }
    }

    void handsPointWhereTheirAngleSays() {
        Panel panel = clockPanel(1, 1);
        auto& clock = std::get<Clock>(panel.layers[0]);
        clock.arcs.clear();
        clock.label.clear();
        clock.chosen = false;
        for (const double angle : {0.0, 0.8, 2.2, 4.0, 5.5, 5.5 + 20.0 * std::numbers::pi}) {
            clock.hands = {{"live", Role::live, angle, 0.9}};
            const auto view = viewOf(panel);
            const QImage image = view->grab().toImage();
            const Dial dial = dialOf(std::get<Clock>(view->panel().layers[0]), mappingOf(*view));
            const auto colorAt = [&](double turned) {
                return image.pixelColor(
                    (dial.center + 0.6 * dial.radius * QPointF(std::cos(turned), -std::sin(turned)))
                        .toPoint());
            };
            QVERIFY(colorAt(angle).blue() > colorAt(angle).red() + 60);
            QCOMPARE(colorAt(angle + 1.0), figureStyle(StyleKind::light).plotBackground);
        }
    }

    void dialsReadTheirHands() {
        const auto view = viewOf(clockPanel(8, 4));
        for (const Clock* clock : clocksOf(view->panel())) {
            hover(*view, view->dataToWidget(clock->x + 0.1, clock->y));
            QStringList hands;
            for (const ClockHand& hand : clock->hands) {
                const QString degrees = shown(hand.angle * 180.0 / std::numbers::pi);
                hands.append(QStringLiteral("%1 %2 rad (%3°)")
                                 .arg(QString::fromStdString(hand.label), shown(hand.angle), degrees));
            }
            QCOMPARE(view->readoutText(),
                     QStringLiteral("pair %1 · %2")
                         .arg(QString::fromStdString(clock->label), hands.join(QStringLiteral(", "))));
        }
        hover(*view, view->dataToWidget(0.5, 0.5));
        QVERIFY(view->readoutText().isEmpty());
    }

    void aClickOnADialSelectsItsPair() {
        const auto view = viewOf(clockPanel(8, 4));
        const QPointF at = view->dataToWidget(1.0, 1.0);
        hover(*view, at);
        QTest::mouseClick(view.get(), Qt::LeftButton, {}, at.toPoint());
        leave(*view);
        QCOMPARE(m_link->mark(AxisMeaning::pair), std::optional(5.0));
    }

    void aMarkedPairIsMarkedOnItsDial() {
        const auto view = viewOf(clockPanel(8, 4));
        const QImage before = view->grab().toImage();
        hover(*m_view, m_view->dataToWidget(6.0, 100.0));
        const QImage after = view->grab().toImage();
        const auto cell = [&](double x, double y) {
            return QRectF(view->dataToWidget(x - 0.45, y - 0.45), view->dataToWidget(x + 0.45, y + 0.45));
        };
        QVERIFY(differ(before, after, cell(2.0, 1.0)));
        QVERIFY(!differ(before, after, cell(0.0, 0.0)));
    }

    void arrowsGoFromDialToDial() {
        const auto view = viewOf(clockPanel(8, 4));
        QTest::keyClick(view.get(), Qt::Key_Right);
        QVERIFY(view->readoutText().startsWith(QStringLiteral("pair 0 · ")));
        QTest::keyClick(view.get(), Qt::Key_Right);
        QTest::keyClick(view.get(), Qt::Key_Down);
        QVERIFY(view->readoutText().startsWith(QStringLiteral("pair 5 · ")));
        QTest::keyClick(view.get(), Qt::Key_Left);
        QTest::keyClick(view.get(), Qt::Key_Left);
        QTest::keyClick(view.get(), Qt::Key_Up);
        QVERIFY(view->readoutText().startsWith(QStringLiteral("pair 0 · ")));
    }

    void smallDialsDropTheirLabelsBeforeTheyTouch() {
        const FigureStyle style = figureStyle(StyleKind::light);
        const TextStyle text{style.fontFamily, 11.0, false, style.text};
        const Panel panel = clockPanel(64, 16);
        bool hadLabels = false, hadNone = false;
        for (double cell = 16.0; cell < 120.0; cell += 4.0) {
            const PlotMapping mapping(QRectF(0.0, 0.0, 16.0 * cell, 4.0 * cell), panel.x, panel.y,
                                      {panel.x.minimum, panel.x.maximum, panel.y.minimum, panel.y.maximum});
            const QList<TextRun> labels = clockLabels(panel, mapping, text);
            QVERIFY(labels.isEmpty() || labels.size() == 64);
            (labels.isEmpty() ? hadNone : hadLabels) = true;
            QVERIFY(!(labels.isEmpty() && hadLabels));
            for (qsizetype one = 0; one < labels.size(); ++one) {
                for (qsizetype other = one + 1; other < labels.size(); ++other) {
                    QVERIFY(!textBounds(labels[one]).intersects(textBounds(labels[other])));
                }
            }
        }
        QVERIFY(hadLabels && hadNone);
    }

    void aPanelWithoutAxesHasNoneAndGivesItsRoomToTheContent() {
        Panel panel = textPanel();
        const auto bare = viewOf(panel);
        panel.axesShown = true;
        const auto framed = viewOf(panel);
        QVERIFY(bare->plotRect().width() > framed->plotRect().width());
        QVERIFY(bare->plotRect().height() > framed->plotRect().height());
        panel.axesShown = false;
        panel.layers.clear();
        const QImage empty = viewOf(panel)->grab().toImage();
        for (int y = 0; y < empty.height(); ++y) {
            for (int x = 0; x < empty.width(); ++x) {
                QCOMPARE(empty.pixelColor(x, y), figureStyle(StyleKind::light).plotBackground);
            }
        }
    }

    void nothingIsDrawnOutsideThePlotOfAZoomedView() {
        for (Panel panel : {barPanel(), clockPanel(8, 4)}) {
            const bool isBare = !panel.axesShown;
            if (isBare) {
                panel.layers.erase(panel.layers.begin() + 1, panel.layers.end());
                std::get<Clock>(panel.layers[0]).hands.resize(1);
                std::get<Clock>(panel.layers[0]).hands[0].label.clear();  // no legend
                std::get<Clock>(panel.layers[0]).arcs.clear();
            }
            const auto view = viewOf(panel);
            view->showRange(isBare ? PlotRange{-0.1, 0.3, -0.1, 0.3} : PlotRange{0.0, 2.0, 0.1, 0.6});
            const QImage image = view->grab().toImage();
            const QColor accent = figureStyle(StyleKind::light).accent;
            const QRectF plot = view->plotRect().adjusted(-2.0, -2.0, 2.0, 2.0);
            bool hasInk = false;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    const bool isAccent = image.pixelColor(x, y) == accent;
                    hasInk = hasInk || isAccent;
                    const bool isLegend = !isBare && view->legendList()->geometry().contains(x, y);
                    QVERIFY(!isAccent || isLegend || plot.contains(QPointF(x, y)));
                }
            }
            QVERIFY(hasInk);
        }
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::PanelLayersTest)
#include "panel_layers_test.moc"
