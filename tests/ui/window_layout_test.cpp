#include "ui/window_layout.h"

#include <QSplitter>
#include <QTabBar>

#include <cmath>

#include "tests/ui/main_window_test_parts.h"
#include "ui/controls/token_strip.h"
#include "ui/theme.h"

namespace phaseladder::ui::test {

class WindowLayoutTest : public QObject, private MainWindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() { startProgram(); }

    void cleanup() { m_window.reset(); }

    void oneTwoAndFourPanes() {
        command("action_layout_1")->trigger();
        QCOMPARE(shownPanes(), 1);
        command("action_pane_2")->trigger();
        QCOMPARE(shownPanes(), 1);
        QVERIFY(m_window->panes()->panes()[2]->isVisible());
        command("action_layout_2")->trigger();
        QCOMPARE(shownPanes(), 2);
        command("action_pane_3")->trigger();
        QCOMPARE(shownPanes(), 4);
        QCOMPARE(m_window->panes()->currentIndex(), 3);
        QVERIFY(command("action_layout_4")->isChecked());
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
    }

    void enlargingAPaneAndBack() {
        Q_EMIT m_window->panes()->panes()[1]->enlargeRequested();
        QCOMPARE(shownPanes(), 1);
        QVERIFY(m_window->panes()->panes()[1]->isVisible());
        Q_EMIT m_window->panes()->panes()[1]->enlargeRequested();
        QCOMPARE(shownPanes(), 4);
    }

    void looksAreRemembered() {
        command("action_layout_2")->trigger();
        m_window->panes()->panes()[0]->setFigureId(QStringLiteral("ramp"));
        command("action_dark")->trigger();
        command("action_parameters")->trigger();
        command("action_colormap_cividis")->trigger();
        m_window->setMotion(MotionChoice::reduced);
        m_window->close();
        m_window.reset();
        openWindow();
        QCOMPARE(shownPanes(), 2);
        QCOMPARE(m_window->panes()->figureIds().first(), QStringLiteral("ramp"));
        QVERIFY(currentTheme() == ThemeKind::dark);
        QVERIFY(!m_window->parts()->isShown(m_window->parts()->parameters()));
        QCOMPARE(m_window->colormapName(), QStringLiteral("cividis"));
        QVERIFY(reducedMotion());
        m_window->setMotion(MotionChoice::full);
        QVERIFY(!reducedMotion());
        m_window->setMotion(MotionChoice::system);
        command("action_dark")->trigger();
    }

    void placesAndSizesAreRememberedAndReset() {
        dragHandle("pane_columns_0", 120, 0);
        dragHandle("pane_rows", 0, -60);
        const QPointF shares = m_window->panes()->shares();
        QVERIFY(shares.x() > 0.55 && shares.y() < 0.45);
        command("action_parameters_right")->trigger();
        command("action_tokens_above")->trigger();
        m_window->resizeDocks({m_window->parts()->parameters()}, {380}, Qt::Horizontal);
        m_window->close();
        m_window.reset();
        openWindow();
        QVERIFY(std::abs(m_window->panes()->shares().x() - shares.x()) < 1e-3);
        const QList<FigurePane*>& panes = m_window->panes()->panes();
        const double columns = panes[0]->width() + panes[1]->width();
        QVERIFY(std::abs(panes[0]->width() / columns - shares.x()) < 0.01);
        QCOMPARE(panes[2]->width(), panes[0]->width());
        const double rows = panes[0]->height() + panes[2]->height();
        QVERIFY(std::abs(panes[0]->height() / rows - shares.y()) < 0.01);
        const QWidget* parameters = m_window->parts()->parameters();
        QCOMPARE(parameters->width(), 380);
        QVERIFY(parameters->x() > m_window->width() / 2);
        QVERIFY(m_window->parts()->tokens()->y() < m_window->panes()->mapTo(m_window.get(), QPoint()).y());
        QVERIFY(command("action_parameters_right")->isChecked());

        command("action_token_strip")->trigger();
        command("action_layout_1")->trigger();
        command("action_reset_layout")->trigger();
        QTRY_COMPARE(parameters->width(), 324);
        QCOMPARE(parameters->x(), 0);
        QVERIFY(m_window->tokenStrip()->isVisible());
        QCOMPARE(shownPanes(), 4);
        QCOMPARE(m_window->panes()->shares(), QPointF(0.5, 0.5));
        QVERIFY(!command("action_parameters_right")->isChecked());
    }

