#include "ui/comparison.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QRadioButton>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>
#include <variant>

#include "tests/ui/main_window_test_parts.h"
#include "ui/document.h"
#include "ui/figure/figure_files.h"
#include "ui/figure/legend_layout.h"
#include "ui/figure/pane_parts.h"
#include "ui/figure_command.h"
#include "ui/file_commands.h"

namespace phaseladder::ui::test {

class WindowComparisonTest : public QObject, private MainWindowFixture {
    Q_OBJECT

    const QString m_theta = QStringLiteral("rope.theta");

    FigurePane* pane(const char* figureId) {
        const QList<FigurePane*>& panes = m_window->panes()->panes();
        return *std::find_if(panes.begin(), panes.end(), [&](const FigurePane* one) {
            return one->figureId() == QLatin1StringView(figureId);
        });
    }

    void press(Qt::Key key) {
        QTest::keyClick(m_window.get(), key);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
    }

    void setTheta(double theta) {
        m_window->setParameter(m_theta, theta);
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
    }

    const Heatmap& attentionMap() {
        return std::get<Heatmap>(pane("attention")->figure().panels.at(0).layers.at(0));
    }

    static std::string firstChip(const FigurePane* pane) { return pane->figure().readouts.at(0).chip; }

    CompareMode mode() const { return m_window->comparison()->mode(); }

    QWidget* control() { return m_window->findChild<QWidget*>(QStringLiteral("compare_control")); }

private Q_SLOTS:
    void init() {
        startProgram();
        m_window->panes()->focusPane(0);
    }

    void cleanup() { m_window.reset(); }

    void nothingIsComparedUntilItIsPinned() {
        QVERIFY(!control()->isEnabled());
        QVERIFY(control()->toolTip().startsWith(QStringLiteral("Nothing is pinned yet.")));
        for (const char* id : {"action_unpin", "action_compare_a", "action_compare_delta"}) {
            QVERIFY(!command(id)->isEnabled());
        }
        press(Qt::Key_D);
        QVERIFY(mode() == CompareMode::live);
        QVERIFY(pane("ladder")->figure().readouts.at(0).id != "compared");
        press(Qt::Key_P);
        QVERIFY(control()->isEnabled());
        QVERIFY(command("action_compare_b")->isChecked());
        QVERIFY(*m_window->comparison()->pinned() == m_window->document()->scene());
    }

    void theLegendNamesBoth() {
        press(Qt::Key_P);
        setTheta(500000.0);
        QStringList labels;
        for (const LegendEntry& entry : legendEntries(pane("ladder")->figure().panels.at(0))) {
            labels.append(entry.label);
        }
        QCOMPARE(labels, (QStringList{QStringLiteral("B: theta base 500,000"),
                                      QStringLiteral("A: theta base 10,000")}));
        QCOMPARE(firstChip(pane("ladder")),
                 std::string("B, live: theta base 500,000 · A: theta base 10,000"));
    }

    void theNextKeyGoesFromBToTheDifferenceToAToB() {
        press(Qt::Key_P);
        setTheta(500000.0);
        const std::vector<double> live = attentionMap().values;
        press(Qt::Key_D);
        QVERIFY(mode() == CompareMode::difference);
        QVERIFY(attentionMap().map == ColorMapKind::diverging);
        QCOMPARE(attentionMap().low, -attentionMap().high);
        const std::vector<double> delta = attentionMap().values;
        QVERIFY(m_window->findChild<QRadioButton*>(QStringLiteral("segment_compare_delta"))->isChecked());
        press(Qt::Key_D);
        QVERIFY(mode() == CompareMode::pinned);
        for (std::size_t cell = 0; cell < live.size(); ++cell) {
            QCOMPARE(live[cell] - attentionMap().values[cell], delta[cell]);
        }
        QVERIFY(firstChip(pane("attention")).starts_with("A, pinned: theta base 10,000"));
        const auto* line = pane("attention")->findChild<ElidedLine*>(QStringLiteral("figure_comparison"));
        QVERIFY(line->isVisible());
        QCOMPARE(line->text().toStdString(), firstChip(pane("attention")));
        press(Qt::Key_D);
        QVERIFY(mode() == CompareMode::live);
        QCOMPARE(attentionMap().values, live);
    }

    void theSegmentsChooseToo() {
        press(Qt::Key_P);
        m_window->findChild<QRadioButton*>(QStringLiteral("segment_compare_a"))->click();
        QVERIFY(mode() == CompareMode::pinned);
        QVERIFY(command("action_compare_a")->isChecked());
        QVERIFY(!command("action_compare_b")->isChecked());
    }

    void undoAndTheDocumentDoNotKnowOfIt() {
        setTheta(20000.0);
        const int steps = m_window->document()->undoStack()->count();
        press(Qt::Key_P);
        press(Qt::Key_D);
        press(Qt::Key_D);
        QCOMPARE(m_window->document()->undoStack()->count(), steps);
        command("action_undo")->trigger();
        QCOMPARE(m_window->document()->scene().rope.theta, 10000.0);
        QCOMPARE(m_window->comparison()->pinned()->rope.theta, 20000.0);
        QVERIFY(mode() == CompareMode::pinned);
    }

    void pinningAgainTakesTheSceneOfNow() {
        press(Qt::Key_P);
        setTheta(20000.0);
        press(Qt::Key_P);
        QCOMPARE(m_window->comparison()->pinned()->rope.theta, 20000.0);
        command("action_unpin")->trigger();
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QVERIFY(m_window->comparison()->pinned() == nullptr);
        QVERIFY(!control()->isEnabled());
        QVERIFY(pane("ladder")->figure().readouts.at(0).id != "compared");
    }

