#include "ui/controls/parts_row.h"

#include <QHBoxLayout>
#include <QLabel>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/number_text.h"
#include "ui/controls/number_field.h"
#include "ui/controls/parameter_readout.h"
#include "ui/controls/row_frame.h"
#include "ui/controls/scene_editor.h"
#include "ui/document.h"

namespace phaseladder::ui {

namespace {

constexpr int partWidth = 46;  // of a field: three stand side by side in the narrowest panel

}  // namespace

std::vector<double> sharedOut(std::vector<double> numbers, std::size_t index, double value) {
    const double sum = std::accumulate(numbers.begin(), numbers.end(), 0.0);
    double rest = sum - value;
    if (index != 0) {
        // The first makes up for it; what it lacks is taken from the others.
        const double others = sum - numbers[0] - numbers[index];
        numbers[index] = value;
        numbers[0] = std::max(0.0, rest - others);
        rest -= numbers[0];
    } else {
        numbers[0] = value;
    }
    double left = 0.0;
    for (std::size_t at = 1; at < numbers.size(); ++at) {
        left += at == index ? 0.0 : numbers[at];
    }
    std::size_t last = numbers.size();
    double given = 0.0;
    for (std::size_t at = 1; at < numbers.size(); ++at) {
        if (at != index) {
            const double share = left > 0.0 ? numbers[at] / left : 1.0;
            numbers[at] = std::floor(std::max(0.0, rest) * std::min(1.0, share));
            given += numbers[at];
            last = at;
        }
    }
    if (last < numbers.size()) {
        numbers[last] += std::max(0.0, rest) - given;
    }
    return numbers;
}

PartsRow::PartsRow(const Parameter& row, SceneEditor* editor, QWidget* parent)
    : FramedRow(row, editor, parent), m_steps(this), m_readout(mutedLabel(QString(), frame())) {
    auto* line = new QWidget(frame());
    auto* layout = new QHBoxLayout(line);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    for (std::size_t index = 0; index < row.parts.size(); ++index) {
        const QString part = QString::fromStdString(row.parts[index]);
        auto* field = new NumberField(line);
        field->setFixedWidth(partWidth);
        if (index == 0) {
            setField(field);
        } else {
            field->setObjectName(QStringLiteral("field_%1_%2").arg(id()).arg(index));
            field->setToolTip(QString::fromStdString(row.help));
        }
        field->setAccessibleName(QStringLiteral("%1, %2").arg(QString::fromStdString(row.label), part));
        field->setApply([this, index](const QString& text) { return applyPart(index, text); });
        connect(field, &NumberField::refusalChanged, frame(), &RowFrame::setRefusal);
        connect(field, &NumberField::stepRequested, this, [this, index](int steps) { step(index, steps); });
        QLabel* name = mutedLabel(part, line);
        name->setBuddy(field);
        if (index > 0) {
            layout->addStretch(1);
        }
        layout->addWidget(name);
        layout->addWidget(field);
        m_fields.push_back(field);
    }
    frame()->addBelow(line);
    m_readout->setObjectName(QStringLiteral("readout_") + id());
    frame()->addBelow(m_readout);
    connect(&m_steps, &EditGesture::started, this, &PartsRow::gestureStarted);
    connect(&m_steps, &EditGesture::ended, this, &PartsRow::gestureEnded);
    editor->follow(this);
}

QWidget* PartsRow::fieldOf(const QString&) const {
    return m_fields.front();
}

void PartsRow::showScene(const Scene& scene, const Scene& preset) {
    frame()->setChanged(row().get(scene) != row().get(preset));
    m_numbers = numbersOf(row().id, scene);
    for (std::size_t index = 0; index < m_fields.size(); ++index) {
        const double number = index < m_numbers.size() ? m_numbers[index] : 0.0;
        const QString text = QString::fromStdString(formatNumber(number));
        m_fields[index]->setTexts(text, text);
    }
    setTextIfNew(m_readout, consequenceOf(row().id, scene));
}

QString PartsRow::applyPart(std::size_t index, const QString& text) {
    const Result<double> number = parseNumber(text.toStdString());
    if (!number) {
        return QString::fromStdString(number.error().message) + QLatin1Char('.');
    }
    const double sum = std::accumulate(m_numbers.begin(), m_numbers.end(), 0.0);
    if (!(*number >= 0.0 && *number <= sum) || *number != std::floor(*number)) {
        return tr("%1 must be a whole number, 0..%2 (got %3).")
            .arg(QString::fromStdString(row().parts[index]), QString::fromStdString(formatNumber(sum)),
                 QString::fromStdString(formatNumber(*number)));
    }
    return editor()->apply({{id(), sharedOut(m_numbers, index, *number)}});
}

void PartsRow::step(std::size_t index, int steps) {
    const double sum = std::accumulate(m_numbers.begin(), m_numbers.end(), 0.0);
    const double target = std::clamp(m_numbers[index] + steps, 0.0, sum);
    m_steps.touch();
    frame()->setRefusal(editor()->edit({{id(), sharedOut(m_numbers, index, target)}}));
}

}  // namespace phaseladder::ui
