#include "app/benchmark/shown_window.h"

#include <stdexcept>

#include "core/engine.h"

namespace phaseladder::app {

ShownWindow::ShownWindow(const std::vector<std::pair<QString, ParameterValue>>& parameters, Painted wanted)
    : m_window(std::make_unique<Engine>(), nullptr, QString()) {
    m_window.resize(1440, 900);
    m_window.show();
    if (const QString refusal = m_window.document()->setParameters(parameters); !refusal.isEmpty()) {
        throw std::runtime_error(refusal.toStdString());
    }
    waitForPainted(wanted);
    m_window.document()->beginGesture();
}

ShownWindow::~ShownWindow() {
    m_window.document()->endGesture();
}

void ShownWindow::set(const QString& parameter, const ParameterValue& value, Painted wanted) {
    if (const QString refusal = m_window.document()->setParameter(parameter, value); !refusal.isEmpty()) {
        throw std::runtime_error(refusal.toStdString());
    }
    waitForPainted(wanted);
}

void ShownWindow::waitForPainted(Painted wanted) {
    constexpr int longestWaitMs = 60000;
    if (!m_window.waitForPainted(longestWaitMs, wanted)) {
        throw std::runtime_error("The window was not painted within a minute.");
    }
}

}  // namespace phaseladder::app