    void theButtonSaysThatAIsPinned() {
        const auto* pin = m_window->findChild<QToolButton*>(QStringLiteral("pin_button"));
        const auto* unpin = m_window->findChild<QToolButton*>(QStringLiteral("unpin_button"));
        QCOMPARE(pin->text(), QStringLiteral("Pin A"));
        QVERIFY(!pin->isChecked());
        QTRY_VERIFY(!unpin->isVisible());
        press(Qt::Key_P);
        QCOMPARE(pin->text(), QStringLiteral("A pinned"));
        QVERIFY(pin->isChecked());
        QTRY_VERIFY(unpin->isVisible());
        QVERIFY2(pin->toolTip().contains(QStringLiteral("in its place")), qPrintable(pin->toolTip()));
        QVERIFY(pin->accessibleName().startsWith(QStringLiteral("A is pinned")));
        QVERIFY(unpin->toolTip().startsWith(QStringLiteral("Unpin A")));
    }

    void aClickOnTheButtonPinsAgainAndOneOnTheCrossUnpins() {
        auto* pin = m_window->findChild<QToolButton*>(QStringLiteral("pin_button"));
        auto* unpin = m_window->findChild<QToolButton*>(QStringLiteral("unpin_button"));
        QTest::mouseClick(pin, Qt::LeftButton);
        setTheta(20000.0);
        QTest::mouseClick(pin, Qt::LeftButton);
        QCOMPARE(m_window->comparison()->pinned()->rope.theta, 20000.0);
        QVERIFY(pin->isChecked());
        QTest::mouseClick(unpin, Qt::LeftButton);
        QVERIFY(m_window->comparison()->pinned() == nullptr);
        QVERIFY(!pin->isChecked());
        QTRY_VERIFY(!unpin->isVisible());
        QCOMPARE(pin->text(), QStringLiteral("Pin A"));
    }

    void theSameSettingsAreSaidToBeTheSame() {
        press(Qt::Key_P);
        QCOMPARE(firstChip(pane("ladder")), std::string("A and B are the same: Δ is exactly 0"));
        press(Qt::Key_D);
        QCOMPARE(firstChip(pane("attention")), std::string("A and B are the same: Δ is exactly 0"));
    }

    /// A field takes letters (2*pi, 500k): they are its own while it has the focus.
    void lettersInAFieldArePartOfItsText() {
        command("action_theta")->trigger();
        auto* field = qobject_cast<QLineEdit*>(QApplication::focusWidget());
        QVERIFY(field != nullptr);
        for (const Qt::Key key : {Qt::Key_P, Qt::Key_D}) {
            field->clear();
            QTest::keyClick(field, key);
            QCOMPARE(field->text(), QString(QChar(key)).toLower());
            QVERIFY(m_window->comparison()->pinned() == nullptr);
        }
        QTest::keyClick(field, Qt::Key_Escape);
        QCOMPARE(m_window->document()->scene().rope.theta, 10000.0);
        m_window->panes()->focusPane(0);
        press(Qt::Key_P);
        QVERIFY(m_window->comparison()->pinned() != nullptr);
    }

    void anOpenedFileIsComparedAndANewSceneIsNot() {
        const QString path = m_folder->filePath(QStringLiteral("b.pldr"));
        setTheta(77.0);
        QCOMPARE(m_window->document()->save(path), QString());
        setTheta(10000.0);
        press(Qt::Key_P);
        m_window->openFile(path);
        QCOMPARE(m_window->document()->scene().rope.theta, 77.0);
        QVERIFY(m_window->comparison()->pinned() != nullptr);
        m_window->files()->startNew();
        QVERIFY(m_window->comparison()->pinned() == nullptr);
    }

    void aLockedRangeOfDifferencesStays() {
        press(Qt::Key_P);
        setTheta(500000.0);
        press(Qt::Key_D);
        pane("attention")->findChild<QAction*>(QStringLiteral("lock_colors"))->setChecked(true);
        const double high = attentionMap().high;
        m_window->setParameter(QStringLiteral("encoding"), std::string("none"));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QCOMPARE(attentionMap().high, high);
        QCOMPARE(attentionMap().low, -high);
        press(Qt::Key_D);  // A has values, whose range is kept from now on
        QVERIFY(attentionMap().high != high || attentionMap().low != -high);
        const double pinnedHigh = attentionMap().high;
        press(Qt::Key_D);
        QCOMPARE(attentionMap().high, pinnedHigh);
    }

    void theVerdictIsOfTheLiveScene() {
        const QString before = shownText("strip_verdict");
        QVERIFY(!before.isEmpty());
        press(Qt::Key_P);
        press(Qt::Key_D);
        QCOMPARE(shownText("strip_verdict"), before);
    }

    /// The command line's own part is tested in tests/app.
    void theCopiedCommandPinsWhatDiffers() {
        press(Qt::Key_P);
        const auto words = [this] {
            FigureRequest request = pane("ladder")->request();
            request.pixelColumns = request.pixelRows = mostFigurePixels;
            return figureCommand(*m_window->document(), request).mid(3);
        };
        QCOMPARE(words(), (QStringList{QStringLiteral("--pin-set"), QStringLiteral("encoding=rope")}));
        setTheta(500000.0);
        press(Qt::Key_D);
        QCOMPARE(words(), (QStringList{QStringLiteral("--set"), QStringLiteral("rope.theta=500000"),
                                       QStringLiteral("--pin-set"), QStringLiteral("rope.theta=10000"),
                                       QStringLiteral("--compare"), QStringLiteral("delta")}));
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::WindowComparisonTest)
#include "window_comparison_test.moc"
