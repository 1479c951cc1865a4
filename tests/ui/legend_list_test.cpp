#include "ui/figure/legend_list.h"

#include <QAccessible>

#include "tests/ui/panel_view_test_parts.h"

namespace phaseladder::ui::test {

class LegendListTest : public QObject, private PanelViewFixture {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { setMotion(MotionChoice::reduced); }

    void init() { makeViews(); }

    void cleanup() { deleteViews(); }

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

    void aScreenReaderTogglesAnEntry() {
        m_view->grab();
        QAccessibleInterface* entry = QAccessible::queryAccessibleInterface(m_view->legendList())->child(1);
        QAccessibleActionInterface* actions = entry->actionInterface();
        QVERIFY(actions != nullptr);
        for (const QString& action :
             {QAccessibleActionInterface::toggleAction(), QAccessibleActionInterface::pressAction()}) {
            QVERIFY(actions->actionNames().contains(action));
            actions->doAction(action);
            QCOMPARE(m_view->hiddenLabels(), QSet<QString>{QStringLiteral("YaRN ×4")});
            QVERIFY(!entry->state().checked);
            actions->doAction(action);
            QVERIFY(m_view->hiddenLabels().isEmpty());
        }
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::LegendListTest)
#include "legend_list_test.moc"
