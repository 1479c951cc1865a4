#pragma once

#include <optional>

#include "ui/controls/framed_row.h"

class QToolButton;

namespace phaseladder::ui {

class NumberField;

/// The row of a text: a field over the full width, which a button empties. The path of a file can be browsed
/// for too, or the file dropped on the row. What is wrong with the file stands below in red. Object names:
/// browse_ID, clear_ID.
class TextRow : public FramedRow {
    Q_OBJECT

public:
    TextRow(const Parameter& row, SceneEditor* editor, QWidget* parent);

    void showScene(const Scene& scene, const Scene& preset) override;
    QWidget* fieldOf(const QString& parameterId) const override;

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    [[nodiscard]] bool isFile() const { return row().control == ParameterControl::file; }
    [[nodiscard]] QString droppedPath(const QDropEvent& event) const;
    void browse();
    void setIsTarget(bool isTarget);

    NumberField* m_field;
    QToolButton* m_clear;
    std::optional<std::string> m_shown;
    QString m_problem;
};

}  // namespace phaseladder::ui
