#include "ui/controls/choice_box.h"

#include <QSignalBlocker>
#include <QWheelEvent>

namespace phaseladder::ui {

ChoiceBox::ChoiceBox(const std::vector<Choice>& choices, QWidget* parent) : QComboBox(parent) {
    setChoices(choices);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setSizeAdjustPolicy(QComboBox::AdjustToContents);
    connect(this, &QComboBox::activated, this, [this] { Q_EMIT chosen(current()); });
}

void ChoiceBox::setChoices(const std::vector<Choice>& choices) {
    const QSignalBlocker blocker(this);
    clear();
    for (const Choice& choice : choices) {
        addItem(QString::fromStdString(choice.label), QString::fromStdString(choice.id));
    }
}

void ChoiceBox::setCurrent(const QString& id) {
    const QSignalBlocker blocker(this);
    setCurrentIndex(findData(id));
}

void ChoiceBox::wheelEvent(QWheelEvent* event) {
    if (hasFocus()) {
        QComboBox::wheelEvent(event);
    } else {
        event->ignore();
    }
}

}  // namespace phaseladder::ui
