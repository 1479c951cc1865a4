#include <QAccessible>
#include <QSignalSpy>

#include "core/figures/handle.h"
#include "tests/ui/layer_panels.h"
#include "tests/ui/panel_view_test_parts.h"
#include "ui/document.h"
#include "ui/figure/moved_parameter.h"

namespace phaseladder::ui::test {

/// Handles and rules: what dragging them and moving them by keys sets.
class PanelGripsTest : public QObject, private PanelViewFixture {
    Q_OBJECT

    /// A view whose grips set the document's parameters, as a pane has it.
    std::unique_ptr<PanelView> viewOf(const Panel& panel) {
        auto view = makeView(std::make_shared<const Panel>(panel));
        connect(view.get(), &PanelView::gripMoveStarted, m_document.get(), &SceneDocument::beginGesture);
        connect(view.get(), &PanelView::gripMoveFinished, m_document.get(), &SceneDocument::endGesture);
        connect(view.get(), &PanelView::gripMoved, m_document.get(), [this](const GripMove& move) {
            const std::optional<WantedValue> wanted = movedParameter(m_document->scene(), move);
            QCOMPARE(m_document->setParameter(wanted->id, wanted->value), QString());
        });
        return view;
    }

    static void press(PanelView& view, const QPointF& at) {
        QMouseEvent event(QEvent::MouseButtonPress, at, view.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton,
                          Qt::NoModifier);
        QApplication::sendEvent(&view, &event);
    }
    static void moveTo(PanelView& view, const QPointF& at) {
        QMouseEvent event(QEvent::MouseMove, at, view.mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                          Qt::NoModifier);
        QApplication::sendEvent(&view, &event);
    }
    static void release(PanelView& view, const QPointF& at) {
        QMouseEvent event(QEvent::MouseButtonRelease, at, view.mapToGlobal(at), Qt::LeftButton, Qt::NoButton,
                          Qt::NoModifier);
        QApplication::sendEvent(&view, &event);
    }
    [[nodiscard]] const std::vector<double>& content() const { return m_document->scene().content; }
    [[nodiscard]] const std::vector<double>& table() const { return m_document->scene().relativeBias.values; }

private Q_SLOTS:
    void initTestCase() { setMotion(MotionChoice::reduced); }

    void init() {
        makeViews();
        m_document = std::make_unique<SceneDocument>();
    }

    void cleanup() {
        m_document.reset();
        deleteViews();
    }

    void aDraggedHandleSetsItsRecordAndUndoRestoresIt() {
        QCOMPARE(m_document->setParameter(QStringLiteral("content"),
                                          std::vector<double>{0.0, 1.0, 1.0, 2.0, 0.5, 0.5}),
                 QString());
        const std::vector<double> before = content();
        const int steps = m_document->undoStack()->count();
        const auto view = viewOf(recordPanel());
        const QPointF to = view->dataToWidget(-0.1, 0.25);
        press(*view, view->dataToWidget(0.2, 0.1));
        moveTo(*view, view->dataToWidget(0.0, 0.3));
        moveTo(*view, to);
        release(*view, to);
        const PlotMapping mapping(view->plotRect(), view->panel().x, view->panel().y, view->shownRange());
        const QPointF at = mapping.data(to);
        const std::vector<double> wanted{0.0, 1.0, 1.0, 2.0, 0.5,           0.5,
                                         0.0, 0.0, 0.0, 3.0, at.x() / 0.36, at.y() / 0.36};
        QCOMPARE(content(), wanted);
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
        m_document->undoStack()->undo();
        QCOMPARE(content(), before);
        m_document->undoStack()->redo();
        QCOMPARE(content(), wanted);
    }

    void aDragAcrossHandlesFillsTheEntriesItSkipped() {
        const std::vector<double> drawn{0.2, -0.3, 0.5, 1.0, 1.4, 0.9, 0.1, -0.6, -0.2};
        const auto view = viewOf(listPanel(drawn));
        QSignalSpy started(view.get(), &PanelView::gripMoveStarted);
        QSignalSpy finished(view.get(), &PanelView::gripMoveFinished);
        const QPointF from = view->dataToWidget(-3.0, -0.3), to = view->dataToWidget(2.0, 1.7);
        press(*view, from);
        moveTo(*view, to);  // at one go: four entries lie between
        release(*view, to);
        const PlotMapping mapping(view->plotRect(), view->panel().x, view->panel().y, view->shownRange());
        const double end = mapping.data(to).y();
        QCOMPARE(table().size(), drawn.size());
        for (std::size_t index = 0; index < drawn.size(); ++index) {
            const bool isDrawn = index >= 2 && index <= 6;
            const double share = (static_cast<double>(index) - 1.0) / 5.0;
            const double wanted = isDrawn ? -0.3 + share * (end + 0.3) : drawn[index];
            QVERIFY(std::abs(table()[index] - wanted) < 1e-12);
        }
        QCOMPARE(started.count(), 1);
        QCOMPARE(finished.count(), 1);
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->undoStack()->undo();
        QVERIFY(table().empty());
    }

    void theAxesStandStillUnderAHeldHandle() {
        const Panel before = listPanel(std::vector<double>(9, 0.0));
        Panel after = before;  // what a drag leads to
        after.y.maximum = 3.0 * before.y.maximum;
        const auto view = viewOf(before);
        const double shown = view->shownRange().yMaximum;
        press(*view, view->dataToWidget(4.0, 0.0));
        view->setPanel(std::make_shared<const Panel>(after), QString(), std::nullopt);
        QCOMPARE(view->shownRange().yMaximum, shown);
        release(*view, view->dataToWidget(4.0, 0.5));
        QCOMPARE(view->shownRange().yMaximum, after.y.maximum);
        QVERIFY(!view->isZoomed());
    }