    void theOnePaneShownIsRemembered() {
        command("action_layout_1")->trigger();
        command("action_pane_2")->trigger();
        m_window->close();
        m_window.reset();
        openWindow();
        QCOMPARE(shownPanes(), 1);
        QVERIFY(m_window->panes()->panes()[2]->isVisible());
    }

    void enlargingKeepsTheSizesOfThePanes() {
        dragHandle("pane_columns_0", 120, 0);
        const QList<FigurePane*>& panes = m_window->panes()->panes();
        const int width = panes[0]->width();
        m_window->panes()->toggleEnlarged(panes[3]);
        QCoreApplication::processEvents();
        m_window->panes()->toggleEnlarged(panes[3]);
        QCoreApplication::processEvents();
        QVERIFY(std::abs(panes[0]->width() - width) <= 1);
        QCOMPARE(panes[2]->width(), panes[0]->width());
    }

    void panesBecomeTabsWhereThereIsNoRoom() {
        m_window->resize(800, 600);
        auto* tabs = m_window->findChild<QTabBar*>(QStringLiteral("pane_tabs"));
        QTRY_VERIFY(tabs->isVisible());
        QCOMPARE(tabs->count(), 4);
        QCOMPARE(shownPanes(), 1);
        QCOMPARE(tabs->tabText(1), QStringLiteral("Attention"));
        tabs->setCurrentIndex(1);
        QVERIFY(m_window->panes()->panes()[1]->isVisible());
        command("action_pane_3")->trigger();
        QCOMPARE(tabs->currentIndex(), 3);
        QCOMPARE(m_window->panes()->paneCount(), 4);
        m_window->panes()->panes()[3]->setFigureId(QStringLiteral("encoding"));
        QCOMPARE(tabs->tabText(3), QStringLiteral("Encoding"));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        m_window->resize(1440, 900);
        QTRY_COMPARE(shownPanes(), 4);
        QVERIFY(!tabs->isVisible());
    }

    void aNarrowWindowGivesTheRoomToTheFigures() {
        m_window->resize(760, 600);
        QTRY_VERIFY(!m_window->parts()->isShown(m_window->parts()->parameters()));
        m_window->resize(1100, 700);
        QTRY_VERIFY(m_window->parts()->isShown(m_window->parts()->parameters()));
    }

    void everythingFitsInASmallWindowAlsoWhileAIsPinned() {
        m_window->commands()->find(QStringLiteral("action_pin"))->trigger();
        m_window->resize(1024, 700);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QCOMPARE(m_window->size(), QSize(1024, 700));
        for (const char* name :
             {"model_button", "find_button", "export_button", "token_strip", "status_backend"}) {
            const auto* part = m_window->findChild<QWidget*>(QLatin1StringView(name));
            const QRect place(part->mapTo(m_window.get(), QPoint(0, 0)), part->size());
            QVERIFY2(m_window->rect().contains(place), name);
        }
    }

private:
    void dragHandle(const char* splitterName, int x, int y) const {
        QSplitterHandle* handle = m_window->findChild<QSplitter*>(QLatin1StringView(splitterName))->handle(1);
        const QPoint middle = handle->rect().center();
        QTest::mousePress(handle, Qt::LeftButton, {}, middle);
        QTest::mouseMove(handle, middle + QPoint(x, y));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, middle + QPoint(x, y));
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::WindowLayoutTest)
#include "window_layout_test.moc"
