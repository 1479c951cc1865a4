#pragma once

#include <QLabel>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <memory>
#include <utility>

#include "ui/actions.h"
#include "ui/figure/figure_pane.h"
#include "ui/main_window.h"
#include "ui/pane_grid.h"

namespace phaseladder::ui::test {

constexpr int patienceMilliseconds = 20000;

/// A window with settings and unsaved work in a folder of its own.
struct MainWindowFixture {
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_window;

    void startProgram(std::unique_ptr<Engine> engine = std::make_unique<Engine>()) {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_STATE_HOME", m_folder->filePath(QStringLiteral("state")).toLocal8Bit());
        qputenv("PHASELADDER_NO_PROMPT", "1");
        openWindow(std::move(engine));
    }

    /// With the settings of the last window of this test.
    void openWindow(std::unique_ptr<Engine> engine = std::make_unique<Engine>()) {
        const QString settings = m_folder->filePath(QStringLiteral("config/phaseladder.ini"));
        m_window = std::make_unique<MainWindow>(std::move(engine), nullptr, settings);
        m_window->resize(1440, 900);
        m_window->show();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QVERIFY(m_window->waitForPainted(patienceMilliseconds));
    }

    QAction* command(const char* id) const {
        QAction* action = m_window->commands()->find(QLatin1StringView(id));
        if (action == nullptr) {
            qFatal("no command %s", id);
        }
        return action;
    }

    QString shownText(const char* name) const {
        return m_window->findChild<QLabel*>(QLatin1StringView(name))->text();
    }

    int shownPanes() const {
        const QList<FigurePane*>& panes = m_window->panes()->panes();
        return int(std::count_if(panes.begin(), panes.end(), [](auto* pane) { return pane->isVisible(); }));
    }
};

}  // namespace phaseladder::ui::test
