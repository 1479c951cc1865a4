#include "ui/controls/order_line.h"

#include <QStylePainter>

#include "core/attention/permutations.h"
#include "ui/controls/token_order.h"

namespace phaseladder::ui {
namespace {

/// Cycles of longer orders say nothing to the eye.
constexpr std::size_t longestCycles = 64;

}  // namespace

OrderLine::OrderLine(QWidget* parent) : QLabel(parent) {
    setProperty("muted", true);
    setTextFormat(Qt::PlainText);
    setTextInteractionFlags(Qt::TextSelectableByMouse);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
}

void OrderLine::setOrder(const std::vector<int>& order) {
    QString line = orderText(order);
    if (order.size() > 1 && order.size() <= longestCycles) {
        const QString cycles = QString::fromStdString(cyclesText(order));
        line += QStringLiteral(" · ") +
                (cycles.startsWith(QLatin1Char('(')) ? tr("cycles %1").arg(cycles) : tr("identity"));
    }
    if (line != text()) {
        setText(line);
        setToolTip(order.size() > 1 ? tr("%1\nThe token at each position, counted from 0.").arg(line)
                                    : QString());
    }
}

void OrderLine::paintEvent(QPaintEvent* event) {
    const QRect room = contentsRect();
    if (fontMetrics().horizontalAdvance(text()) <= room.width()) {
        QLabel::paintEvent(event);
        return;
    }
    QStylePainter painter(this);
    painter.drawItemText(room, Qt::AlignVCenter | Qt::AlignLeft, palette(), isEnabled(),
                         fontMetrics().elidedText(text(), Qt::ElideRight, room.width()), foregroundRole());
}

}  // namespace phaseladder::ui
