#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <QToolButton>

#include "core/encodings/encoding.h"
#include "tests/ui/main_window_test_parts.h"
#include "ui/comparison.h"
#include "ui/document.h"
#include "ui/figure/pane_parts.h"

namespace phaseladder::ui::test {

/// The panes follow the encoding: none is left empty, and the chosen figures come back.
class PaneFiguresTest : public QObject, private MainWindowFixture {
    Q_OBJECT

    const QString m_encoding = QStringLiteral("encoding");

    void choose(const char* encoding) {
        m_window->setParameter(m_encoding, std::string(encoding));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
    }

    FigurePane* pane(int index) const { return m_window->panes()->panes()[index]; }

    QStringList shownIds() const {
        QStringList ids;
        for (const FigurePane* one : m_window->panes()->panes()) {
            ids.append(one->figureId());
        }
        return ids;
    }

    static QString footer(const FigurePane* pane) {
        return pane->findChild<ElidedLine*>(QStringLiteral("figure_readout"))->text();
    }

    static QPushButton* offer(const FigurePane* pane) {
        return pane->findChild<QPushButton*>(QStringLiteral("figure_offer"));
    }

private Q_SLOTS:
    void init() { startProgram(); }

    void cleanup() { m_window.reset(); }

    void noEncodingLeavesAStartUpPaneEmpty() {
        const QStringList chosen = m_window->panes()->figureIds();
        for (const Encoding& encoding : encodings()) {
            choose(encoding.id.c_str());
            for (const FigurePane* one : m_window->panes()->panes()) {
                QVERIFY2(!one->figure().panels.empty(), qPrintable(one->figureId()));
                QCOMPARE(QString::fromStdString(one->figure().id), one->figureId());
                QCOMPARE(footer(one).startsWith(QStringLiteral("In place of ")),
                         one->figureId() != one->chosenFigureId());
            }
            QStringList distinct = shownIds();
            QCOMPARE(distinct.removeDuplicates(), 0);
            QCOMPARE(m_window->panes()->figureIds(), chosen);
        }
        choose("rope");
        QCOMPARE(shownIds(), chosen);
    }

    void thePaneSaysQuietlyWhatItStandsInFor() {
        choose("alibi");
        QCOMPARE(pane(0)->figureId(), QStringLiteral("relative-bias"));
        QVERIFY(footer(pane(0)).startsWith(QStringLiteral("In place of Ladder (empty here)")));
        QCOMPARE(pane(0)->findChild<QToolButton*>(QStringLiteral("figure_picker"))->text(),
                 QStringLiteral("Relative bias"));
        QVERIFY(!footer(pane(1)).contains(QStringLiteral("In place of")));
    }

    void undoBringsTheChosenFiguresBack() {
        const QStringList before = shownIds();
        choose("none");
        QVERIFY(shownIds() != before);
        m_window->document()->undoStack()->undo();
        QCOMPARE(shownIds(), before);
        m_window->document()->undoStack()->redo();
        QVERIFY(shownIds() != before);
    }

    void openingASessionFitsTheFigures() {
        choose("t5");
        const QStringList fitted = shownIds();
        const QString path = m_folder->filePath(QStringLiteral("t5.pldr"));
        QCOMPARE(m_window->document()->save(path), QString());
        choose("rope");
        QCOMPARE(m_window->document()->open(path), QString());
        QCOMPARE(shownIds(), fitted);
    }

    void theSettingsRememberWhatWasChosen() {
        const QStringList chosen = m_window->panes()->figureIds();
        choose("none");
        m_window->document()->undoStack()->setClean();
        m_window->close();
        m_window.reset();
        openWindow();
        QCOMPARE(m_window->panes()->figureIds(), chosen);
        QCOMPARE(shownIds(), chosen);
    }

    void anEmptyFigureThatIsPickedOffersOneThatFits() {
        choose("alibi");
        pane(1)->setFigureId(QStringLiteral("phases"));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        const auto* sentence = pane(1)->findChild<QLabel*>(QStringLiteral("figure_empty"));
        QVERIFY(sentence->isVisible());
        QVERIFY(sentence->text().startsWith(QStringLiteral("No frequencies")));
        QPushButton* button = offer(pane(1));
        QVERIFY(button->isVisible());
        QVERIFY(button->text().startsWith(QStringLiteral("Show ")));
        QCOMPARE(button->accessibleName(), button->text());
        QVERIFY(button->focusPolicy() & Qt::TabFocus);
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QVERIFY(!pane(1)->figure().panels.empty());
        QVERIFY(!button->isVisible());
        QStringList distinct = shownIds();
        QCOMPARE(distinct.removeDuplicates(), 0);
        QCOMPARE(pane(1)->chosenFigureId(), QStringLiteral("phases"));
        choose("rope");
        QCOMPARE(pane(1)->figureId(), QStringLiteral("phases"));
    }

    void anEmptyFigureThatIsPickedStaysUntilTheEncodingChanges() {
        choose("none");
        pane(0)->setFigureId(QStringLiteral("ladder"));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        m_window->setParameter(QStringLiteral("causal"), true);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QCOMPARE(pane(0)->figureId(), QStringLiteral("ladder"));
        QVERIFY(offer(pane(0))->isVisible());
        choose("alibi");
        QCOMPARE(pane(0)->figureId(), QStringLiteral("relative-bias"));
    }

    void withoutTokensTheNextStepIsToTypeSome() {
        m_window->document()->setParameters({{QStringLiteral("tokens"), std::vector<std::string>()},
                                             {QStringLiteral("order"), std::vector<int>()}});
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QCOMPARE(pane(1)->figureId(), QStringLiteral("attention"));
        QVERIFY(pane(1)->findChild<QLabel*>(QStringLiteral("figure_empty"))->isVisible());
        QVERIFY(!offer(pane(1))->isVisible());
    }

    void tabsAreNamedAfterWhatIsShown() {
        m_window->resize(720, 560);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        const auto* tabs = m_window->findChild<QTabBar*>(QStringLiteral("pane_tabs"));
        QVERIFY(tabs->isVisible());
        choose("alibi");
        QCOMPARE(tabs->tabText(0), QStringLiteral("Relative bias"));
        choose("rope");
        QCOMPARE(tabs->tabText(0), QStringLiteral("Ladder"));
    }

    void whatStandsInCanBeComparedWithThePinnedScene() {
        m_window->pinScene();
        choose("alibi");
        for (const FigurePane* one : m_window->panes()->panes()) {
            QVERIFY(!one->figure().panels.empty());
            QVERIFY2(one->figure().notes.empty() ||
                         !one->figure().notes.back().starts_with("A shows nothing here"),
                     qPrintable(one->figureId()));
        }
        m_window->comparison()->show(CompareMode::difference);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        for (const FigurePane* one : m_window->panes()->panes()) {
            QVERIFY2(!one->figure().panels.empty(), qPrintable(one->figureId()));
        }
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::PaneFiguresTest)
#include "pane_figures_test.moc"
