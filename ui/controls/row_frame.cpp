#include "ui/controls/row_frame.h"

#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QToolButton>
#include <QToolTip>
#include <QVBoxLayout>

#include "ui/controls/scene_editor.h"
#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

/// A small button beside the label.
QToolButton* signButton(const QString& name, const QString& icon, IconColor color, QWidget* parent) {
    auto* button = new QToolButton(parent);
    button->setObjectName(name);
    button->setIcon(themedIcon(icon, color));
    button->setIconSize(QSize(14, 14));
    button->setFixedSize(20, 20);
    button->setCursor(Qt::PointingHandCursor);
    return button;
}

}  // namespace

QLabel* mutedLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("muted", true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

RowFrame::RowFrame(const QString& name, const QStringList& ids, const QString& label,
                   const QString& explanation, SceneEditor* editor, QWidget* parent)
    : QWidget(parent),
      m_menu{.editor = editor, .ids = ids, .explanation = explanation},
      m_name(name),
      m_label(new QLabel(label, this)),
      m_reset(signButton(QStringLiteral("reset_") + name, QStringLiteral("reset"), IconColor::accent, this)),
      m_nameLine(new QHBoxLayout),
      m_line(new QHBoxLayout),
      m_lines(new QVBoxLayout(this)) {
    m_menu.refuse = [this](const QString& sentence) { setRefusal(sentence); };
    m_menu.say = [this](const QString& sentence) { Q_EMIT said(sentence); };
    m_menu.paste = [this](const QString& text) { Q_EMIT pasteRequested(text); };
    setWhatsThis(explanation);
    m_label->setObjectName(QStringLiteral("label_") + name);
    m_label->setToolTip(explanation + QLatin1Char('\n') +
                        tr("Double-click resets, right-click offers more."));
    m_label->installEventFilter(this);
    m_reset->setAccessibleName(tr("Reset %1").arg(label));
    m_reset->installEventFilter(this);
    // Keeps its place while hidden, so that rows do not move when a value changes.
    QSizePolicy policy = m_reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(policy);
    m_reset->hide();
    connect(m_reset, &QToolButton::clicked, this, &RowFrame::reset);

    m_line->setContentsMargins(0, 0, 0, 0);
    m_line->setSpacing(6);
    m_nameLine->setSpacing(2);
    m_nameLine->addWidget(m_label);
    m_nameLine->addWidget(m_reset);
    m_line->addLayout(m_nameLine);
    m_line->addStretch(1);
    m_lines->setContentsMargins(0, 0, 0, 0);
    m_lines->setSpacing(2);
    m_lines->addLayout(m_line);
}

void RowFrame::addRight(QWidget* widget) {
    m_line->addWidget(widget);
}

void RowFrame::addBelow(QWidget* widget) {
    m_lines->addWidget(widget);
}

void RowFrame::setBuddy(QWidget* widget) {
    m_label->setBuddy(widget);
    m_buddyDescription = widget->accessibleDescription();
}

void RowFrame::offerSliderForm() {
    m_menu.openSliderForm = [this] { Q_EMIT sliderFormRequested(mapToGlobal(QPoint(0, height() + 4))); };
}

void RowFrame::reset() {
    setRefusal(m_menu.editor->reset(m_menu.ids));
}

void RowFrame::setChanged(bool changedFromPreset) {
    if (m_reset->isHidden() == changedFromPreset) {
        m_reset->setVisible(changedFromPreset);
    }
}

void RowFrame::setRefusal(const QString& sentence) {
    if (m_refusal == nullptr && sentence.isEmpty()) {
        return;
    }
    if (m_refusal == nullptr) {
        m_refusal = new QLabel(this);
        m_refusal->setProperty("failure", true);
        m_refusal->setTextFormat(Qt::PlainText);
        m_refusal->setWordWrap(true);
        m_refusal->setObjectName(QStringLiteral("refusal_") + m_name);
        m_lines->insertWidget(1, m_refusal);
    }
    m_refusal->setText(sentence);
    m_refusal->setVisible(!sentence.isEmpty());
    if (!sentence.isEmpty()) {
        Q_EMIT refused(sentence);
    }
}

void RowFrame::setNotes(const QStringList& sentences, bool isWarning) {
    if (m_note == nullptr && sentences.isEmpty()) {
        return;
    }
    if (m_note == nullptr) {
        m_note = signButton(QStringLiteral("note_") + m_name, QString(), IconColor::muted, this);
        m_note->setFocusPolicy(Qt::NoFocus);
        m_nameLine->addWidget(m_note);
        connect(m_note, &QToolButton::clicked, this, [this] {
            QToolTip::showText(m_note->mapToGlobal(QPoint(0, m_note->height())), m_note->toolTip(), m_note);
        });
    }
    const QString text = sentences.join(QLatin1Char('\n'));
    if (m_note->accessibleName() == text) {
        return;
    }
    m_note->setIcon(isWarning ? themedIcon(QStringLiteral("warning"), IconColor::warning)
                              : themedIcon(QStringLiteral("info"), IconColor::muted));
    m_note->setToolTip(QStringLiteral("<p style='white-space:pre-wrap'>%1</p>").arg(text.toHtmlEscaped()));
    m_note->setAccessibleName(text);
    m_note->setVisible(!sentences.isEmpty());
    if (QWidget* field = m_label->buddy()) {
        field->setAccessibleDescription(sentences.isEmpty() ? m_buddyDescription
                                                            : text + QLatin1Char('\n') + m_buddyDescription);
    }
}

void RowFrame::contextMenuEvent(QContextMenuEvent* event) {
    openRowMenu(m_menu, this, event->globalPos());
}

bool RowFrame::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_label && event->type() == QEvent::MouseButtonDblClick) {
        reset();
        return true;
    }
    if (watched == m_reset && event->type() == QEvent::ToolTip) {
        m_reset->setToolTip(tr("Reset to %1").arg(resetText(m_menu)));
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace phaseladder::ui
