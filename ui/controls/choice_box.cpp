#include "ui/controls/choice_box.h"

#include <QAbstractItemView>
#include <QSignalBlocker>
#include <QWheelEvent>

#include <algorithm>

namespace phaseladder::ui {

namespace {

constexpr int narrowest = 120;
constexpr int listMargins = 24;

}  // namespace

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
    view()->setMinimumWidth(view()->sizeHintForColumn(0) + listMargins);
}

QSize ChoiceBox::minimumSizeHint() const {
    const QSize whole = QComboBox::minimumSizeHint();
    return {std::min(whole.width(), narrowest), whole.height()};
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
