#include "ui/controls/framed_row.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/controls/row_frame.h"
#include "ui/controls/scene_editor.h"

namespace phaseladder::ui {

FramedRow::FramedRow(const Parameter& row, SceneEditor* editor, QWidget* parent)
    : PanelRow(parent),
      m_row(row),
      m_id(QString::fromStdString(row.id)),
      m_explanation(QStringLiteral("%1 %2").arg(QString::fromStdString(row.help),
                                                tr("Source: %1.").arg(QString::fromStdString(row.source)))),
      m_editor(editor),
      m_frame(new RowFrame(m_id, {m_id}, QString::fromStdString(row.label), m_explanation, editor, this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_frame);
    connect(m_frame, &RowFrame::refused, this, &FramedRow::refused);
    connect(m_frame, &RowFrame::said, this, &FramedRow::said);
    connect(m_frame, &RowFrame::pasteRequested, this,
            [this](const QString& text) { m_frame->setRefusal(applyText(text)); });
}

void FramedRow::setField(QWidget* field) {
    field->setObjectName(QStringLiteral("field_") + m_id);
    field->setAccessibleName(QString::fromStdString(m_row.label));
    field->setAccessibleDescription(m_explanation);
    field->setToolTip(QString::fromStdString(m_row.help));
    m_frame->setBuddy(field);
}

void FramedRow::apply(const ParameterValue& value) {
    m_frame->setRefusal(m_editor->apply({{m_id, value}}));
}

QString FramedRow::applyText(const QString& text) {
    const Result<ParameterValue> value = parseValue(m_row, text.toStdString());
    return value ? m_editor->apply({{m_id, *value}}) : QString::fromStdString(value.error().message);
}

void FramedRow::showNotes(const QStringList& sentences, bool isWarning) {
    m_frame->setNotes(sentences, isWarning);
}

void setTextIfNew(QLabel* label, const QString& text) {
    if (label->text() != text) {
        label->setText(text);
    }
}

}  // namespace phaseladder::ui
