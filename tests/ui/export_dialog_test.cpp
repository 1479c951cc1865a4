#include "ui/dialogs/export_dialog.h"

#include <QClipboard>
#include <QComboBox>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QProcess>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include "core/engine.h"
#include "ui/dialogs/export_choices.h"
#include "ui/dialogs/export_memory.h"
#include "ui/dialogs/page_presets.h"
#include "ui/figure/figure_fonts.h"
#include "ui/figure/figure_style.h"
#include "ui/settings.h"
#include "ui/shell_command.h"
#include "ui/theme.h"

namespace phaseladder::ui::test {

namespace {

Figure figureOf(const char* id) {
    Engine engine;
    FigureRequest request;
    request.id = id;
    return *engine.figure(Scene{}, request);
}

ExportSubject subjectOf(const char* id, const QString& project = {}) {
    return {figureOf(id), Scene{},
            QStringList{QStringLiteral("phaseladder"), QStringLiteral("figure"), QLatin1String(id)}, project};
}

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Chooses an entry as a person does.
void choose(const QWidget& dialog, const char* name, const QString& id) {
    auto* box = dialog.findChild<QComboBox*>(QLatin1StringView(name));
    QVERIFY(box != nullptr && box->findData(id) >= 0);
    box->setCurrentIndex(box->findData(id));
    Q_EMIT box->activated(box->currentIndex());
}

void click(const QWidget& dialog, const char* name) {
    auto* button = dialog.findChild<QAbstractButton*>(QLatin1StringView(name));
    QVERIFY(button != nullptr && button->isEnabled());
    button->click();
}

QString textOf(const QWidget& dialog, const char* name) {
    const auto* label = dialog.findChild<QLabel*>(QLatin1StringView(name));
    return label != nullptr ? label->text() : QString();
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
        m_dialog = std::make_unique<ExportDialog>(subjectOf("ladder"));
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
        const auto* message = m_dialog->findChild<QLabel*>(QStringLiteral("export_message"));
        QVERIFY(message->isVisible() && message->text().contains(QStringLiteral("abc")));
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
        ExportDialog dialog(subjectOf("ladder"), nullptr, &settings);
        dialog.setPath(m_folder.filePath(QStringLiteral("out.png")));
        dialog.setFormat(QStringLiteral("png"));
        QSignalSpy spy(&dialog, &ExportDialog::exported);
        dialog.exportNow();
        QCOMPARE(spy.size(), 1);
        QVERIFY(QFile::exists(m_folder.filePath(QStringLiteral("out.png"))));
        const ExportDialog next(subjectOf("ladder"), nullptr, &settings);
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

    void theCopiedCommandMakesTheSameBytes_data() {
        QTest::addColumn<QString>("format");
        for (const char* format : {"pdf", "svg", "png", "csv"}) {
            QTest::addRow("%s", format) << QString::fromLatin1(format);
        }
    }

    void theCopiedCommandMakesTheSameBytes() {
        QFETCH(const QString, format);
        ExportDialog dialog(subjectOf("ramp"));
        dialog.show();
        choose(dialog, "export_font", figureFonts().last());
        choose(dialog, "export_style", QStringLiteral("dark"));
        choose(dialog, "export_height_rule", QStringLiteral("4:3"));
        choose(dialog, "export_background", QStringLiteral("transparent"));
        click(dialog, "export_legend");
        click(dialog, "export_panel_letters");
        type(dialog, "export_title", QStringLiteral("it's <b> & \"c\""));
        type(dialog, "export_width", QStringLiteral("3.3"));
        const QString path = m_folder.filePath(QStringLiteral("same.") + format);
        dialog.setPath(path);
        dialog.setFormat(format);
        const QString command = dialog.command();
        dialog.exportNow();
        const QByteArray fromDialog = contentOf(path);
        QVERIFY(fromDialog.size() > 100);
        QVERIFY(QFile::remove(path));

        QProcess shell;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("PATH"), QFileInfo(QStringLiteral(PHASELADDER_PROGRAM)).path() +
                                                       QLatin1Char(':') + qEnvironmentVariable("PATH"));
        shell.setProcessEnvironment(environment);
        shell.start(QStringLiteral("sh"), {QStringLiteral("-c"), command});
        QVERIFY(shell.waitForFinished(60000));
        QVERIFY2(shell.exitCode() == 0, shell.readAllStandardError().constData());
        QVERIFY2(contentOf(path) == fromDialog, qPrintable(command));
    }

    void aFigureKeepsNoFolderNames() {
        m_dialog->setFormat(QStringLiteral("svg"));
        m_dialog->exportNow();
        const QByteArray svg = contentOf(m_folder.filePath(QStringLiteral("fig.svg")));
        QVERIFY(svg.contains("-o fig.svg"));
        QVERIFY(!svg.contains(m_folder.path().toUtf8()));
    }

