#include "ui/controls/row_frame.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>
#include <QWhatsThis>

#include "ui/theme.h"

namespace phaseladder::ui {

QLabel* mutedLabel(const QString& text, QWidget* parent) {
    auto* label = new QLabel(text, parent);
    label->setProperty("muted", true);
    label->setTextFormat(Qt::PlainText);
    return label;
}

RowFrame::RowFrame(const QString& id, const QString& label, const QString& explanation, QWidget* parent)
    : QWidget(parent),
      m_explanation(explanation),
      m_label(new QLabel(label, this)),
      m_reset(new QToolButton(this)),
      m_line(new QHBoxLayout),
      m_lines(new QVBoxLayout(this)) {
    setWhatsThis(explanation);
    m_label->setObjectName(QStringLiteral("label_") + id);
    m_label->setToolTip(explanation + QLatin1Char('\n') + tr("Double-click resets."));
    m_label->installEventFilter(this);
    m_reset->setObjectName(QStringLiteral("reset_") + id);
    m_reset->setIcon(themedIcon(QStringLiteral("reset"), IconColor::accent));
    m_reset->setIconSize(QSize(14, 14));
    m_reset->setFixedSize(20, 20);
    m_reset->setCursor(Qt::PointingHandCursor);
    m_reset->setAccessibleName(tr("Reset %1").arg(label));
    m_reset->setToolTip(tr("Reset to the preset"));
    // Keeps its place while hidden, so that rows do not move when a value changes.
    QSizePolicy policy = m_reset->sizePolicy();
    policy.setRetainSizeWhenHidden(true);
    m_reset->setSizePolicy(policy);
    m_reset->hide();
    connect(m_reset, &QToolButton::clicked, this, &RowFrame::resetRequested);

    m_line->setContentsMargins(0, 0, 0, 0);
    m_line->setSpacing(6);
    auto* name = new QHBoxLayout;
    name->setSpacing(2);
    name->addWidget(m_label);
    name->addWidget(m_reset);
    m_line->addLayout(name);
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
        m_refusal->setObjectName(
            m_label->objectName().replace(QStringLiteral("label_"), QStringLiteral("refusal_")));
        m_lines->insertWidget(1, m_refusal);
    }
    m_refusal->setText(sentence);
    m_refusal->setVisible(!sentence.isEmpty());
}

void RowFrame::contextMenuEvent(QContextMenuEvent* event) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("rowMenu"));
    menu.addAction(themedIcon(QStringLiteral("copy")), tr("Copy value"), this, &RowFrame::copyRequested);
    menu.addAction(themedIcon(QStringLiteral("paste")), tr("Paste value"), this,
                   [this] { Q_EMIT pasteRequested(QApplication::clipboard()->text().trimmed()); });
    menu.addAction(themedIcon(QStringLiteral("reset")), tr("Reset to the preset"), this,
                   &RowFrame::resetRequested);
    menu.addSeparator();
    menu.addAction(
        themedIcon(QStringLiteral("help")), tr("What's this?"), this,
        [this, position = event->globalPos()] { QWhatsThis::showText(position, m_explanation, this); });
    menu.exec(event->globalPos());
}

bool RowFrame::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_label && event->type() == QEvent::MouseButtonDblClick) {
        Q_EMIT resetRequested();
        return true;
    }
    return QWidget::eventFilter(watched, event);
}

}  // namespace phaseladder::ui
