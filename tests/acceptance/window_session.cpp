#include "tests/acceptance/window_session.h"

#include <cmath>

#include "core/engine.h"
#include "ui/controls/token_strip.h"
#include "ui/pane_grid.h"

namespace phaseladder::tests {

ui::FigurePane* WindowSession::pane(const QString& figureId) {
    for (ui::FigurePane* candidate : m_window->panes()->panes()) {
        if (candidate->figureId() == figureId) {
            return candidate;
        }
    }
    qFatal("No pane shows %s.", qPrintable(figureId));
}

ui::PanelView* WindowSession::plot(const QString& figureId) {
    return pane(figureId)->findChild<ui::PanelView*>(QStringLiteral("plot_0"));
}

QPoint WindowSession::onScreen(const ui::PanelView* view, double x, double y) {
    return view->mapToGlobal(view->dataToWidget(x, y).toPoint());
}

QPoint WindowSession::chip(int position) {
    return m_window->tokenStrip()->mapToGlobal(m_window->tokenStrip()->chipRect(position).center());
}

void WindowSession::set(const std::vector<std::pair<QString, ParameterValue>>& values) {
    const QString refusal = document().setParameters(values);
    QVERIFY2(refusal.isEmpty(), qPrintable(refusal));
    QVERIFY(m_window->waitForPainted(5000));
}

void WindowSession::typeInto(const QString& field, const QString& text) {
    m_input->click(RealInput::centre(find<QLineEdit>(field)));
    m_input->key(QStringLiteral("ctrl+a"));
    m_input->type(text);
    m_input->key(QStringLiteral("Return"));
}

void WindowSession::answerFileDialog(const QString& keys, const QString& path) {
    // A file dialog runs its own event loop, so its keys come from one sequence that does not wait for us.
    m_input->sequence({{QStringLiteral("key"), keys},
                       {QStringLiteral("sleep"), QStringLiteral("1")},
                       {QStringLiteral("key"), QStringLiteral("ctrl+a")},
                       {QStringLiteral("type"), QStringLiteral("--args"), QStringLiteral("1"), path},
                       {QStringLiteral("key"), QStringLiteral("Return")}});
    m_window->activateWindow();  // no window manager gives the focus back
    m_input->click({700, 888});
}

double WindowSession::readout(const QString& figureId, const char* id) {
    for (const Readout& entry : pane(figureId)->figure().readouts) {
        if (entry.id == id) {
            const auto* number = std::get_if<double>(&entry.value);
            return number != nullptr ? *number : std::nan("");
        }
    }
    return std::nan("");
}

void WindowSession::initTestCase() {
    m_input = std::make_unique<RealInput>(
        qEnvironmentVariable("PHASELADDER_SCREENSHOTS", QStringLiteral("screenshots")));
}

void WindowSession::init() {
    m_window = std::make_unique<ui::MainWindow>(std::make_unique<Engine>(), nullptr,
                                                m_folder.filePath(QStringLiteral("settings.ini")));
    m_window->setGeometry(0, 0, 1440, 900);
    m_window->show();
    m_window->activateWindow();
    QVERIFY(QTest::qWaitForWindowExposed(m_window.get()));
    QVERIFY(m_window->waitForPainted(5000));
    m_input->moveTo({1438, 2});
}

void WindowSession::cleanup() {
    document().undoStack()->setClean();
    m_window.reset();
}

}  // namespace phaseladder::tests
