#include "ui/dialogs/export_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "core/engine.h"
#include "ui/dialogs/page_presets.h"
#include "ui/settings.h"
#include "ui/theme.h"

namespace phaseladder::ui::test {

namespace {

Figure ladderFigure() {
    Engine engine;
    FigureRequest request;
    request.id = "ladder";
    return *engine.figure(Scene{}, request);
}

void type(QWidget& dialog, const char* name, const QString& text) {
    auto* field = dialog.findChild<QLineEdit*>(QLatin1StringView(name));
    QVERIFY(field != nullptr);
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, text);
    QTest::keyClick(field, Qt::Key_Return);
}

}  // namespace

class ExportDialogTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, ThemeKind::light); }

    void init() {
        m_dialog = std::make_unique<ExportDialog>(ladderFigure(), Scene{},
                                                  QStringLiteral("phaseladder figure ladder"));
        m_dialog->show();
        m_dialog->setPath(m_folder.filePath(QStringLiteral("fig.pdf")));
    }

    void cleanup() { m_dialog.reset(); }

    void theCommandNamesEveryChoice() {
        const QString command = m_dialog->command();
        QVERIFY2(command.startsWith(QStringLiteral("phaseladder figure ladder -o ")), qPrintable(command));
        QVERIFY(
            command.contains(QStringLiteral(" --width 5.5in --height 3.399in --font-size 9 --style print")));
    }

    void aTypedWidthMovesTheHeightAndLeavesThePreset() {
        type(*m_dialog, "export_width", QStringLiteral("3.25"));
        QCOMPARE(m_dialog->choices().width, 3.25);
        QVERIFY(m_dialog->choices().preset.isEmpty());
        QVERIFY(std::abs(m_dialog->choices().height - 0.618 * 3.25) < 0.002);
    }

    void aRefusedWidthKeepsTheOldOne() {
        type(*m_dialog, "export_width", QStringLiteral("abc"));
        QCOMPARE(m_dialog->choices().width, 5.5);
        QVERIFY(m_dialog->findChild<QLabel*>(QStringLiteral("export_check"))->property("chip") ==
                QStringLiteral("error"));
    }

    void theFileEndingFollowsTheFormat() {
        m_dialog->setFormat(QStringLiteral("svg"));
        QVERIFY(m_dialog->findChild<QLineEdit*>(QStringLiteral("export_path"))
                    ->text()
                    .endsWith(QStringLiteral("fig.svg")));
    }

    void numbersHaveNoPageAndSaySo() {
        m_dialog->setFormat(QStringLiteral("csv"));
        auto* width = m_dialog->findChild<QLineEdit*>(QStringLiteral("export_width"));
        QVERIFY(!width->isEnabled());
        QVERIFY(!width->toolTip().isEmpty());
    }

    void aPictureAboveTheLimitIsRefusedWithItsMemory() {
        m_dialog->setFormat(QStringLiteral("png"));
        type(*m_dialog, "export_width", QStringLiteral("100"));
        type(*m_dialog, "export_dpi", QStringLiteral("1000"));
        auto* run = m_dialog->findChild<QPushButton*>(QStringLiteral("export_run"));
        QVERIFY(!run->isEnabled());
        QVERIFY(run->toolTip().contains(QStringLiteral("32,767 px")));
    }

    void exportWritesTheFileAndRemembersTheChoices() {
        Settings settings(m_folder.filePath(QStringLiteral("settings.ini")));
        ExportDialog dialog(ladderFigure(), Scene{}, QStringLiteral("phaseladder figure ladder"), nullptr,
                            &settings);
        dialog.setPath(m_folder.filePath(QStringLiteral("out.png")));
        dialog.setFormat(QStringLiteral("png"));
        QSignalSpy spy(&dialog, &ExportDialog::exported);
        dialog.exportNow();
        QCOMPARE(spy.size(), 1);
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("out.png"))));
        const ExportDialog next(ladderFigure(), Scene{}, QStringLiteral("phaseladder figure ladder"), nullptr,
                                &settings);
        QCOMPARE(next.choices(), dialog.choices());
    }

    void aFileIsReplacedOnlyWhenThePersonSaysSo() {
        const QString path = m_folder.filePath(QStringLiteral("kept.pdf"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("old");
        file.close();
        m_dialog->setPath(path);
        QTimer::singleShot(100, this,
                           [] { QTest::keyClick(QApplication::activeModalWidget(), Qt::Key_Escape); });
        m_dialog->exportNow();
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("old"));
    }

    void theClipboardGetsPictureSvgAndPdf() {
        m_dialog->findChild<QRadioButton*>(QStringLiteral("export_to_clipboard"))->click();
        m_dialog->exportNow();
        const QMimeData* data = QGuiApplication::clipboard()->mimeData();
        for (const char* type : {"image/png", "image/svg+xml", "application/pdf"}) {
            QVERIFY2(data->hasFormat(QLatin1StringView(type)), type);
        }
    }

    void everyControlHasAName() {
        for (const QWidget* control : m_dialog->findChildren<QWidget*>()) {
            if (control->focusPolicy() != Qt::NoFocus && qobject_cast<const QComboBox*>(control) != nullptr) {
                QVERIFY(!control->objectName().isEmpty() && !control->accessibleName().isEmpty());
            }
        }
    }

    void quotesSurviveTheShell() {
        QCOMPARE(shellWord(QStringLiteral("it's")), QStringLiteral("'it'\\''s'"));
    }

private:
    QTemporaryDir m_folder;
    std::unique_ptr<ExportDialog> m_dialog;
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::ExportDialogTest)
#include "export_dialog_test.moc"
