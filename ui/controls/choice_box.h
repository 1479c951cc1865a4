#pragma once

#include <QComboBox>

#include <vector>

#include "core/parameter.h"

namespace phaseladder::ui {

/// A drop-down of choices by id. The wheel scrolls the page unless the box has focus.
class ChoiceBox : public QComboBox {
    Q_OBJECT

public:
    explicit ChoiceBox(const std::vector<Choice>& choices, QWidget* parent = nullptr);

    /// Replaces the choices; emits nothing.
    void setChoices(const std::vector<Choice>& choices);
    [[nodiscard]] QString current() const { return currentData().toString(); }
    /// Shows a choice; emits nothing.
    void setCurrent(const QString& id);

    /// Long choices are elided in the box where there is no room, not in the list.
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void chosen(const QString& id);  ///< by the person

protected:
    void wheelEvent(QWheelEvent* event) override;
};

}  // namespace phaseladder::ui
