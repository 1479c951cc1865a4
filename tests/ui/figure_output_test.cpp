#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QTimer>

#include <atomic>
#include <chrono>
#include <thread>

#include "tests/core/painted_backend.h"
#include "tests/ui/main_window_test_parts.h"
#include "ui/controls/token_strip.h"
#include "ui/document.h"
#include "ui/figure/figure_files.h"
#include "ui/figure_output.h"

namespace phaseladder::ui::test {
namespace {

using phaseladder::test::PaintedBackend;

/// Long texts are painted, slowly; the few words of the start are computed, once the gate is open.
class SlowBackend final : public Backend {
public:
    SlowBackend(PaintedBackend::Log& log, const std::atomic<bool>& isOpen)
        : m_painted(log, std::chrono::milliseconds(2)), m_real(makeReferenceBackend()), m_isOpen(isOpen) {}

    [[nodiscard]] BackendInfo info() const override { return m_painted.info(); }
    [[nodiscard]] Result<AttentionResult> run(const AttentionRequest& request,
                                              std::stop_token stop) override {
        constexpr std::int64_t few = 1024;
        if (request.map && request.problem->keys.rows() > few) {
            return m_painted.run(request, std::move(stop));
        }
        while (!m_isOpen && !stop.stop_requested()) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return m_real->run(request, std::move(stop));
    }

private:
    PaintedBackend m_painted;
    std::unique_ptr<Backend> m_real;
    const std::atomic<bool>& m_isOpen;
};

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// The column of values of a CSV of a map.
QStringList valuesOf(const QByteArray& csv) {
    QStringList values;
    for (const QByteArray& line : csv.trimmed().split('\n').mid(1)) {
        values.append(QString::fromUtf8(line.split(',').last()));
    }
    return values;
}

}  // namespace

/// What leaves the window is the whole figure of the newest setting.
class FigureOutputTest : public QObject, private MainWindowFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_log = std::make_unique<PaintedBackend::Log>();
        m_isOpen = true;
        startProgram(std::make_unique<Engine>(std::make_unique<SlowBackend>(*m_log, m_isOpen)));
        m_window->panes()->focusPane(1);
        QCOMPARE(m_window->panes()->currentPane()->figureId(), QStringLiteral("attention"));
    }

    void cleanup() { m_window.reset(); }

    void anExportWaitsForAllRowsAndSaysSo() {
        const QString path = m_folder->filePath(QStringLiteral("map.csv"));
        beginLongText();
        bool wasWaiting = false, saidHowFar = false;
        inDialog([&](ExportDialog& dialog) {
            wasWaiting = dialog.isWaiting();
            QVERIFY(!button(dialog, "export_run")->isEnabled());
            QVERIFY(button(dialog, "export_run")->toolTip().startsWith(QStringLiteral("Preview")));
            QVERIFY(!button(dialog, "export_copy_caption")->isEnabled());
            dialog.setPath(path);
            dialog.exportNow();  // refused
            QVERIFY(!QFile::exists(path));
            while (dialog.isWaiting()) {
                const auto* said = dialog.findChild<QLabel*>(QStringLiteral("export_wait_text"));
                saidHowFar = saidHowFar || said->text().contains(QStringLiteral("computing exact rows: "));
                QTest::qWait(5);
            }
            QVERIFY(button(dialog, "export_run")->isEnabled());
            QVERIFY(dialog.caption().contains(QStringLiteral("text length 131,072")));
            dialog.setPath(path);
            dialog.exportNow();
        });
        command("action_export_data")->trigger();
        QVERIFY(wasWaiting && saidHowFar);
        const QStringList values = valuesOf(contentOf(path));
        QVERIFY(values.size() > 1000);
        QCOMPARE(values.count(QStringLiteral("2")), values.size());  // 1 is what a preview is painted with
    }

    void theWaitCanBeCancelled() {
        const QString path = m_folder->filePath(QStringLiteral("cancelled.csv"));
        beginLongText();
        inDialog([&](ExportDialog& dialog) {
            QVERIFY(dialog.isWaiting());
            dialog.setPath(path);
            button(dialog, "export_cancel")->click();
        });
        command("action_export_data")->trigger();
        QVERIFY(!QFile::exists(path));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
    }

    void aSettingThatIsNotDrawnYetIsWaitedFor() {
        m_isOpen = false;
        m_window->setParameter(QStringLiteral("rope.theta"), 5e5);
        const QString path = m_folder->filePath(QStringLiteral("newest.svg"));
        inDialog([&](ExportDialog& dialog) {
            QTest::qWait(50);
            QVERIFY(dialog.isWaiting());
            m_isOpen = true;
            while (dialog.isWaiting()) {
                QTest::qWait(5);
            }
            dialog.setFormat(QStringLiteral("svg"));
            dialog.setPath(path);
            dialog.exportNow();
        });
        command("action_export")->trigger();
        Engine engine(makeReferenceBackend());
        const Result<Figure> figure =
            engine.figure(m_window->document()->scene(), m_window->panes()->currentPane()->request());
        QVERIFY(figure.has_value());
        QCOMPARE(m_window->panes()->currentPane()->figure().matrix->values, figure->matrix->values);
        QVERIFY(contentOf(path).contains("500000"));
    }

    void aCopyOfAPreviewIsRefused() {
        QGuiApplication::clipboard()->setText(QStringLiteral("as before"));
        beginLongText();
        QSignalSpy said(m_window->figureOutput(), &FigureOutput::said);
        const QList<const char*> names{"action_copy_values", "action_copy_figure"};
        for (const char* name : names) {
            command(name)->trigger();
            QVERIFY(said.takeFirst()[0].toString().contains(QStringLiteral("preview")));
            QCOMPARE(QGuiApplication::clipboard()->text(), QStringLiteral("as before"));
        }
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        for (const char* name : names) {
            command(name)->trigger();
            QVERIFY(said.takeFirst()[0].toString().startsWith(QStringLiteral("Copied ")));
        }
        QVERIFY(QGuiApplication::clipboard()->mimeData()->hasFormat(QStringLiteral("application/pdf")));
    }

    void aHeldTokenIsNoFigureToExport() {
        Q_EMIT m_window->tokenStrip()->orderPreviewed({1, 0, 2});
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QSignalSpy said(m_window->figureOutput(), &FigureOutput::said);
        for (const char* name : {"action_export", "action_copy_values"}) {
            command(name)->trigger();  // no dialog: this comes back
        }
        QCOMPARE(said.size(), 2);
        QVERIFY(said[0][0].toString().contains(QStringLiteral("token")));
        Q_EMIT m_window->tokenStrip()->orderPreviewed({});
    }

    void aSettingWithoutAFigureLeavesNoOldOneToExport() {
        m_window->setParameter(QStringLiteral("text.length"), 2000000.0);  // above the longest map
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
        QSignalSpy said(m_window->figureOutput(), &FigureOutput::said);
        command("action_export")->trigger();
        QCOMPARE(said.size(), 1);
        QVERIFY2(said[0][0].toString().contains(QStringLiteral("text.length")),
                 qPrintable(said[0][0].toString()));
    }

    void noFileHoldsAPreview() {
        Figure figure = m_window->panes()->currentPane()->figure();
        figure.isPartial = true;
        for (const QString& format : exportFormats()) {
            ExportOptions options;
            options.format = format;
            const Result<QByteArray> bytes = renderFigure(figure, Scene{}, options);
            QVERIFY2(!bytes && bytes.error().message.find("preview") != std::string::npos,
                     qPrintable(format));
        }
    }

private:
    static QPushButton* button(const QDialog& dialog, const char* name) {
        return dialog.findChild<QPushButton*>(QLatin1StringView(name));
    }

    /// A map of 131,072 tokens, of which the preview is shown.
    void beginLongText() {
        m_window->setParameter(QStringLiteral("text.length"), 131072.0);
        QTRY_VERIFY_WITH_TIMEOUT(m_window->panes()->currentPane()->figure().isPartial, patienceMilliseconds);
    }

    /// In the dialog that opens next, which is closed behind it.
    void inDialog(std::function<void(ExportDialog&)> act) {
        QTimer::singleShot(0, this, [act = std::move(act)] {
            auto* dialog = qobject_cast<ExportDialog*>(QApplication::activeModalWidget());
            QVERIFY(dialog != nullptr);
            act(*dialog);
            dialog->reject();
        });
    }

    std::unique_ptr<PaintedBackend::Log> m_log;
    std::atomic<bool> m_isOpen = true;
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::FigureOutputTest)
#include "figure_output_test.moc"
