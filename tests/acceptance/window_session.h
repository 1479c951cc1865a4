#pragma once

#include <QLineEdit>
#include <QTemporaryDir>
#include <QTest>

#include <memory>
#include <utility>
#include <vector>

#include "core/parameter.h"
#include "tests/acceptance/real_input.h"
#include "ui/document.h"
#include "ui/figure/figure_pane.h"
#include "ui/figure/panel_view.h"
#include "ui/main_window.h"

namespace phaseladder::tests {

/// A window of 1440 × 900 for each check, real input into it, and words for what the checks look at.
class WindowSession : public QObject {
    Q_OBJECT

protected:
    [[nodiscard]] ui::SceneDocument& document() { return *m_window->document(); }
    [[nodiscard]] const Scene& scene() { return document().scene(); }

    template <class Widget>
    [[nodiscard]] Widget* find(const QString& name) {
        auto* widget = m_window->findChild<Widget*>(name);
        if (widget == nullptr) {
            qFatal("There is no %s.", qPrintable(name));
        }
        return widget;
    }

    [[nodiscard]] ui::FigurePane* pane(const QString& figureId);
    [[nodiscard]] ui::PanelView* plot(const QString& figureId);
    [[nodiscard]] static QPoint onScreen(const ui::PanelView* view, double x, double y);
    /// Middle of the chip at a position, on the screen.
    [[nodiscard]] QPoint chip(int position);
    void set(const std::vector<std::pair<QString, ParameterValue>>& values);
    /// Puts a text into a field as a person does: click, select all, type, Enter.
    void typeInto(const QString& field, const QString& text);
    /// Presses the keys of a command that asks for a file, and types its path.
    void answerFileDialog(const QString& keys, const QString& path);
    /// A figure's readout; NaN where it is none of numbers.
    [[nodiscard]] double readout(const QString& figureId, const char* id);

    QTemporaryDir m_folder;
    std::unique_ptr<RealInput> m_input;
    std::unique_ptr<ui::MainWindow> m_window;

private Q_SLOTS:
    void initTestCase();
    void init();
    void cleanup();
};

}  // namespace phaseladder::tests
