// The acceptance checks of scene files, themes and sizes with real mouse and keys, one slot a check; run by
// tests/acceptance.sh under Xvfb.

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QTest>

#include "tests/acceptance/window_session.h"

using phaseladder::Scene;
using phaseladder::tests::RealInput;
using phaseladder::tests::WindowSession;

class FilesAcceptanceTest : public WindowSession {
    Q_OBJECT

private Q_SLOTS:
    void check15SavedScenesComeBackByteForByte() {
        const QString first = m_folder.filePath(QStringLiteral("first.pldr"));
        const QString second = m_folder.filePath(QStringLiteral("second.pldr"));
        typeInto(QStringLiteral("field_rope.theta"), QStringLiteral("123456.5"));
        m_input->drag(chip(0), chip(2) + QPoint(20, 0));
        const auto saveAs = [&](const QString& path) {
            answerFileDialog(QStringLiteral("ctrl+shift+s"), path);
        };
        saveAs(first);
        QVERIFY(QFile::exists(first));
        const Scene saved = scene();
        m_input->key(QStringLiteral("alt+r"));
        document().undoStack()->setClean();
        answerFileDialog(QStringLiteral("ctrl+o"), first);
        QCOMPARE(scene() == saved, true);
        saveAs(second);
        QFile one(first), two(second);
        QVERIFY(one.open(QIODevice::ReadOnly) && two.open(QIODevice::ReadOnly));
        QCOMPARE(one.readAll(), two.readAll());
        QVERIFY(m_window->recentFiles().contains(first));
        m_input->screenshot(QStringLiteral("check15_saved"));

        m_input->key(QStringLiteral("alt+r"));
        document().undoStack()->setClean();
        document().startNew();
        QProcess source;
        source.start(QCoreApplication::applicationDirPath() + QStringLiteral("/drag_source"), {first});
        QVERIFY(source.waitForStarted());
        RealInput::settle(1000);
        m_input->moveTo({1360, 850});
        m_input->press();
        for (int step = 1; step <= 20; ++step) {
            m_input->moveTo(QPoint(1360, 850) + QPoint(-30, -20) * step);
            RealInput::settle(30);
        }
        m_input->screenshot(QStringLiteral("check15_drop"));
        m_input->release();
        RealInput::settle(600);
        source.kill();
        source.waitForFinished();
        QCOMPARE(scene() == saved, true);
    }

    void themesAndSizesForTheEye() {
        m_window->openFile(QStringLiteral(PHASELADDER_SOURCE_DIR "/resources/scenes/llama-3.1-8b-yarn.pldr"));
        QVERIFY(m_window->waitForPainted(5000));
        m_input->screenshot(QStringLiteral("window_light_1440"));
        m_window->setTheme(phaseladder::ui::ThemeChoice::dark);
        m_input->screenshot(QStringLiteral("window_dark_1440"));
        m_window->setGeometry(0, 0, 1024, 700);
        QVERIFY(m_window->waitForPainted(5000));
        m_input->screenshot(QStringLiteral("window_dark_1024"));
        m_window->setTheme(phaseladder::ui::ThemeChoice::light);
        m_input->screenshot(QStringLiteral("window_light_1024"));
    }
};

QTEST_MAIN(FilesAcceptanceTest)
#include "files_acceptance_test.moc"
