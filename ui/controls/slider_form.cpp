#include "ui/controls/slider_form.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QScreen>
#include <QToolButton>

#include <algorithm>
#include <memory>
#include <utility>

#include "core/number_text.h"
#include "ui/controls/number_field.h"
#include "ui/controls/row_frame.h"
#include "ui/controls/segmented_control.h"
#include "ui/settings.h"

namespace phaseladder::ui {

namespace {

constexpr int formWidth = 296;
constexpr int fieldWidth = 136;

QString forPeople(double value) {
    return QString::fromStdString(formatForPeople(value, 12));
}

}  // namespace

SliderForm::SliderForm(const Parameter& row, const QString& label, const SliderChange& change,
                       QWidget* parent)
    : QFrame(parent, Qt::Popup), m_row(row), m_change(change), m_grid(new QGridLayout(this)) {
    setObjectName(QStringLiteral("slider_form"));
    setAccessibleName(tr("Slider of %1").arg(label));
    setProperty("card", true);
    setAttribute(Qt::WA_DeleteOnClose);
    setFixedWidth(formWidth);
    m_grid->setContentsMargins(14, 12, 14, 12);
    m_grid->setHorizontalSpacing(8);
    m_grid->setVerticalSpacing(8);
    m_grid->setColumnStretch(0, 1);
    auto* title = new QLabel(tr("Slider of %1").arg(label), this);
    title->setProperty("figureTitle", true);
    m_grid->addWidget(title, 0, 0, 1, 2);
    m_minimum = addField(QStringLiteral("minimum"), tr("Minimum"), &SliderChange::minimum);
    m_maximum = addField(QStringLiteral("maximum"), tr("Maximum"), &SliderChange::maximum);
    m_step = addField(QStringLiteral("step"), tr("Step of an arrow key"), &SliderChange::step);
    m_step->setPlaceholderText(tr("1/20 of the way"));
    const std::vector<Choice> scales{{"linear", tr("Linear").toStdString()},
                                     {"log10", tr("Logarithmic").toStdString()},
                                     {"log2", tr("Log 2").toStdString()}};
    m_scale = new SegmentedControl(QStringLiteral("scale"), scales, scales, this);
    m_scale->setObjectName(QStringLiteral("slider_form_scale"));
    m_scale->setAccessibleName(tr("Scale"));
    m_scale->setHelp(QStringLiteral("linear"), tr("Equal ways add equal amounts."));
    m_scale->setHelp(QStringLiteral("log10"), tr("Equal ways multiply; ticks at powers of ten."));
    m_scale->setHelp(QStringLiteral("log2"), tr("Equal ways multiply; ticks at powers of two."));
    m_grid->addWidget(m_scale, 4, 0, 1, 2);
    m_refusal = new QLabel(this);
    m_refusal->setObjectName(QStringLiteral("slider_form_refusal"));
    m_refusal->setProperty("failure", true);
    m_refusal->setTextFormat(Qt::PlainText);
    m_refusal->setWordWrap(true);
    m_refusal->hide();
    m_grid->addWidget(m_refusal, 5, 0, 1, 2);
    m_back = new QToolButton(this);
    m_back->setObjectName(QStringLiteral("slider_form_back"));
    m_back->setProperty("link", true);
    m_back->setText(tr("Back to the built-in slider"));
    m_back->setAccessibleName(tr("Back to the built-in range, step and scale"));
    m_back->setCursor(Qt::PointingHandCursor);
    m_grid->addWidget(m_back, 6, 0, 1, 2, Qt::AlignRight);
    connect(m_scale, &SegmentedControl::chosen, this, [this](const QString& id) {
        SliderChange next = m_change;
        next.scale = scaleOf(id);
        showRefusal(applyChange(next));
        showChange();
    });
    connect(m_back, &QToolButton::clicked, this, [this] { showRefusal(applyChange({})); });
    showChange();
}

SliderForm::~SliderForm() {
    hide();
}

NumberField* SliderForm::addField(const QString& name, const QString& text,
                                  std::optional<double> SliderChange::*part) {
    auto* label = new QLabel(text, this);
    auto* field = new NumberField(this);
    field->setObjectName(QStringLiteral("slider_form_") + name);
    field->setAccessibleName(text);
    field->setFixedWidth(fieldWidth);
    field->installEventFilter(this);
    field->setApply([this, part](const QString& typed) -> QString {
        SliderChange next = m_change;
        next.*part = std::nullopt;
        if (!typed.isEmpty()) {
            const Result<double> number = parseNumber(typed.toStdString());
            if (!number) {
                return QString::fromStdString(number.error().message) + QLatin1Char('.');
            }
            next.*part = *number;
        }
        return applyChange(next);
    });
    connect(field, &NumberField::refusalChanged, this, &SliderForm::showRefusal);
    label->setBuddy(field);
    const int line = m_grid->rowCount();
    m_grid->addWidget(label, line, 0);
    m_grid->addWidget(field, line, 1);
    return field;
}

QString SliderForm::applyChange(const SliderChange& change) {
    const SliderChange next = withoutOwn(m_row, change);
    QString refusal = refusalOf(m_row, next);
    if (refusal.isEmpty()) {
        m_change = next;
        showChange();
        Q_EMIT changed(next);
    }
    return refusal;
}

void SliderForm::showChange() {
    const SliderMapping mapping = mappingOf(m_row, m_change);
    const auto show = [](NumberField* field, double value) {
        field->setTexts(forPeople(value), QString::fromStdString(formatNumber(value)));
    };
    show(m_minimum, mapping.minimum);
    show(m_maximum, mapping.maximum);
    if (m_change.step) {
        show(m_step, *m_change.step);
    } else {
        m_step->setTexts(QString(), QString());
    }
    m_scale->setCurrent(scaleId(mapping.scale));
    m_back->setEnabled(m_change != SliderChange());
}

void SliderForm::showRefusal(const QString& sentence) {
    m_refusal->setText(sentence);
    m_refusal->setVisible(!sentence.isEmpty());
    adjustSize();
}

void SliderForm::open(const QPoint& corner) {
    adjustSize();
    const QRect room = parentWidget()->screen()->availableGeometry();
    move(std::clamp(corner.x(), room.left(), std::max(room.left(), room.right() - width())),
         std::clamp(corner.y(), room.top(), std::max(room.top(), room.bottom() - height())));
    show();
    m_minimum->setFocus(Qt::PopupFocusReason);
}

bool SliderForm::eventFilter(QObject* watched, QEvent* event) {
    const auto* field = qobject_cast<const NumberField*>(watched);
    if (event->type() == QEvent::KeyPress && field != nullptr && !field->isModified() && !field->isWrong() &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        close();
        return true;
    }
    return QFrame::eventFilter(watched, event);
}

void SliderForm::hideEvent(QHideEvent* event) {
    // What is typed holds when the form is left, as in every field.
    for (NumberField* field : {m_minimum, m_maximum, m_step}) {
        field->finishEditing();
    }
    QFrame::hideEvent(event);
}

void letSliderChange(RowFrame* frame, const Parameter& row, const QString& label, Settings* settings,
                     std::function<void(const SliderMapping&)> show) {
    const auto change = std::make_shared<SliderChange>(settings->slider(row));
    show(mappingOf(row, *change));
    frame->offerSliderForm();
    QObject::connect(frame, &RowFrame::sliderFormRequested, frame, [=, &row](const QPoint& corner) {
        auto* form = new SliderForm(row, label, *change, frame);
        QObject::connect(form, &SliderForm::changed, frame, [=, &row](const SliderChange& next) {
            *change = next;
            settings->setSlider(row, next);
            show(mappingOf(row, next));
        });
        form->open(corner);
    });
}

}  // namespace phaseladder::ui
