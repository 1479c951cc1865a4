#include <QAccessible>

#include "tests/ui/layer_panels.h"
#include "tests/ui/panel_view_test_parts.h"
#include "ui/figure/legend_list.h"
#include "ui/figure/readout_words.h"

namespace phaseladder::ui::test {

class PlotTableTest : public QObject, private PanelViewFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setMotion(MotionChoice::reduced); }

    void init() { makeViews(); }

    void cleanup() { deleteViews(); }

    void pooledCellsNameTheTokensThatTheyHold() {
        // Cell i of 600 holds the tokens from ⌊i·1000/600⌋ to before ⌊(i + 1)·1000/600⌋.
        Axis axis;
        axis.meaning = AxisMeaning::queryToken;
        axis.wholeNumbers = true;
        const double step = 1000.0 / 600.0;
        const auto words = [&](int cell) { return cellSpanText(axis, cell * step - 0.5, step); };
        QVERIFY2(words(0).endsWith(QLatin1String("0")), qPrintable(words(0)));
        QVERIFY2(words(1).endsWith(QStringLiteral("1–2")), qPrintable(words(1)));
        QVERIFY2(words(2).endsWith(QStringLiteral("3–4")), qPrintable(words(2)));
        QVERIFY2(words(599).endsWith(QStringLiteral("998–999")), qPrintable(words(599)));
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

    void columnsAreATableOfXBySeries() {
        const auto view = makeView(std::make_shared<const Panel>(barPanel()));
        const QAccessibleTableInterface* table =
            QAccessible::queryAccessibleInterface(view.get())->tableInterface();
        QCOMPARE(table->rowCount(), 6);
        QCOMPARE(table->columnDescription(0), QStringLiteral("live"));
        QCOMPARE(table->cellAt(1, 0)->text(QAccessible::Description),
                 QStringLiteral("pair 1 · live = ") + shown(-0.75));
        QCOMPARE(table->cellAt(4, 0)->text(QAccessible::Name), QStringLiteral("no value"));
        QCOMPARE(table->cellAt(4, 1)->text(QAccessible::Name), QStringLiteral("0.75"));
    }

    void dialsAreATableOfDialByHand() {
        const auto view = makeView(std::make_shared<const Panel>(clockPanel(8, 4)));
        const QAccessibleTableInterface* table =
            QAccessible::queryAccessibleInterface(view.get())->tableInterface();
        QCOMPARE(table->rowCount(), 8);
        QCOMPARE(table->columnCount(), 2);
        QCOMPARE(table->rowDescription(5), QStringLiteral("pair 5"));
        QCOMPARE(table->columnDescription(1), QStringLiteral("base"));
        const double angle = std::get<Clock>(view->panel().layers[5]).hands[0].angle;
        QCOMPARE(table->cellAt(5, 0)->text(QAccessible::Name),
                 QStringLiteral("%1 rad (%2°)").arg(shown(angle), shown(angle * 180.0 / std::numbers::pi)));
        QVERIFY(
            table->cellAt(5, 0)->rect().contains(view->mapToGlobal(view->dataToWidget(1.0, 1.0)).toPoint()));
    }

    void textsAreATableInReadingOrder() {
        const auto view = makeView(std::make_shared<const Panel>(textPanel()));
        const QAccessibleTableInterface* table =
            QAccessible::queryAccessibleInterface(view.get())->tableInterface();
        QCOMPARE(table->rowCount(), 5);
        QCOMPARE(table->columnCount(), 1);
        QCOMPARE(table->cellAt(0, 0)->text(QAccessible::Name), QStringLiteral("dog"));
        QVERIFY(table->cellAt(1, 0)->text(QAccessible::Name).startsWith(QStringLiteral("= 0.31")));
        QVERIFY(table->cellAt(4, 0)->text(QAccessible::Name).startsWith(QStringLiteral("The order")));
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
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::PlotTableTest)
#include "plot_table_test.moc"
