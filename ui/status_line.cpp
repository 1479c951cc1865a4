#include "ui/status_line.h"

#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QToolTip>

namespace phaseladder::ui {
namespace {

constexpr int messageMilliseconds = 8000;
constexpr int itemMargins = 8;  // above and below, together

}  // namespace

StatusLine::StatusLine(QWidget* parent) : QStatusBar(parent) {
    setObjectName(QStringLiteral("status_line"));
    setSizeGripEnabled(false);
    const auto addLabel = [this](const QString& name) {
        auto* label = new QLabel(this);
        label->setObjectName(name);
        label->setTextFormat(Qt::PlainText);
        return label;
    };
    m_backend = addLabel(QStringLiteral("status_backend"));
    m_frame = addLabel(QStringLiteral("status_frame"));
    m_exact = addLabel(QStringLiteral("status_exact"));
    m_readout = addLabel(QStringLiteral("status_readout"));
    m_zoom = addLabel(QStringLiteral("status_zoom"));
    m_backend->setWhatsThis(tr("Where attention is computed, and in which precision."));
    m_frame->setWhatsThis(tr("The time from the last change to its picture."));
    m_exact->setWhatsThis(
        tr("Exact: the figures belong to the newest setting. Preview: they are on the way."));
    m_zoom->setWhatsThis(tr(
        "How much larger than in full the figure used last is drawn, along the axis that is zoomed more."));
    m_tryAgain = new QToolButton(this);
    m_tryAgain->setObjectName(QStringLiteral("status_try_again"));
    m_tryAgain->setText(tr("Try the GPU again"));
    m_tryAgain->setProperty("link", true);
    m_tryAgain->setFocusPolicy(Qt::TabFocus);
    connect(m_tryAgain, &QToolButton::clicked, this, &StatusLine::tryAgainRequested);
    addWidget(m_backend);
    addWidget(m_frame);
    addWidget(m_exact);
    m_warning = new QToolButton(this);
    m_warning->setObjectName(QStringLiteral("status_warning"));
    m_warning->setProperty("statusWarning", true);
    m_warning->setFocusPolicy(Qt::TabFocus);
    m_warning->hide();
    addPermanentWidget(m_warning);
    addPermanentWidget(m_tryAgain);
    m_tryAgain->hide();
    // Where the height of its items changes, QStatusBar lays them out anew and shows the labels over a
    // message.
    const int height = fontMetrics().height() + itemMargins;
    for (QWidget* item : findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
        item->setFixedHeight(height);
    }
    addPermanentWidget(m_readout);
    addPermanentWidget(m_zoom);
    setZoom(1.0);
    connect(m_warning, &QToolButton::clicked, this, [this] {
        const QPoint above =
            m_warning->mapToGlobal(QPoint(0, -m_warning->height() * (1 + m_warnings.size())));
        QToolTip::showText(above, m_warning->toolTip(), m_warning);
    });
}

void StatusLine::setBackend(const QString& sentence) {
    m_backend->setText(sentence);
}

void StatusLine::setGpu(const QString& sentence, bool canTryAgain) {
    m_backend->setToolTip(sentence.toHtmlEscaped());
    m_backend->setAccessibleDescription(sentence);
    m_tryAgain->setVisible(canTryAgain);
    showFirstWarning();
}

void StatusLine::setFrame(double milliseconds, bool exact) {
    m_frame->setText(
        tr("%1 ms a frame").arg(QLocale().toString(milliseconds, 'f', milliseconds < 10.0 ? 1 : 0)));
    m_exact->setText(exact ? tr("exact") : tr("preview"));
}

void StatusLine::setWarnings(const QStringList& sentences) {
    m_warnings = sentences;
    m_warning->setVisible(!sentences.isEmpty());
    QStringList lines;
    for (const QString& sentence : sentences) {
        lines.append(QStringLiteral("⚠ ") + sentence.toHtmlEscaped());
    }
    m_warning->setToolTip(QStringLiteral("<p style='white-space:pre-wrap'>") +
                          lines.join(QStringLiteral("<br>")) + QStringLiteral("</p>"));
    m_warning->setAccessibleName(sentences.join(QLatin1Char(' ')));
    showFirstWarning();
}

void StatusLine::showFirstWarning() {
    if (m_warnings.isEmpty()) {
        return;
    }
    const QString others = m_warnings.size() > 1
                               ? tr("  (%n more)", nullptr, static_cast<int>(m_warnings.size()) - 1)
                               : QString();
    const int beside = m_tryAgain->isHidden() ? 0 : m_tryAgain->sizeHint().width();
    const int room = width() / 2 - beside - m_warning->fontMetrics().horizontalAdvance(others);
    m_warning->setText(
        m_warning->fontMetrics().elidedText(QStringLiteral("⚠ ") + m_warnings.first(), Qt::ElideRight, room) +
        others);
}

void StatusLine::setReadout(const QString& text) {
    m_readout->setText(text);
}

void StatusLine::setZoom(double factor) {
    m_zoom->setText(tr("zoom %1 %").arg(QLocale().toString(factor * 100.0, 'f', 0)));
}

void StatusLine::say(const QString& sentence) {
    showMessage(sentence, messageMilliseconds);
}

/// What was said before the line was seen did not hide the labels, which were not seen either.
void StatusLine::showEvent(QShowEvent* event) {
    QStatusBar::showEvent(event);
    if (const QString sentence = currentMessage(); !sentence.isEmpty()) {
        clearMessage();
        say(sentence);
    }
}

void StatusLine::resizeEvent(QResizeEvent* event) {
    QStatusBar::resizeEvent(event);
    showFirstWarning();
}

}  // namespace phaseladder::ui
