#include "ui/controls/segment_row.h"

#include <QContextMenuEvent>
#include <QLabel>
#include <QVBoxLayout>

#include "core/encodings/encoding.h"
#include "core/ladder/scaling.h"
#include "ui/controls/row_menu.h"
#include "ui/controls/scene_editor.h"
#include "ui/controls/segmented_control.h"
#include "ui/document.h"

namespace phaseladder::ui {

namespace {

/// What the lists of encodings and scalings say about a choice.
QString helpOf(const std::string& parameterId, const std::string& choiceId) {
    if (parameterId == "encoding") {
        const Encoding* encoding = findEncoding(choiceId);
        return encoding != nullptr ? QString::fromStdString(encoding->help) : QString();
    }
    const Scaling* scaling = parameterId == "scaling" ? findScaling(choiceId) : nullptr;
    return scaling != nullptr ? QString::fromStdString(scaling->help) : QString();
}

}  // namespace

SegmentRow::SegmentRow(const Parameter& row, const std::vector<Choice>& inlineChoices,
                       const std::string& lineEnd, SceneEditor* editor, QWidget* parent)
    : PanelRow(parent), m_row(row), m_editor(editor) {
    const QString id = QString::fromStdString(row.id);
    m_segments = new SegmentedControl(id, row.choices, inlineChoices, this);
    m_segments->wrapAfter(QString::fromStdString(lineEnd));
    m_segments->setObjectName(QStringLiteral("field_") + id);
    m_segments->setAccessibleName(QString::fromStdString(row.label));
    m_segments->setAccessibleDescription(QString::fromStdString(row.help));
    m_segments->setWhatsThis(QString::fromStdString(row.help));
    for (const Choice& choice : row.choices) {
        m_segments->setHelp(
            QString::fromStdString(choice.id),
            QStringLiteral("%1. %2").arg(QString::fromStdString(choice.label), helpOf(row.id, choice.id)));
    }
    m_refusal = new QLabel(this);
    m_refusal->setObjectName(QStringLiteral("refusal_") + id);
    m_refusal->setProperty("failure", true);
    m_refusal->setTextFormat(Qt::PlainText);
    m_refusal->setWordWrap(true);
    m_refusal->hide();
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_segments);
    layout->addWidget(m_refusal);
    connect(m_segments, &SegmentedControl::chosen, this, [this, id](const QString& choice) {
        const QString refusal = m_editor->apply({{id, choice.toStdString()}});
        setRefusal(refusal);
        if (!refusal.isEmpty()) {
            showScene(m_editor->document().scene(), m_editor->document().resetScene());
        }
    });
}

QStringList SegmentRow::parameterIds() const {
    return {QString::fromStdString(m_row.id)};
}

void SegmentRow::showScene(const Scene& scene, const Scene&) {
    const QString choice = QString::fromStdString(std::get<std::string>(m_row.get(scene)));
    if (m_segments->current() != choice) {
        m_segments->setCurrent(choice);
    }
}

QWidget* SegmentRow::fieldOf(const QString&) const {
    return m_segments;
}

void SegmentRow::contextMenuEvent(QContextMenuEvent* event) {
    const RowMenu menu{.editor = m_editor,
                       .ids = parameterIds(),
                       .explanation = QString::fromStdString(m_row.help),
                       .refuse = [this](const QString& sentence) { setRefusal(sentence); },
                       .say = [this](const QString& sentence) { Q_EMIT said(sentence); }};
    openRowMenu(menu, this, event->globalPos());
}

void SegmentRow::setRefusal(const QString& sentence) {
    m_refusal->setText(sentence);
    m_refusal->setVisible(!sentence.isEmpty());
    if (!sentence.isEmpty()) {
        Q_EMIT refused(sentence);
    }
}

}  // namespace phaseladder::ui
