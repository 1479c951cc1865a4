#include "ui/controls/toggle_switch.h"

#include <QPainter>

#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

constexpr int switchWidth = 34;
constexpr int switchHeight = 18;
constexpr int textGap = 8;

}  // namespace

ToggleSwitch::ToggleSwitch(const QString& text, QWidget* parent) : QCheckBox(text, parent) {
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

QSize ToggleSwitch::sizeHint() const {
    const int textWidth = text().isEmpty() ? 0 : fontMetrics().horizontalAdvance(text()) + textGap;
    return {textWidth + switchWidth + 4, switchHeight + 6};
}

void ToggleSwitch::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = themeColors(currentTheme());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const bool mirrored = layoutDirection() == Qt::RightToLeft;
    const double left = mirrored ? 2.0 : width() - switchWidth - 2.0;
    const QRectF body(left, (height() - switchHeight) / 2.0, switchWidth, switchHeight);
    const double radius = switchHeight / 2.0;
    if (hasFocus()) {
        QColor ring = colors.accent;
        ring.setAlphaF(0.35f);
        painter.setPen(QPen(ring, 2.0));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(body.adjusted(-1.5, -1.5, 1.5, 1.5), radius + 1.5, radius + 1.5);
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(!isEnabled() ? colors.border : isChecked() ? colors.accent : colors.mutedText);
    painter.drawRoundedRect(body, radius, radius);
    const double knobX = isChecked() != mirrored ? body.right() - radius : body.left() + radius;
    painter.setBrush(colors.panel);
    painter.drawEllipse(QPointF(knobX, body.center().y()), radius - 2.0, radius - 2.0);
    if (!text().isEmpty()) {
        painter.setPen(isEnabled() ? colors.text : colors.mutedText);
        const QRectF textArea = mirrored ? QRectF(rect()).adjusted(switchWidth + textGap, 0, 0, 0)
                                         : QRectF(rect()).adjusted(0, 0, -switchWidth - textGap, 0);
        painter.drawText(textArea, Qt::AlignVCenter | Qt::AlignLeft, text());
    }
}

}  // namespace phaseladder::ui
