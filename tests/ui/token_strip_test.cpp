#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include <memory>

#include "core/attention/permutations.h"
#include "ui/controls/token_chips.h"
#include "ui/controls/token_strip.h"
#include "ui/document.h"
#include "ui/figure/figure_link.h"
#include "ui/theme.h"

using phaseladder::AxisMeaning;
using phaseladder::ui::FigureLink;
using phaseladder::ui::SceneDocument;
using phaseladder::ui::TokenChips;
using phaseladder::ui::TokenStrip;

class TokenStripTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<SceneDocument> m_document;
    std::unique_ptr<FigureLink> m_link;
    std::unique_ptr<TokenStrip> m_strip;
    TokenChips* m_chips = nullptr;

    const std::vector<int>& order() const { return m_document->scene().order; }
    const std::vector<std::string>& tokens() const { return m_document->scene().tokens; }

    void moveTo(const QPoint& point) const {
        QMouseEvent move(QEvent::MouseMove, point, m_chips->viewport()->mapToGlobal(point), Qt::NoButton,
                         Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(m_chips->viewport(), &move);
    }
    void press(const QPoint& point, Qt::KeyboardModifiers modifiers = Qt::NoModifier) const {
        QTest::mousePress(m_chips->viewport(), Qt::LeftButton, modifiers, point);
    }
    void release(const QPoint& point) const {
        QTest::mouseRelease(m_chips->viewport(), Qt::LeftButton, Qt::NoModifier, point);
    }
    QPoint chip(int position) const { return m_chips->chipRect(position).center(); }

private Q_SLOTS:
    void initTestCase() { phaseladder::ui::applyTheme(*qApp, phaseladder::ui::ThemeKind::light); }

    void init() {
        m_document = std::make_unique<SceneDocument>();
        m_link = std::make_unique<FigureLink>();
        m_strip = std::make_unique<TokenStrip>(m_document.get(), m_link.get());
        m_strip->resize(900, m_strip->sizeHint().height());
        m_strip->show();
        QVERIFY(QTest::qWaitForWindowActive(m_strip.get()));
        m_chips = m_strip->findChild<TokenChips*>();
        m_chips->setFocus();
    }
    void cleanup() {
        m_strip.reset();
        m_link.reset();
        m_document.reset();
    }

    void aDragToAnotherPlaceIsOneStep() {
        const QSignalSpy previewed(m_strip.get(), &TokenStrip::orderPreviewed);
        const QPoint from = chip(0);
        const QPoint to = chip(2);
        press(from);
        for (int step = 1; step <= 10; ++step) {
            moveTo(from + (to - from) * step / 10);
        }
        QVERIFY(previewed.count() >= 1);
        QCOMPARE(previewed.last()[0].value<QList<int>>(), (QList<int>{1, 2, 0}));
        QVERIFY(order().empty());
        release(to);
        QCOMPARE(order(), (std::vector<int>{1, 2, 0}));
        QVERIFY(previewed.last()[0].value<QList<int>>().isEmpty());
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->undoStack()->undo();
        QVERIFY(order().empty());
    }

    void threePixelsAreNoDrag() {
        press(chip(0));
        moveTo(chip(0) + QPoint(3, 0));
        release(chip(0) + QPoint(3, 0));
        QVERIFY(order().empty());
    }

    void theStepperGoesThroughAllOrders() {
        auto* next = m_strip->findChild<QToolButton*>(QStringLiteral("strip_next_order"));
        auto* previous = m_strip->findChild<QToolButton*>(QStringLiteral("strip_previous_order"));
        const auto* place = m_strip->findChild<QLabel*>(QStringLiteral("strip_order_place"));
        QCOMPARE(place->text(), QStringLiteral("order 1 of 6"));
        QVERIFY(!previous->isEnabled() && !previous->toolTip().isEmpty());
        for (int rank = 1; rank < 6; ++rank) {
            QTest::mouseClick(next, Qt::LeftButton);
            QCoreApplication::processEvents();
            QCOMPARE(order(), phaseladder::orderOfRank(3, rank));
        }
        QCOMPARE(place->text(), QStringLiteral("order 6 of 6"));
        QVERIFY(!next->isEnabled());
        QCOMPARE(m_document->undoStack()->count(), 5);
        QTest::keyClick(previous, Qt::Key_Home);
        QVERIFY(order().empty());
        QTest::keyClick(next, Qt::Key_Space);
        QCOMPARE(order(), (std::vector<int>{0, 2, 1}));
    }

    void aHeldStepButtonIsOneUndoStep() {
        m_document->setParameter(QStringLiteral("tokens"), std::vector<std::string>{"a", "b", "c", "d", "e"});
        const int steps = m_document->undoStack()->count();
        auto* next = m_strip->findChild<QToolButton*>(QStringLiteral("strip_next_order"));
        next->setAutoRepeatDelay(10);
        next->setAutoRepeatInterval(10);
        QTest::mousePress(next, Qt::LeftButton);
        QTRY_VERIFY(!order().empty() && phaseladder::orderRank(order()) >= 4);
        QTest::mouseRelease(next, Qt::LeftButton);
        QCoreApplication::processEvents();
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
        QTest::mouseClick(next, Qt::LeftButton);
        QCOMPARE(m_document->undoStack()->count(), steps + 2);
    }

    void holdingTheLastTokenStepsThroughTheOthers() {
        m_document->setParameter(QStringLiteral("order"), std::vector<int>{0, 2, 1});
        m_strip->findChild<QAction*>(QStringLiteral("strip_hold_last_action"))->trigger();
        const auto* place = m_strip->findChild<QLabel*>(QStringLiteral("strip_order_place"));
        QCOMPARE(place->text(), QStringLiteral("order 1 of 2"));
        m_strip->stepOrder(1);
        QCOMPARE(order(), (std::vector<int>{2, 0, 1}));
        m_strip->stepOrder(1);
        QCOMPARE(order(), (std::vector<int>{2, 0, 1}));
    }

    void aLongTextHasNoStepperAndSaysWhy() {
        m_document->setParameter(QStringLiteral("tokens"), std::vector<std::string>(11, "word"));
        const auto* next = m_strip->findChild<QToolButton*>(QStringLiteral("strip_next_order"));
        QVERIFY(!next->isEnabled());
        QCOMPARE(next->toolTip(),
                 QStringLiteral("All orders are stepped through up to 10 tokens; the text has 11."));
        m_strip->stepOrder(1);
        QVERIFY(order().empty());
    }

    void escapeCancelsADrag() {
        const QSignalSpy previewed(m_strip.get(), &TokenStrip::orderPreviewed);
        const QPoint to = chip(2);
        press(chip(0));
        moveTo(to - QPoint(5, 0));
        moveTo(to);
        QTest::keyClick(m_chips, Qt::Key_Escape);
        release(to);
        QVERIFY(order().empty());
        QVERIFY(previewed.last()[0].value<QList<int>>().isEmpty());
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void keysMoveLikeADrag() {
        QTest::keyClick(m_chips, Qt::Key_Home);
        QTest::keyClick(m_chips, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(order(), (std::vector<int>{1, 0, 2}));
        QTest::keyClick(m_chips, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(order(), (std::vector<int>{1, 2, 0}));
        QVERIFY(m_chips->accessibleDescription().contains(QStringLiteral("position 3 of 3")));
        QTest::keyClick(m_chips, Qt::Key_Home, Qt::AltModifier);
        QVERIFY(order().empty());
        QTest::keyClick(m_chips, Qt::Key_End, Qt::AltModifier);
        QCOMPARE(order(), (std::vector<int>{1, 2, 0}));
        QCOMPARE(m_document->undoStack()->count(), 4);
    }

    void aSelectionMovesAsABlock() {
        m_document->setParameter(QStringLiteral("tokens"), std::vector<std::string>{"a", "b", "c", "d", "e"});
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::NoModifier, chip(0));
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::ControlModifier, chip(2));
        QCOMPARE(m_chips->selectedPositions(), (std::vector<int>{0, 2}));
        QTest::keyClick(m_chips, Qt::Key_End, Qt::AltModifier);
        QCOMPARE(order(), (std::vector<int>{1, 3, 4, 0, 2}));
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::NoModifier, chip(0));
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::ShiftModifier, chip(2));
        QCOMPARE(m_chips->selectedPositions(), (std::vector<int>{0, 1, 2}));
    }

    void aBlockIsDraggedTogether() {
        m_document->setParameter(QStringLiteral("tokens"), std::vector<std::string>{"a", "b", "c", "d", "e"});
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::NoModifier, chip(1));
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::ShiftModifier, chip(2));
        const int steps = m_document->undoStack()->count();
        const QPoint from = chip(1);
        const QPoint to = chip(4) + QPoint(40, 0);
        press(from);
        for (int step = 1; step <= 10; ++step) {
            moveTo(from + (to - from) * step / 10);
        }
        release(to);
        QCOMPARE(order(), (std::vector<int>{0, 3, 4, 1, 2}));
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
        QCOMPARE(m_chips->selectedPositions(), (std::vector<int>{3, 4}));
    }

    void keysSelectSeveral() {
        QTest::keyClick(m_chips, Qt::Key_Home);
        QTest::keyClick(m_chips, Qt::Key_Space, Qt::ControlModifier);
        QTest::keyClick(m_chips, Qt::Key_End, Qt::ControlModifier);
        QCOMPARE(m_chips->selectedPositions(), std::vector<int>{2});
        QTest::keyClick(m_chips, Qt::Key_Space, Qt::ControlModifier);
        QCOMPARE(m_chips->selectedPositions(), (std::vector<int>{0, 2}));
        QTest::keyClick(m_chips, Qt::Key_Escape);
        QCOMPARE(m_chips->selectedPositions(), std::vector<int>{2});
        QTest::keyClick(m_chips, Qt::Key_Home, Qt::ShiftModifier);
        QCOMPARE(m_chips->selectedPositions().size(), std::size_t{3});
    }

    void aMoveByKeysIsDescribedForScreenReaders() {
        const QAccessibleInterface* chips = QAccessible::queryAccessibleInterface(m_chips);
        m_document->setParameter(QStringLiteral("tokens"), std::vector<std::string>{"the", "dog", "the"});
        QTest::keyClick(m_chips, Qt::Key_End);
        QCOMPARE(chips->text(QAccessible::Description),
                 QStringLiteral("the 2, position 3 of 3, query token"));
        QTest::keyClick(m_chips, Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(chips->text(QAccessible::Description),
                 QStringLiteral("the 2, position 2 of 3, query token"));
        QTest::keyClick(m_chips, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(chips->text(QAccessible::Description),
                 QStringLiteral("the 1, position 1 of 3, 2 selected, key token"));
    }

    void rotateMovesEveryTokenOnePlace() {
        m_strip->findChild<QAction*>(QStringLiteral("strip_rotate_action"))->trigger();
        QCOMPARE(order(), (std::vector<int>{2, 0, 1}));
        m_strip->rotate();
        QCOMPARE(order(), (std::vector<int>{1, 2, 0}));
        m_strip->rotate();
        QVERIFY(order().empty());
        QCOMPARE(m_document->undoStack()->count(), 3);
    }

    void swapTakesTheSelectedPairOrTheFocusedAndTheNext() {
        m_chips->setCurrentPosition(1);
        m_strip->swapPair();
        QCOMPARE(order(), (std::vector<int>{0, 2, 1}));
        QCOMPARE(m_chips->selectedPositions(), (std::vector<int>{1, 2}));
        m_strip->swapPair();
        QVERIFY(order().empty());
        QCOMPARE(m_document->undoStack()->count(), 2);
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::NoModifier, chip(0));
        QTest::keyClick(m_chips, Qt::Key_Left);
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::NoModifier, chip(0));
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::ControlModifier, chip(2));
        m_strip->swapPair();
        QCOMPARE(order(), (std::vector<int>{2, 1, 0}));
    }

    void swapIsOffWithAReason() {
        const auto* swap = m_strip->findChild<QAction*>(QStringLiteral("strip_swap_action"));
        QTest::keyClick(m_chips, Qt::Key_Home);
        QVERIFY(swap->isEnabled());
        QTest::keyClick(m_chips, Qt::Key_End);
        QVERIFY(!swap->isEnabled());
        QVERIFY(swap->toolTip().contains(QStringLiteral("last")));
        QTest::keyClick(m_chips, Qt::Key_A, Qt::ControlModifier);
        QVERIFY(!swap->isEnabled());
        QVERIFY(swap->toolTip().contains(QStringLiteral("3 are selected")));
        m_document->setParameter(QStringLiteral("tokens"), std::vector<std::string>{"alone"});
        QVERIFY(!swap->isEnabled());
        m_strip->swapPair();
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->undoStack()->undo();
        QTest::keyClick(m_chips, Qt::Key_Home);
        QVERIFY(swap->isEnabled());
    }

    void lesserToolsGoBehindMoreInANarrowWindow() {
        const auto isShown = [this](const char* name) {
            return m_strip->findChild<QToolButton*>(QLatin1StringView(name))->isVisible();
        };
        m_strip->resize(1100, m_strip->height());
        QVERIFY(isShown("strip_rotate") && isShown("strip_swap") && !isShown("strip_more"));
        m_strip->resize(640, m_strip->height());
        QVERIFY(isShown("strip_reverse") && isShown("strip_shuffle") && isShown("strip_identity"));
        QVERIFY(!isShown("strip_rotate") && !isShown("strip_swap") && isShown("strip_more"));
        for (const QToolButton* tool : m_strip->findChildren<QToolButton*>()) {
            const QPoint end = tool->mapTo(m_strip.get(), tool->rect().bottomRight());
            QVERIFY2(!tool->isVisible() || end.x() <= m_strip->width(), qPrintable(tool->objectName()));
        }
        QCOMPARE(m_strip->width(), 640);
    }

    void deleteEditAndInsertKeepTheOtherTokens() {
        m_document->setParameter(QStringLiteral("order"), std::vector<int>{2, 0, 1});
        m_chips->setCurrentPosition(1);
        QTest::keyClick(m_chips, Qt::Key_Delete);
        QCOMPARE(tokens(), (std::vector<std::string>{"bites", "man"}));
        QCOMPARE(order(), (std::vector<int>{1, 0}));
        m_document->undoStack()->undo();
        QCOMPARE(tokens().size(), std::size_t{3});

        m_chips->setCurrentPosition(0);
        QTest::keyClick(m_chips, Qt::Key_F2);
        auto* editor = m_strip->findChild<QLineEdit*>(QStringLiteral("strip_edit"));
        QVERIFY(editor != nullptr);
        QTest::keyClicks(editor, QStringLiteral("woman"));
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(tokens(), (std::vector<std::string>{"dog", "bites", "woman"}));
        QCOMPARE(order(), (std::vector<int>{2, 0, 1}));

        QTest::keyClick(m_chips, Qt::Key_Insert);
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        editor = m_strip->findChild<QLineEdit*>(QStringLiteral("strip_edit"));
        QTest::keyClicks(editor, QStringLiteral("and"));
        QTest::keyClick(editor, Qt::Key_Return);
        QCOMPARE(tokens(), (std::vector<std::string>{"dog", "bites", "woman", "and"}));
        QCOMPARE(order(), (std::vector<int>{2, 3, 0, 1}));
    }

    void toolsReverseShuffleAndRestore() {
        QTest::mouseClick(m_strip->findChild<QToolButton*>(QStringLiteral("strip_reverse")), Qt::LeftButton);
        QCOMPARE(order(), (std::vector<int>{2, 1, 0}));
        auto* shuffle = m_strip->findChild<QToolButton*>(QStringLiteral("strip_shuffle"));
        QTest::mouseClick(shuffle, Qt::LeftButton);
        QVERIFY(shuffle->text().endsWith(QStringLiteral("#1")));
        QTest::mouseClick(shuffle, Qt::LeftButton);
        QVERIFY(shuffle->text().endsWith(QStringLiteral("#2")));
        const std::vector<int> shuffled = phaseladder::shuffledOrder(3, 2);
        QCOMPARE(order().empty() ? phaseladder::identityOrder(3) : order(), shuffled);
        QTest::mouseClick(m_strip->findChild<QToolButton*>(QStringLiteral("strip_identity")), Qt::LeftButton);
        QVERIFY(order().empty());
    }

    void thePermutationIsWritten() {
        auto* label = m_strip->findChild<QLabel*>(QStringLiteral("strip_permutation"));
        m_document->setParameter(QStringLiteral("order"), std::vector<int>{2, 0, 1});
        QCOMPARE(label->text(), QStringLiteral("π = (2 0 1) · cycles (0 2 1)"));
        m_strip->identity();
        QCOMPARE(label->text(), QStringLiteral("π = (0 1 2) · identity"));
        press(chip(0));
        moveTo(chip(0) + QPoint(20, 0));
        moveTo(chip(2) + QPoint(20, 0));
        QCOMPARE(label->text(), QStringLiteral("π = (1 2 0) · cycles (0 1 2)"));
        QTest::keyClick(m_chips, Qt::Key_Escape);
        QCOMPARE(label->text(), QStringLiteral("π = (0 1 2) · identity"));
        release(chip(2));
        m_document->setParameter(QStringLiteral("tokens"), std::vector<std::string>{"alone"});
        QCOMPARE(label->text(), QStringLiteral("one token has one order"));
    }

    void switchesSetTheScene() {
        QTest::mouseClick(m_strip->findChild<QWidget*>(QStringLiteral("strip_by_token")), Qt::LeftButton);
        QCOMPARE(m_document->scene().view.by, phaseladder::ViewBy::token);
        QTest::mouseClick(m_strip->findChild<QWidget*>(QStringLiteral("strip_causal")), Qt::LeftButton);
        QVERIFY(m_document->scene().causal);
    }

    void hoveringMarksTheFigures() {
        m_document->setParameter(QStringLiteral("order"), std::vector<int>{2, 0, 1});
        QTest::mouseMove(m_chips->viewport(), chip(0));
        QCOMPARE(m_link->mark(AxisMeaning::queryToken), std::optional<double>(0.0));
        m_document->setParameter(QStringLiteral("view.by"), std::string("token"));
        QTest::mouseMove(m_chips->viewport(), chip(1));
        QCOMPARE(m_link->mark(AxisMeaning::keyToken), std::optional<double>(0.0));
        QCOMPARE(m_link->mark(AxisMeaning::position), std::optional<double>(1.0));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(m_chips->viewport(), &leave);
        QVERIFY(!m_link->mark(AxisMeaning::queryToken));
    }

    void theWholeTextIsEditedInOneField() {
        m_strip->editText();
        auto* text = m_strip->findChild<QPlainTextEdit*>(QStringLiteral("strip_text"));
        QCOMPARE(text->toPlainText(), QStringLiteral("dog bites man"));
        QTest::keyClicks(text, QStringLiteral("one two"));
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(tokens(), (std::vector<std::string>{"one", "two"}));
    }

    void textOfSpacesIsTheEmptyStateNotAnError() {
        const QSignalSpy refused(m_strip.get(), &TokenStrip::refused);
        m_strip->editText();
        auto* text = m_strip->findChild<QPlainTextEdit*>(QStringLiteral("strip_text"));
        text->setPlainText(QStringLiteral("  \n "));
        QTest::keyClick(text, Qt::Key_Return);
        QVERIFY(tokens().empty());
        QCOMPARE(refused.count(), 0);
        QVERIFY(!m_strip->grab().isNull());
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::NoModifier, QPoint(30, 15));
        QVERIFY(text->isVisible());
    }

    void tooMuchTextIsRefusedAndStays() {
        m_strip->editText();
        auto* text = m_strip->findChild<QPlainTextEdit*>(QStringLiteral("strip_text"));
        text->setPlainText(QStringLiteral("word ").repeated((4 << 20) / 5) + QStringLiteral("longer"));
        const QSignalSpy refused(m_strip.get(), &TokenStrip::refused);
        QTest::keyClick(text, Qt::Key_Return);
        QCOMPARE(refused.count(), 1);
        QVERIFY(text->isVisible());
        QCOMPARE(tokens(), (std::vector<std::string>{"dog", "bites", "man"}));
    }

    void strangeTokensHaveOneChipEach() {
        const std::vector<std::string> strange{
            std::string("a\0b", 3), "👨‍👩‍👧‍👦", "🇩🇪", "مرحبا", "שלום", "word",
            std::string(600, 'x'),  "z\u0300\u0301\u0302\u0303"};
        m_document->setParameter(QStringLiteral("tokens"), strange);
        QCOMPARE(m_chips->count(), 8);
        QVERIFY(m_chips->chipRect(6).width() < 220);
        for (int position = 1; position < 8; ++position) {
            QVERIFY(m_chips->chipRect(position).left() > m_chips->chipRect(position - 1).right());
        }
        QVERIFY(!m_strip->grab().isNull());
    }

    void tenThousandTokensArePaintedQuickly() {
        QStringList words;
        for (int index = 0; index < 10000; ++index) {
            words.append(QStringLiteral("w%1").arg(index));
        }
        QApplication::clipboard()->setText(words.join(QLatin1Char(' ')));
        m_document->setParameter(QStringLiteral("tokens"), std::vector<std::string>{});
        QTest::keyClick(m_chips, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(m_chips->count(), 10000);
        QBENCHMARK_ONCE {
            m_strip->grab();
        }
        QTest::keyClick(m_chips, Qt::Key_End);
        QVERIFY(m_chips->viewport()->rect().contains(chip(9999)));
    }
};

QTEST_MAIN(TokenStripTest)
#include "token_strip_test.moc"