    void aDragStaysInsideThePlot() {
        const auto view = viewOf(listPanel(std::vector<double>(9, 0.0)));
        press(*view, view->dataToWidget(4.0, 0.0));
        moveTo(*view, QPointF(view->width() + 500.0, -500.0));
        release(*view, QPointF(view->width() + 500.0, -500.0));
        QCOMPARE(table().back(), 2.0);
        QVERIFY(!view->isZoomed());
    }

    void theFigureFollowsWhileAHandleIsDragged() {
        const auto view = viewOf(listPanel(std::vector<double>(9, 0.0)));
        press(*view, view->dataToWidget(1.0, 0.0));
        moveTo(*view, view->dataToWidget(1.0, 1.0));
        view->setPanel(std::make_shared<const Panel>(listPanel(table())), QString());  // as it is computed
        moveTo(*view, view->dataToWidget(1.0, 1.5));
        release(*view, view->dataToWidget(1.0, 1.5));
        QVERIFY(std::abs(table()[5] - 1.5) < 1e-9);
        QCOMPARE(m_document->undoStack()->count(), 1);
    }

    void handlesShowThatTheyCanBeDragged() {
        const auto view = viewOf(recordPanel());
        const QImage before = view->grab().toImage();
        hover(*view, view->dataToWidget(0.2, 0.1) + QPointF(4.0, 3.0));
        QCOMPARE(view->cursor().shape(), Qt::OpenHandCursor);
        QVERIFY(view->readoutText().startsWith(QStringLiteral("query of dog, pair 3 = (")));
        QVERIFY(view->grab().toImage() != before);
        hover(*view, view->dataToWidget(-0.4, -0.4));
        QCOMPARE(view->cursor().shape(), Qt::CrossCursor);
        QVERIFY(view->gripRect(0).width() >= 11.0);
    }

    void keysTakeHoldOfHandlesAndMoveThem() {
        const auto view = viewOf(recordPanel());
        QTest::keyClick(view.get(), Qt::Key_H);
        QCOMPARE(view->keyGrip(), std::optional<std::size_t>(0));
        QTest::keyClick(view.get(), Qt::Key_Right);
        QTest::keyClick(view.get(), Qt::Key_Right);
        QTest::keyClick(view.get(), Qt::Key_Down, Qt::ShiftModifier);  // y runs downwards
        const double x = 0.2 + 2.0 * 0.01, y = 0.1 + 0.001;
        QCOMPARE(content().size(), std::size_t{6});
        QVERIFY(std::abs(content()[4] - x / 0.36) < 1e-12 && std::abs(content()[5] - y / 0.36) < 1e-12);
        QTest::keyClick(view.get(), Qt::Key_Escape);
        QVERIFY(!view->keyGrip().has_value());
        QCOMPARE(m_document->undoStack()->count(), 1);  // keys in quick succession
        QTest::keyClick(view.get(), Qt::Key_Right);
        QCOMPARE(content().size(), std::size_t{6});
        QVERIFY(std::abs(content()[4] - x / 0.36) < 1e-12);
    }

    void sidewaysKeysGoAlongAList() {
        const auto view = viewOf(listPanel(std::vector<double>(9, 0.0)));
        QTest::keyClick(view.get(), Qt::Key_H);
        QTest::keyClick(view.get(), Qt::Key_Right);
        QTest::keyClick(view.get(), Qt::Key_Up);
        QVERIFY(std::abs(table()[1] - 0.04) < 1e-12);
        QCOMPARE(table()[0], 0.0);
        QTest::keyClick(view.get(), Qt::Key_H, Qt::ShiftModifier);
        QTest::keyClick(view.get(), Qt::Key_H, Qt::ShiftModifier);
        QCOMPARE(view->keyGrip(), std::optional<std::size_t>(8));
        QTest::keyClick(view.get(), Qt::Key_Right);
        QCOMPARE(view->keyGrip(), std::optional<std::size_t>(8));  // the end
    }

    void keysMoveRulesToo() {
        const auto view = viewOf(*ladderPanel());
        QTest::keyClick(view.get(), Qt::Key_H);
        QTest::keyClick(view.get(), Qt::Key_Up);
        QVERIFY(m_document->scene().length.trained > 8192);
        QTest::keyClick(view.get(), Qt::Key_Escape);
        QCOMPARE(m_document->undoStack()->count(), 1);
    }

    void handlesAreSpokenByTheirNames() {
        const auto view = viewOf(recordPanel());
        view->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(view.get()));
        view->setFocus();
        QTest::keyClick(view.get(), Qt::Key_H);
        QAccessibleInterface* plot = QAccessible::queryAccessibleInterface(view.get());
        QAccessibleInterface* handle = plot->focusChild();
        QVERIFY(handle != nullptr && handle->state().focused);
        QCOMPARE(handle->text(QAccessible::Name), QStringLiteral("query of dog, pair 3"));
        QCOMPARE(plot->child(plot->indexOfChild(handle)), handle);
        QVERIFY(handle->rect().contains(view->mapToGlobal(view->dataToWidget(0.2, 0.1)).toPoint()));
        QCOMPARE(plot->text(QAccessible::Value), handle->text(QAccessible::Value));
    }

private:
    std::unique_ptr<SceneDocument> m_document;
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::PanelGripsTest)
#include "panel_grips_test.moc"
