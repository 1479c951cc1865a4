#include "ui/message_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

#include <utility>

#include "ui/theme.h"

namespace phaseladder::ui {
namespace {

constexpr int iconSize = 20;

}  // namespace

MessageBar::MessageBar(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("message_bar"));
    setProperty("card", true);
    m_icon = new QLabel(this);
    m_icon->setObjectName(QStringLiteral("message_icon"));
    m_text = new QLabel(this);
    m_text->setObjectName(QStringLiteral("message_text"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_button = new QToolButton(this);
    m_button->setObjectName(QStringLiteral("message_button"));
    m_button->setProperty("link", true);
    auto* close = new QToolButton(this);
    close->setObjectName(QStringLiteral("message_close"));
    close->setIcon(themedIcon(QStringLiteral("close")));
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(close->toolTip());

    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 8, 6);
    layout->setSpacing(8);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_button);
    layout->addWidget(close);
    connect(close, &QToolButton::clicked, this, &MessageBar::clear);
    connect(m_button, &QToolButton::clicked, this, [this] {
        const std::function<void()> action = std::exchange(m_action, {});
        clear();
        if (action) {
            action();
        }
    });
    hide();
}

void MessageBar::showMessage(MessageKind kind, const QString& sentence) {
    const QString icon = kind == MessageKind::failure ? QStringLiteral("error") : QStringLiteral("info");
    m_icon->setPixmap(themedIcon(icon).pixmap(iconSize));
    m_text->setText(sentence);
    m_action = {};
    m_button->hide();
    show();
}

void MessageBar::offer(const QString& sentence, const QString& buttonText, std::function<void()> action) {
    showMessage(MessageKind::information, sentence);
    m_action = std::move(action);
    m_button->setText(buttonText);
    m_button->show();
}

void MessageBar::clear() {
    m_action = {};
    m_text->clear();
    hide();
}

QString MessageBar::text() const {
    return m_text->text();
}

}  // namespace phaseladder::ui
