#include "ui/controls/pair_row.h"

#include <QLabel>
#include <QVBoxLayout>

#include "core/number_text.h"
#include "ui/controls/accessible_slider.h"
#include "ui/controls/number_field.h"
#include "ui/controls/parameter_readout.h"
#include "ui/controls/range_slider.h"
#include "ui/controls/row_frame.h"
#include "ui/controls/scene_editor.h"
#include "ui/controls/slider_form.h"
#include "ui/document.h"

namespace phaseladder::ui {

namespace {

/// "beta_fast" of "scaling.beta_fast": the name in config files.
QString shortName(const Parameter& row) {
    return QString::fromStdString(row.id).section(QLatin1Char('.'), -1);
}

QString text(double value) {
    return QString::fromStdString(formatNumber(value));
}

}  // namespace

PairRow::PairRow(const Parameter& low, const Parameter& high, const QString& name, const QString& label,
                 SceneEditor* editor, Settings* settings, QWidget* parent)
    : PanelRow(parent),
      m_rows{&low, &high},
      m_ids{QString::fromStdString(low.id), QString::fromStdString(high.id)},
      m_editor(editor) {
    const QString explanation = QStringLiteral("%1: %2\n%3: %4\n%5")
                                    .arg(shortName(low), QString::fromStdString(low.help), shortName(high),
                                         QString::fromStdString(high.help),
                                         tr("Source: %1.").arg(QString::fromStdString(low.source)));
    m_frame = new RowFrame(name, m_ids, label, explanation, editor, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_frame);
    connect(m_frame, &RowFrame::refused, this, &PairRow::refused);
    connect(m_frame, &RowFrame::said, this, &PairRow::said);
    connect(m_frame, &RowFrame::pasteRequested, this, [this](const QString& pasted) {
        const QStringList parts = pasted.split(QLatin1Char(' '), Qt::SkipEmptyParts);
        const std::optional<QString> second = parts.size() > 1 ? std::optional(parts[1]) : std::nullopt;
        m_frame->setRefusal(applyTexts(parts.value(0), second));
    });

    m_slider = new RangeSlider(SliderMapping::of(low), m_frame);
    m_slider->setObjectName(name + QStringLiteral("_slider"));
    m_slider->setAccessibleName(label);
    m_slider->setUnit(QString::fromStdString(low.unit));
    m_slider->setThumbNames(QString::fromStdString(low.label), QString::fromStdString(high.label));
    for (std::size_t index : {std::size_t{0}, std::size_t{1}}) {
        const Parameter& row = *m_rows[index];
        auto* field = new NumberField(m_frame);
        field->setObjectName(QStringLiteral("field_") + m_ids[static_cast<qsizetype>(index)]);
        field->setAccessibleName(QString::fromStdString(row.label));
        field->setAccessibleDescription(QString::fromStdString(row.help));
        field->setToolTip(QStringLiteral("%1. %2").arg(QString::fromStdString(row.label),
                                                       QString::fromStdString(row.help)));
        field->setApply([this, index](const QString& typed) {
            return index == 0 ? applyTexts(typed, std::nullopt) : applyTexts(std::nullopt, typed);
        });
        connect(field, &NumberField::refusalChanged, m_frame, &RowFrame::setRefusal);
        connect(field, &NumberField::stepRequested, this, [this, index](int steps) { step(index, steps); });
        m_frame->addRight(field);
        m_fields[index] = field;
    }
    m_frame->setBuddy(m_fields[0]);
    m_frame->addRight(mutedLabel(QString::fromStdString(low.unit), m_frame));
    m_frame->addBelow(m_slider);
    m_readout = mutedLabel(QString(), m_frame);
    m_readout->setObjectName(QStringLiteral("readout_") + name);
    m_frame->addBelow(m_readout);
    letSliderChange(m_frame, low, label, settings,
                    [this](const SliderMapping& mapping) { m_slider->setMapping(mapping); });
    m_editor->follow(m_slider);
    connect(m_slider, &RangeSlider::valuesEdited, this, [this](double lowValue, double highValue) {
        const QString refusal = m_editor->edit({{m_ids[0], lowValue}, {m_ids[1], highValue}});
        m_frame->setRefusal(refusal);
        if (!refusal.isEmpty()) {
            m_slider->setValues(value(0), value(1));
        }
    });
}

double PairRow::value(std::size_t index) const {
    return std::get<double>(m_rows[index]->get(m_editor->document().scene()));
}

QWidget* PairRow::fieldOf(const QString& parameterId) const {
    return m_fields[parameterId == m_ids[1] ? 1 : 0];
}

void PairRow::showScene(const Scene& scene, const Scene& preset) {
    std::array<double, 2> values{};
    bool isChanged = false;
    for (std::size_t index : {std::size_t{0}, std::size_t{1}}) {
        const ParameterValue held = m_rows[index]->get(scene);
        isChanged = isChanged || held != m_rows[index]->get(preset);
        values[index] = std::get<double>(held);
        m_fields[index]->setTexts(QString::fromStdString(formatForPeople(values[index], 5)),
                                  text(values[index]));
    }
    m_frame->setChanged(isChanged);
    m_slider->setValues(values[0], values[1]);
    const QString consequence = consequenceOf(m_rows[0]->id, scene);
    if (m_readout->text() != consequence) {
        m_readout->setText(consequence);
    }
    m_readout->setVisible(!consequence.isEmpty());
}

void PairRow::showNotes(const QStringList& sentences, bool isWarning) {
    m_frame->setNotes(sentences, isWarning);
}

QString PairRow::applyTexts(const std::optional<QString>& low, const std::optional<QString>& high) {
    const std::array<std::optional<QString>, 2> typed{low, high};
    std::array<double, 2> values{value(0), value(1)};
    SceneEditor::Values changes;
    for (std::size_t index : {std::size_t{0}, std::size_t{1}}) {
        if (!typed[index]) {
            continue;
        }
        const Result<ParameterValue> parsed = parseValue(*m_rows[index], typed[index]->toStdString());
        if (!parsed) {
            return QString::fromStdString(parsed.error().message);
        }
        values[index] = std::get<double>(*parsed);
        changes.emplace_back(m_ids[static_cast<qsizetype>(index)], *parsed);
    }
    if (values[1] < values[0]) {
        return tr("%1 must be larger than %2 (%3 < %4).")
            .arg(shortName(*m_rows[1]), shortName(*m_rows[0]), text(values[1]), text(values[0]));
    }
    return m_editor->apply(changes);
}

void PairRow::step(std::size_t index, int steps) {
    auto* thumb = dynamic_cast<AdjustableValue*>(index == 0 ? m_slider->lowThumb() : m_slider->highThumb());
    const SliderMapping& mapping = m_slider->mapping();
    thumb->adjustTo(mapping.stepped(thumb->adjustableValue(), mapping.notchShare() * steps));
}

}  // namespace phaseladder::ui
