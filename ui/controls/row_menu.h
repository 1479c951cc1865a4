#pragma once

#include <QPoint>
#include <QString>
#include <QStringList>

#include <functional>

class QWidget;

namespace phaseladder::ui {

class SceneEditor;

/// What the context menu of a row acts on: one parameter, or the two that share a row.
struct RowMenu {
    SceneEditor* editor = nullptr;
    QStringList ids{};
    QString explanation{};
    std::function<void(const QString& sentence)> refuse{};  ///< empty: the matter is settled
    std::function<void(const QString& sentence)> say{};
    std::function<void(const QString& text)> paste{};  ///< null: nothing can be pasted
    std::function<void()> openSliderForm{};            ///< null: the row has no slider
};

/// "10 000", "1 and 32": what reset goes back to.
[[nodiscard]] QString resetText(const RowMenu& row);

/// Opens the menu: copy, paste, reset, the default, the slider, help. Actions' object names: row_copy,
/// row_paste, row_reset, row_set_default, row_built_in_default, row_slider, row_help.
void openRowMenu(const RowMenu& row, QWidget* owner, const QPoint& position);

}  // namespace phaseladder::ui
