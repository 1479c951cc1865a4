#pragma once

#include <QString>

#include <memory>
#include <utility>
#include <vector>

#include "core/parameter.h"
#include "ui/document.h"
#include "ui/main_window.h"

namespace phaseladder::app {

/// The program's window with its start-up figures, 1440 x 900, which keeps no settings.
class ShownWindow {
public:
    using Painted = ui::MainWindow::Painted;

    /// Painted with these parameters. Throws where they are refused, or where painting takes over a minute.
    explicit ShownWindow(const std::vector<std::pair<QString, ParameterValue>>& parameters,
                         Painted wanted = Painted::whole);
    ~ShownWindow();

    ShownWindow(const ShownWindow&) = delete;
    ShownWindow& operator=(const ShownWindow&) = delete;

    /// A tick of a slider or a drop of a token: until its picture is in all panes.
    void set(const QString& parameter, const ParameterValue& value, Painted wanted = Painted::whole);

    [[nodiscard]] const Scene& scene() const { return m_window.document()->scene(); }

private:
    void waitForPainted(Painted wanted);

    ui::MainWindow m_window;
};

}  // namespace phaseladder::app
