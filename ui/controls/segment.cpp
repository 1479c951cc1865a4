#include "ui/controls/segment.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

constexpr int segmentHeight = 28;
constexpr double cornerRadius = 6.0;
constexpr int chevronWidth = 14;

/// The outline of a segment: round where the row ends.
QPainterPath outline(const QRectF& area, SegmentEdge edge) {
    const bool roundLeft = edge == SegmentEdge::first || edge == SegmentEdge::only;
    const bool roundRight = edge == SegmentEdge::last || edge == SegmentEdge::only;
    QPainterPath path;
    path.setFillRule(Qt::WindingFill);
    path.addRoundedRect(area, cornerRadius, cornerRadius);
    if (!roundLeft) {
        path.addRect(QRectF(area.left(), area.top(), area.width() / 2.0, area.height()));
    }
    if (!roundRight) {
        path.addRect(QRectF(area.center().x(), area.top(), area.width() / 2.0, area.height()));
    }
    return path.simplified();
}

/// Segments go from right to left where the text does.
SegmentEdge mirrored(SegmentEdge edge) {
    return edge == SegmentEdge::first  ? SegmentEdge::last
           : edge == SegmentEdge::last ? SegmentEdge::first
                                       : edge;
}

}  // namespace

Segment::Segment(const QString& id, const QString& text, QWidget* parent)
    : QRadioButton(text, parent), m_id(id) {
    setCursor(Qt::PointingHandCursor);
    setAttribute(Qt::WA_Hover);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

int Segment::textWidth() const {
    QFont bold = font();
    bold.setWeight(QFont::Medium);
    return QFontMetrics(bold).horizontalAdvance(text()) + (m_hasMenu ? chevronWidth : 0);
}

QSize Segment::sizeHint() const {
    return {textWidth() + 20, segmentHeight};
}

QSize Segment::minimumSizeHint() const {
    // What was chosen from a menu can be long; it is cut short before its row grows.
    constexpr int widestMenu = 74;
    const int width = textWidth() + 7;
    return {m_hasMenu ? std::min(width, widestMenu) : width, segmentHeight};
}

void Segment::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = themeColors(currentTheme());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const SegmentEdge edge = layoutDirection() == Qt::RightToLeft ? mirrored(m_edge) : m_edge;
    const bool joinsNext = edge == SegmentEdge::first || edge == SegmentEdge::middle;
    const QRectF area = QRectF(rect()).adjusted(0.5, 0.5, joinsNext ? 0.5 : -0.5, -0.5);
    const QPainterPath path = outline(area, edge);
    painter.setPen(QPen(colors.border, 1.0));
    painter.setBrush(isChecked() ? colors.accentTint : underMouse() ? colors.neutralChip : colors.panel);
    painter.drawPath(path);
    if (hasFocus()) {
        painter.setPen(QPen(colors.accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(2.0, 2.0, -2.0, -2.0), 4.0, 4.0);
    }
    QFont face = font();
    face.setWeight(isChecked() ? QFont::Medium : QFont::Normal);
    painter.setFont(face);
    painter.setPen(isChecked() ? colors.accent : isEnabled() ? colors.mutedText : colors.border);
    QRectF textArea = rect();
    QString shown = text();
    if (m_hasMenu) {
        const QFontMetrics metrics(face);
        shown = metrics.elidedText(text(), Qt::ElideRight, rect().width() - chevronWidth - 6);
        const double width = metrics.horizontalAdvance(shown);
        const double left = (rect().width() - width - chevronWidth) / 2.0;
        textArea = QRectF(left, 0.0, width + 1.0, height());
        const QPointF tip(left + width + 9.0, height() / 2.0 + 2.5);
        painter.setBrush(painter.pen().color());
        const QPen textPen = painter.pen();
        painter.setPen(Qt::NoPen);
        painter.drawPolygon(QPolygonF{tip + QPointF(-3.5, -4.5), tip + QPointF(3.5, -4.5), tip});
        painter.setPen(textPen);
    }
    painter.drawText(textArea, Qt::AlignCenter, shown);
}

}  // namespace phaseladder::ui
