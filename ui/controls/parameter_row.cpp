#include "ui/controls/parameter_row.h"

#include <QLabel>
#include <QVBoxLayout>

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

void setTextIfNew(QLabel* label, const QString& text) {
    if (label->text() != text) {
        label->setText(text);
    }
}

}  // namespace

ParameterRow::ParameterRow(const Parameter& row, SceneEditor* editor, Settings* settings, QWidget* parent)
    : PanelRow(parent), m_row(row), m_id(QString::fromStdString(row.id)), m_editor(editor), m_steps(this) {
    const QString label = QString::fromStdString(row.label);
    const QString explanation = QStringLiteral("%1 %2").arg(
        QString::fromStdString(row.help), tr("Source: %1.").arg(QString::fromStdString(row.source)));
    m_frame = new RowFrame(m_id, {m_id}, label, explanation, editor, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_frame);
    connect(m_frame, &RowFrame::refused, this, &ParameterRow::refused);
    connect(m_frame, &RowFrame::said, this, &ParameterRow::said);
    connect(m_frame, &RowFrame::pasteRequested, this,
            [this](const QString& text) { m_frame->setRefusal(applyText(text)); });

    switch (row.kind) {
        case ParameterKind::toggle:
            m_toggle = new ToggleSwitch(QString(), m_frame);
            m_frame->addRight(m_toggle);
            connect(m_toggle, &ToggleSwitch::clicked, this, [this](bool on) {
                m_frame->setRefusal(m_editor->apply({{m_id, on}}));
            });
            break;
        case ParameterKind::choice:
            m_choice = new ChoiceBox(row.choices, m_frame);
            m_frame->addRight(m_choice);
            connect(m_choice, &ChoiceBox::chosen, this, [this](const QString& id) {
                m_frame->setRefusal(m_editor->apply({{m_id, id.toStdString()}}));
            });
            break;
        default:
            buildNumber(settings);
    }
    QWidget* field = fieldOf(m_id);
    field->setObjectName(QStringLiteral("field_") + m_id);
    field->setAccessibleName(label);
    field->setAccessibleDescription(explanation);
    field->setToolTip(QString::fromStdString(row.help));
    m_frame->setBuddy(field);
}

void ParameterRow::buildNumber(Settings* settings) {
    if (m_row.id == "scaling.factor") {
        buildAlpha();
    }
    if (!m_row.zeroText.empty() && m_row.zeroText.size() <= longestHint) {
        m_hint = mutedLabel(QString::fromStdString(m_row.zeroText), m_frame);
        m_frame->addRight(m_hint);
    }
    m_number = new NumberField(m_frame);
    m_number->setApply([this](const QString& text) { return applyText(text); });
    connect(m_number, &NumberField::refusalChanged, m_frame, &RowFrame::setRefusal);
    m_frame->addRight(m_number);
    if (m_row.kind == ParameterKind::numberList) {
        m_number->setMaxLength(1 << 16);
        return;
    }
    connect(m_number, &NumberField::stepRequested, this, &ParameterRow::step);
    connect(&m_steps, &EditGesture::started, this, &ParameterRow::gestureStarted);
    connect(&m_steps, &EditGesture::ended, this, &ParameterRow::gestureEnded);
    m_editor->follow(this);
    if (!m_row.unit.empty() || m_row.id == "head") {
        m_unit = mutedLabel(QString(), m_frame);
        m_frame->addRight(m_unit);
    }
    if (m_row.scale != SliderScale::none) {
        buildSlider(settings);
    }
    m_readout = mutedLabel(QString(), m_frame);
    m_readout->setObjectName(QStringLiteral("readout_") + m_id);
    m_readout->hide();
    m_frame->addBelow(m_readout);
}

void ParameterRow::buildSlider(Settings* settings) {
    m_slider = new ValueSlider(SliderMapping::of(m_row), m_frame);
    m_slider->setObjectName(QStringLiteral("slider_") + m_id);
    m_slider->setAccessibleName(tr("%1 slider").arg(QString::fromStdString(m_row.label)));
    m_slider->setAccessibleDescription(QString::fromStdString(m_row.help));
    m_slider->setUnit(QString::fromStdString(m_row.unit));
    m_frame->addBelow(m_slider);
    m_editor->follow(m_slider);
    connect(m_slider, &ValueSlider::valueEdited, this, [this](double value) {
        const QString refusal = m_editor->edit({{m_id, value}});
        m_frame->setRefusal(refusal);
        if (!refusal.isEmpty()) {
            m_slider->setValue(std::get<double>(m_row.get(m_editor->document().scene())));
        }
    });
    letSliderChange(m_frame, m_row, QString::fromStdString(m_row.label), settings,
                    [this](const SliderMapping& mapping) { m_slider->setMapping(mapping); });
}