    void aLockedRatioHoldsWhenTheHeightIsTyped() {
        choose(*m_dialog, "export_height_rule", QStringLiteral("4:3"));
        QCOMPARE(m_dialog->choices().height, 4.125);
        type(*m_dialog, "export_height", QStringLiteral("3"));
        QCOMPARE(m_dialog->choices().width, 4.0);
        QCOMPARE(m_dialog->choices().height, 3.0);
        choose(*m_dialog, "export_height_rule", QStringLiteral("free"));
        type(*m_dialog, "export_height", QStringLiteral("2"));
        QCOMPARE(m_dialog->choices().width, 4.0);
        QCOMPARE(m_dialog->choices().height, 2.0);
    }

    void eachProjectKeepsItsOwnChoices() {
        Settings settings(m_folder.filePath(QStringLiteral("projects.ini")));
        ExportChoices nature;
        nature.preset = QStringLiteral("nature_column");
        nature.showPanelLetters = true;
        ExportChoices slides;
        slides.preset = QStringLiteral("beamer");
        rememberChoices(settings, QStringLiteral("/paper.pldr"), nature);
        rememberChoices(settings, QStringLiteral("/talk.pldr"), slides);
        QCOMPARE(rememberedChoices(settings, QStringLiteral("/paper.pldr")), nature);
        QCOMPARE(rememberedChoices(settings, QStringLiteral("/talk.pldr")), slides);
        QCOMPARE(rememberedChoices(settings, QStringLiteral("/new.pldr")), slides);
        QCOMPARE(rememberedChoices(settings, {}), slides);
    }

    void theCheckSpeaksOfPageFontSizeAndLabels() {
        QCOMPARE(textOf(*m_dialog, "export_check_0"),
                 QStringLiteral("✔ Page 139.7 × 86.3 mm (5.50 × 3.40 in)"));
        QCOMPARE(textOf(*m_dialog, "export_check_1"), QStringLiteral("✔ Font embedded as TrueType: Roboto"));
        QVERIFY(textOf(*m_dialog, "export_check_2").startsWith(QStringLiteral("✔ Smallest text 8")));
        QVERIFY(textOf(*m_dialog, "export_check_3").startsWith(QStringLiteral("✔ No label")));
        type(*m_dialog, "export_font_size", QStringLiteral("4"));
        QVERIFY(textOf(*m_dialog, "export_check_2").startsWith(QStringLiteral("⚠ Smallest text 3.6 pt")));
        type(*m_dialog, "export_font_size", QStringLiteral("30"));
        type(*m_dialog, "export_width", QStringLiteral("2"));
        QVERIFY(textOf(*m_dialog, "export_check_3").startsWith(QStringLiteral("⚠ ")));
    }

    void aSignThatTheFontLacksIsTold() {
        auto* title = m_dialog->findChild<QLineEdit*>(QStringLiteral("export_title"));
        title->setText(QStringLiteral("位置"));
        Q_EMIT title->textEdited(title->text());
        QVERIFY2(textOf(*m_dialog, "export_check_1").startsWith(QStringLiteral("⚠ One label")),
                 qPrintable(textOf(*m_dialog, "export_check_1")));
    }

    void whatAFigureHasNoUseForIsDisabledAndSaysWhy() {
        for (const char* name : {"export_panel_letters", "export_legend", "export_colormap", "export_dpi"}) {
            const auto* control = m_dialog->findChild<QWidget*>(QLatin1StringView(name));
            QVERIFY2(!control->isEnabled() && !control->toolTip().isEmpty(), name);
        }
        const ExportDialog ramp(subjectOf("ramp"));
        for (const char* name : {"export_panel_letters", "export_legend"}) {
            QVERIFY2(ramp.findChild<QWidget*>(QLatin1StringView(name))->isEnabled(), name);
        }
        const ExportDialog attention(subjectOf("attention"));
        QVERIFY(attention.findChild<QWidget*>(QStringLiteral("export_colormap"))->isEnabled());
    }

    void everyRememberedChoiceIsInItsBox() {
        for (const QString& name : colormapNames()) {
            const QByteArray json = QByteArrayLiteral("{\"colormap\": \"") + name.toLatin1() + "\"}";
            auto* box = m_dialog->findChild<QComboBox*>(QStringLiteral("export_colormap"));
            QVERIFY2(box->findData(readChoices(json).colormap) >= 0, qPrintable(name));
        }
        const auto idsOf = [this](const char* name) {
            const auto* box = m_dialog->findChild<QComboBox*>(QLatin1StringView(name));
            QStringList ids;
            for (int index = 0; index < box->count(); ++index) {
                ids.append(box->itemData(index).toString());
            }
            return ids;
        };
        QCOMPARE(idsOf("export_style"), styleNames());
        QCOMPARE(idsOf("export_height_rule"), heightRuleNames());
    }

    void theCaptionIsCopied() {
        click(*m_dialog, "export_copy_caption");
        const QString caption = QGuiApplication::clipboard()->text();
        QVERIFY2(caption.contains(QStringLiteral("theta base 10,000")), qPrintable(caption));
        QVERIFY(caption.contains(QStringLiteral("Made with Phaseladder " PHASELADDER_VERSION)));
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
