#include "ui/controls/parameter_row.h"

#include <QLabel>

#include <cmath>

#include "core/number_text.h"
#include "ui/controls/choice_box.h"
#include "ui/controls/number_field.h"
#include "ui/controls/parameter_readout.h"
#include "ui/controls/row_frame.h"
#include "ui/controls/scene_editor.h"
#include "ui/controls/slider_form.h"
#include "ui/controls/toggle_switch.h"
#include "ui/controls/value_slider.h"
#include "ui/document.h"

namespace phaseladder::ui {

namespace {

/// What a 0 stands for is written beside the field up to this many bytes, else below it.
constexpr std::size_t longestHint = 12;

/// A step of the arrow keys in a field without a slider: the second significant digit.
double fieldStep(double value) {
    const double size = std::max(std::abs(value), 0.01);
    return std::pow(10.0, std::floor(std::log10(size)) - 1.0);
}

QString forPeople(double value) {
    const bool isWhole = value == std::floor(value);
    return QString::fromStdString(formatForPeople(value, isWhole ? 15 : 7));
}

}  // namespace

ParameterRow::ParameterRow(const Parameter& row, SceneEditor* editor, Settings* settings, QWidget* parent)
    : FramedRow(row, editor, parent), m_steps(this) {
    switch (row.kind) {
        case ParameterKind::toggle:
            m_toggle = new ToggleSwitch(QString(), frame());
            frame()->addRight(m_toggle);
            connect(m_toggle, &ToggleSwitch::clicked, this, [this](bool on) { apply(on); });
            break;
        case ParameterKind::choice:
            m_choice = new ChoiceBox(row.choices, frame());
            frame()->addRight(m_choice);
            connect(m_choice, &ChoiceBox::chosen, this,
                    [this](const QString& id) { apply(id.toStdString()); });
            break;
        default:
            buildNumber(settings);
    }
    setField(fieldOf(id()));
}

void ParameterRow::buildNumber(Settings* settings) {
    if (row().id == "scaling.factor") {
        buildAlpha();
    }
    const bool isList = row().kind == ParameterKind::numberList;  // which says it in the field
    if (!isList && !row().zeroText.empty() && row().zeroText.size() <= longestHint) {
        m_hint = mutedLabel(QString::fromStdString(row().zeroText), frame());
        frame()->addRight(m_hint);
    }
    m_number = new NumberField(frame());
    m_number->setApply([this](const QString& text) { return applyText(text); });
    connect(m_number, &NumberField::refusalChanged, frame(), &RowFrame::setRefusal);
    frame()->addRight(m_number);
    if (isList) {
        m_number->setMaxLength(1 << 16);
        return;
    }
    connect(m_number, &NumberField::stepRequested, this, &ParameterRow::step);
    connect(&m_steps, &EditGesture::started, this, &ParameterRow::gestureStarted);
    connect(&m_steps, &EditGesture::ended, this, &ParameterRow::gestureEnded);
    editor()->follow(this);
    if (!row().unit.empty() || row().id == "head") {
        m_unit = mutedLabel(QString(), frame());
        frame()->addRight(m_unit);
    }
    if (row().scale != SliderScale::none) {
        buildSlider(settings);
    }
    m_readout = mutedLabel(QString(), frame());
    m_readout->setObjectName(QStringLiteral("readout_") + id());
    m_readout->hide();
    frame()->addBelow(m_readout);
}

void ParameterRow::buildSlider(Settings* settings) {
    m_slider = new ValueSlider(SliderMapping::of(row()), frame());
    m_slider->setObjectName(QStringLiteral("slider_") + id());
    m_slider->setAccessibleName(tr("%1 slider").arg(QString::fromStdString(row().label)));
    m_slider->setAccessibleDescription(QString::fromStdString(row().help));
    m_slider->setUnit(QString::fromStdString(row().unit));
    frame()->addBelow(m_slider);
    editor()->follow(m_slider);
    connect(m_slider, &ValueSlider::valueEdited, this, [this](double value) {
        const QString refusal = editor()->edit({{id(), value}});
        frame()->setRefusal(refusal);
        if (!refusal.isEmpty()) {
            m_slider->setValue(std::get<double>(row().get(editor()->document().scene())));
        }
    });
    letSliderChange(frame(), row(), QString::fromStdString(row().label), settings,
                    [this](const SliderMapping& mapping) { m_slider->setMapping(mapping); });
}

void ParameterRow::buildAlpha() {
    QLabel* name = mutedLabel(QStringLiteral("α"), frame());
    m_alpha = new NumberField(frame());
    m_alpha->setObjectName(QStringLiteral("alphaField"));
    m_alpha->setProperty("inline", true);
    m_alpha->setAccessibleName(tr("Alpha, 1 over the factor"));
    m_alpha->setToolTip(tr("Trained length over target length, 1 / factor"));
    m_alpha->setApply([this](const QString& text) { return applyAlpha(text); });
    connect(m_alpha, &NumberField::refusalChanged, frame(), &RowFrame::setRefusal);
    name->setBuddy(m_alpha);
    frame()->addRight(name);
    frame()->addRight(m_alpha);
}

QWidget* ParameterRow::fieldOf(const QString&) const {
    if (m_toggle != nullptr) {
        return m_toggle;
    }
    return m_choice != nullptr ? static_cast<QWidget*>(m_choice) : m_number;
}

void ParameterRow::showScene(const Scene& scene, const Scene& preset) {
    ParameterValue value = row().get(scene);
    frame()->setChanged(value != row().get(preset));
    if (const double* number = std::get_if<double>(&value)) {
        showNumber(scene, *number);
    }
    if (m_shown == value) {
        return;
    }
    if (m_shown && m_number == nullptr) {
        frame()->setRefusal(QString());
    }
    if (const bool* on = std::get_if<bool>(&value)) {
        m_toggle->setChecked(*on);
    } else if (const std::string* choice = std::get_if<std::string>(&value)) {
        m_choice->setCurrent(QString::fromStdString(*choice));
    } else if (const auto* list = std::get_if<std::vector<double>>(&value)) {
        m_number->setTexts(listText(row(), *list), QString::fromStdString(formatValue(row(), value)));
    }
    m_shown = std::move(value);
}

void ParameterRow::showNumber(const Scene& scene, double value) {
    const bool standsForOther = value == 0.0 && !row().zeroText.empty();
    const std::optional<double> behind = standsForOther ? valueBehindZero(row().id, scene) : std::nullopt;
    m_effective = behind.value_or(value);
    const bool isFormula = behind && m_effective != std::floor(m_effective);
    const QString shown =
        isFormula ? QString::fromStdString(formatForPeople(m_effective, 5)) : forPeople(m_effective);
    m_number->setTexts(shown, QString::fromStdString(formatNumber(value)));
    if (m_hint != nullptr && m_hint->isHidden() == standsForOther) {
        m_hint->setVisible(standsForOther);
    }
    if (m_alpha != nullptr) {
        const QString alpha = alphaText(value);
        m_alpha->setTexts(alpha, alpha);
    }
    if (m_slider != nullptr) {
        m_slider->setValue(value);
    }
    if (m_unit != nullptr) {
        setTextIfNew(m_unit, unitText(row().id, row().unit, scene));
    }
    const bool saysZeroBelow = standsForOther && m_hint == nullptr;
    const QString consequence =
        saysZeroBelow ? QString::fromStdString(row().zeroText) : consequenceOf(row().id, scene);
    setTextIfNew(m_readout, consequence);
    if (m_readout->isHidden() != consequence.isEmpty()) {
        m_readout->setVisible(!consequence.isEmpty());
    }
}

QString ParameterRow::applyAlpha(const QString& text) {
    const Result<double> alpha = parseNumber(text.toStdString());
    if (!alpha) {
        return QString::fromStdString(alpha.error().message);
    }
    if (!(*alpha > 0.0 && *alpha <= 1.0)) {
        const QString seen = QString::fromStdString(formatNumber(*alpha));
        const QString hint = *alpha > 1.0 ? tr(" For %1x extension enter 1/%1.").arg(seen) : QString();
        return tr("alpha must be above 0 and at most 1 (got %1).").arg(seen) + hint;
    }
    const double factor = 1.0 / *alpha;
    const double whole = std::round(factor);
    const double tidy = std::abs(factor - whole) < 1e-12 * factor ? whole : factor;
    return editor()->apply({{id(), tidy}});
}

void ParameterRow::step(int steps) {
    double target = m_effective;
    if (m_slider != nullptr) {
        target = m_slider->mapping().stepped(m_effective, m_slider->mapping().notchShare() * steps);
    } else if (row().kind == ParameterKind::integer) {
        target = m_effective + steps * (row().evenOnly ? 2 : 1);
    } else {
        const double size = fieldStep(m_effective);
        target = QString::number(std::round(m_effective / size + steps) * size, 'g', 12).toDouble();
    }
    m_steps.touch();
    frame()->setRefusal(editor()->edit({{id(), target}}));
}

}  // namespace phaseladder::ui