void ParameterRow::buildAlpha() {
    QLabel* name = mutedLabel(QStringLiteral("α"), m_frame);
    m_alpha = new NumberField(m_frame);
    m_alpha->setObjectName(QStringLiteral("alphaField"));
    m_alpha->setProperty("inline", true);
    m_alpha->setAccessibleName(tr("Alpha, 1 over the factor"));
    m_alpha->setToolTip(tr("Trained length over target length, 1 / factor"));
    m_alpha->setApply([this](const QString& text) { return applyAlpha(text); });
    connect(m_alpha, &NumberField::refusalChanged, m_frame, &RowFrame::setRefusal);
    name->setBuddy(m_alpha);
    m_frame->addRight(name);
    m_frame->addRight(m_alpha);
}

void ParameterRow::showNotes(const QStringList& sentences, bool isWarning) {
    m_frame->setNotes(sentences, isWarning);
}

QWidget* ParameterRow::fieldOf(const QString&) const {
    if (m_toggle != nullptr) {
        return m_toggle;
    }
    return m_choice != nullptr ? static_cast<QWidget*>(m_choice) : m_number;
}

void ParameterRow::showScene(const Scene& scene, const Scene& preset) {
    ParameterValue value = m_row.get(scene);
    m_frame->setChanged(value != m_row.get(preset));
    if (const double* number = std::get_if<double>(&value)) {
        showNumber(scene, *number);
    }
    if (m_shown == value) {
        return;
    }
    if (m_shown && m_number == nullptr) {
        m_frame->setRefusal(QString());
    }
    if (const bool* on = std::get_if<bool>(&value)) {
        m_toggle->setChecked(*on);
    } else if (const std::string* choice = std::get_if<std::string>(&value)) {
        m_choice->setCurrent(QString::fromStdString(*choice));
    } else if (const auto* list = std::get_if<std::vector<double>>(&value)) {
        m_number->setTexts(numberCountText(list->size()), QString::fromStdString(formatValue(m_row, value)));
    }
    m_shown = std::move(value);
}

void ParameterRow::showNumber(const Scene& scene, double value) {
    const bool standsForOther = value == 0.0 && !m_row.zeroText.empty();
    const std::optional<double> behind = standsForOther ? valueBehindZero(m_row.id, scene) : std::nullopt;
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
        setTextIfNew(m_unit, unitText(m_row.id, m_row.unit, scene));
    }
    const bool saysZeroBelow = standsForOther && m_hint == nullptr;
    const QString consequence =
        saysZeroBelow ? QString::fromStdString(m_row.zeroText) : consequenceOf(m_row.id, scene);
    setTextIfNew(m_readout, consequence);
    if (m_readout->isHidden() != consequence.isEmpty()) {
        m_readout->setVisible(!consequence.isEmpty());
    }
}

QString ParameterRow::applyText(const QString& text) {
    const Result<ParameterValue> value = parseValue(m_row, text.toStdString());
    return value ? m_editor->apply({{m_id, *value}}) : QString::fromStdString(value.error().message);
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
    return m_editor->apply({{m_id, tidy}});
}

void ParameterRow::step(int steps) {
    double target = m_effective;
    if (m_slider != nullptr) {
        target = m_slider->mapping().stepped(m_effective, m_slider->mapping().notchShare() * steps);
    } else if (m_row.kind == ParameterKind::integer) {
        target = m_effective + steps * (m_row.evenOnly ? 2 : 1);
    } else {
        const double size = fieldStep(m_effective);
        target = QString::number(std::round(m_effective / size + steps) * size, 'g', 12).toDouble();
    }
    m_steps.touch();
    m_frame->setRefusal(m_editor->edit({{m_id, target}}));
}

}  // namespace phaseladder::ui
