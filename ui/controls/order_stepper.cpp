#include "ui/controls/order_stepper.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QToolButton>

#include <algorithm>
#include <utility>

#include "core/attention/permutations.h"
#include "ui/theme.h"

namespace phaseladder::ui {
namespace {

constexpr int buttonSize = 22;
/// From this many tokens on the numbers are long, and stand without a word before them.
constexpr std::size_t longNumbers = 9;

/// Thousands with commas, as in the figures.
QString grouped(std::int64_t number) {
    return QLocale(QLocale::English).toString(static_cast<qlonglong>(number));
}

}  // namespace

OrderStepper::OrderStepper(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("strip_orders"));
    setAccessibleName(tr("All orders"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(2);
    m_previous = addButton(QStringLiteral("strip_previous_order"), QStringLiteral("chevron-left"),
                           tr("Previous order"), -1);
    m_text = new QLabel(this);
    m_text->setObjectName(QStringLiteral("strip_order_place"));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setAlignment(Qt::AlignCenter);
    row->addWidget(m_text);
    m_next =
        addButton(QStringLiteral("strip_next_order"), QStringLiteral("chevron-right"), tr("Next order"), 1);
}

QToolButton* OrderStepper::addButton(const QString& name, const QString& icon, const QString& text,
                                     int places) {
    auto* button = new QToolButton(this);
    button->setObjectName(name);
    button->setProperty("plain", true);
    button->setIcon(themedIcon(icon));
    button->setAccessibleName(text);
    button->setFixedSize(buttonSize, buttonSize);
    button->setFocusPolicy(Qt::StrongFocus);
    button->setAutoRepeat(true);
    layout()->addWidget(button);
    connect(button, &QToolButton::clicked, this, [this, places] {
        if (!std::exchange(m_isGestureOpen, true)) {
            Q_EMIT gestureStarted();
        }
        stepBy(places);
    });
    connect(button, &QToolButton::released, this, [this, button] {
        if (!button->isDown()) {  // not between two repeats; the last click comes right after this
            QMetaObject::invokeMethod(this, &OrderStepper::endGesture, Qt::QueuedConnection);
        }
    });
    return button;
}

void OrderStepper::endGesture() {
    if (std::exchange(m_isGestureOpen, false)) {
        Q_EMIT gestureEnded();
    }
}

void OrderStepper::setOrder(const SharedList<int>& order) {
    m_order = order;
    show();
}

void OrderStepper::setHeld(bool held) {
    m_holdsLast = held;
    show();
}

bool OrderStepper::isHeld() const {
    return m_holdsLast && m_order.size() > 1;
}

std::vector<int> OrderStepper::movingTokens() const {
    std::vector<int> tokens(m_order.begin(), m_order.end() - (isHeld() ? 1 : 0));
    std::ranges::sort(tokens);
    return tokens;
}

std::int64_t OrderStepper::count() const {
    return orderCount(static_cast<int>(m_order.size()) - (isHeld() ? 1 : 0));
}

std::int64_t OrderStepper::place() const {
    return orderRank({m_order.data(), m_order.size() - (isHeld() ? 1 : 0)});
}

void OrderStepper::goTo(std::int64_t place) {
    const std::vector<int> tokens = movingTokens();
    std::vector<int> order = composedOrder(tokens, orderOfRank(static_cast<int>(tokens.size()), place));
    if (isHeld()) {
        order.push_back(m_order.back());
    }
    if (order != m_order) {
        Q_EMIT orderChosen(order);
    }
}

void OrderStepper::stepBy(int places) {
    if (!m_order.empty() && m_order.size() <= mostTokens) {
        goTo(std::clamp<std::int64_t>(place() + places, 0, count() - 1));
    }
}

void OrderStepper::show() {
    const auto tokens = static_cast<int>(m_order.size());
    const bool fits = tokens >= 1 && tokens <= mostTokens;
    const QString obstacle = tokens == 0 ? tr("There are no tokens.")
                             : fits      ? QString()
                                    : tr("All orders are stepped through up to %1 tokens; the text has %2.")
                                          .arg(mostTokens)
                                          .arg(grouped(tokens));
    const std::int64_t now = fits ? place() : 0;
    const std::int64_t last = fits ? count() - 1 : 0;
    if (fits) {
        // As wide as its widest text, so that the buttons stay under the pointer.
        const QString form = m_order.size() < longNumbers ? tr("order %1 of %2") : tr("%1 of %2");
        m_text->setText(form.arg(grouped(now + 1), grouped(last + 1)));
        m_text->setFixedWidth(
            m_text->fontMetrics().horizontalAdvance(form.arg(grouped(last + 1), grouped(last + 1))) + 4);
    } else {
        m_text->setText(tr("all orders"));
        m_text->setMinimumWidth(0);
        m_text->setMaximumWidth(QWIDGETSIZE_MAX);
    }
    m_text->setEnabled(fits);
    m_text->setToolTip(fits ? (isHeld() ? tr("Place among the orders that hold the last token last")
                                        : tr("Place among all orders, the text's own first"))
                            : obstacle);
    m_previous->setEnabled(now > 0);
    m_next->setEnabled(now < last);
    m_previous->setToolTip(!fits     ? obstacle
                           : now > 0 ? tr("Previous order (Home: the first)")
                                     : tr("This is the first order."));
    m_next->setToolTip(!fits        ? obstacle
                       : now < last ? tr("Next order (End: the last)")
                                    : tr("This is the last order."));
}

void OrderStepper::keyPressEvent(QKeyEvent* event) {
    const bool isEnd = event->key() == Qt::Key_End;
    if ((isEnd || event->key() == Qt::Key_Home) && !m_order.empty() && m_order.size() <= mostTokens) {
        goTo(isEnd ? count() - 1 : 0);
        return;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace phaseladder::ui
