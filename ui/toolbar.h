#pragma once

class QToolBar;

namespace phaseladder::ui {

class MainWindow;

/// The bar under the menus: model, open, undo, redo; at the right the layout, the theme, the command palette
/// and the export. Every button runs one of the window's commands.
[[nodiscard]] QToolBar* makeToolbar(MainWindow& window);

}  // namespace phaseladder::ui
