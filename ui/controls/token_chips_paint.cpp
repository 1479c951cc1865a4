#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QScrollBar>

#include <algorithm>

#include "ui/controls/token_chips.h"
#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

constexpr double cornerRadius = 6.0;
/// A long block is drawn by its first chips only.
constexpr std::size_t liftedChipsShown = 8;

void paintHandleDots(QPainter& painter, double left, double middle, const QColor& color) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    for (const double x : {left + 9.0, left + 14.0}) {
        for (const double y : {middle - 5.0, middle, middle + 5.0}) {
            painter.drawEllipse(QPointF(x, y), 1.2, 1.2);
        }
    }
}

}  // namespace

void TokenChips::paintEvent(QPaintEvent*) {
    QPainter painter(viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    if (count() == 0) {
        paintEmpty(painter);
        return;
    }
    // Chips in motion may come from a little outside.
    const double margin = 200.0;
    const int last = count() - 1;
    const int from = std::min(last, m_layout.firstEndingAfter(contentX(0) - margin));
    const int to = std::min(last, m_layout.firstEndingAfter(contentX(viewport()->width()) + margin));
    for (int position = from; position <= to; ++position) {
        if (!isLifted(m_layout.tokenAt(position))) {
            paintChip(painter, position, drawnLeft(position), false);
        }
    }
    if (m_drag.isLifted) {
        double left = blockLeft();
        const ThemeColors& colors = themeColors(currentTheme());
        const double gapLeft = m_layout.left(m_layout.positionOf(m_drag.tokens.front())) - contentX(0);
        const int end = m_layout.positionOf(m_drag.tokens.back());
        const double gapRight = m_layout.left(end) + m_layout.width(m_layout.tokenAt(end)) - contentX(0);
        painter.setPen(QPen(colors.accent, 1.0, Qt::DashLine));
        painter.setBrush(colors.accentTint);
        painter.drawRoundedRect(QRectF(gapLeft + 0.5, 1.5, gapRight - gapLeft - 1.0, chipHeight - 1.0),
                                cornerRadius, cornerRadius);
        for (std::size_t index = 0; index < std::min(m_drag.tokens.size(), liftedChipsShown); ++index) {
            const int token = m_drag.tokens[index];
            paintChip(painter, m_layout.positionOf(token), left - contentX(0), true);
            left += m_layout.width(token) + chipGap;
        }
    }
}

void TokenChips::paintChip(QPainter& painter, int position, double left, bool lifted) const {
    const ThemeColors& colors = themeColors(currentTheme());
    const int token = m_layout.tokenAt(position);
    const ChipText& text = m_layout.texts()[static_cast<std::size_t>(token)];
    const QRectF chip(left + 0.5, lifted ? 0.5 : 1.5, m_layout.width(token) - 1.0, chipHeight - 1.0);
    const bool isSelected = m_selectedTokens.contains(token);
    const bool isMarked = position == m_marked || position == m_hovered;
    const bool isAccented = isSelected || lifted || position == m_marked;
    if (lifted) {
        QColor shadow(0, 0, 0, 40);
        painter.setPen(Qt::NoPen);
        painter.setBrush(shadow);
        painter.drawRoundedRect(chip.translated(0.0, 2.0), cornerRadius, cornerRadius);
    }
    painter.setPen(QPen(isAccented ? colors.accent : isMarked ? colors.mutedText : colors.border, 1.0));
    painter.setBrush(isAccented ? colors.accentTint : colors.field);
    painter.drawRoundedRect(chip, cornerRadius, cornerRadius);
    if (hasFocus() && position == m_current && !m_drag.isLifted) {
        painter.setPen(QPen(colors.accent, 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(chip.adjusted(2.0, 2.0, -2.0, -2.0), 4.0, 4.0);
    }
    paintViewed(painter, chip, token);
    paintHandleDots(painter, chip.left(), chip.center().y(), isAccented ? colors.accent : colors.mutedText);

    const QString repeat = text.repeat > 0 ? QString::number(text.repeat) : QString();
    const double repeatWidth =
        repeat.isEmpty() ? 0.0 : QFontMetricsF(repeatFont(font())).horizontalAdvance(repeat) + 1.0;
    const QRectF wordArea(chip.left() + chipTextLeft, chip.top(),
                          chip.width() - chipTextLeft - chipPadding + 2.0 - repeatWidth, chip.height());
    painter.save();
    painter.setClipRect(wordArea.adjusted(-2.0, 0.0, 0.0, 0.0));
    painter.setPen(isAccented ? colors.accent : colors.text);
    painter.setFont(font());
    const QString shown = QFontMetricsF(font()).elidedText(text.word, Qt::ElideRight, wordArea.width() + 1.0);
    painter.drawText(wordArea, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
    painter.restore();
    if (!repeat.isEmpty()) {
        painter.setPen(isAccented ? colors.accent : colors.mutedText);
        painter.setFont(repeatFont(font()));
        painter.drawText(QRectF(wordArea.right(), chip.top() + 7.0, repeatWidth + 4.0, chip.height() - 7.0),
                         Qt::AlignVCenter | Qt::AlignLeft, repeat);
    }
}

/// What is looked at: q, with a solid outline, and k, with a dashed one.
void TokenChips::paintViewed(QPainter& painter, const QRectF& chip, int token) const {
    const bool isQuery = token == m_viewedQuery, isKey = token == m_viewedKey;
    if (!isQuery && !isKey) {
        return;
    }
    const ThemeColors& colors = themeColors(currentTheme());
    painter.setPen(QPen(colors.accent, 1.5, isQuery ? Qt::SolidLine : Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(chip, cornerRadius, cornerRadius);
    painter.setPen(colors.accent);
    painter.setFont(repeatFont(font()));
    painter.drawText(chip.adjusted(0.0, 0.5, -4.5, 0.0), Qt::AlignTop | Qt::AlignRight,
                     isQuery && isKey ? QStringLiteral("qk")
                     : isQuery        ? QStringLiteral("q")
                                      : QStringLiteral("k"));
}

void TokenChips::paintEmpty(QPainter& painter) const {
    const ThemeColors& colors = themeColors(currentTheme());
    painter.setPen(QPen(hasFocus() ? colors.accent : colors.border, 1.0, Qt::DashLine));
    painter.setBrush(Qt::NoBrush);
    const QRectF area(0.5, 1.5, viewport()->width() - 1.0, chipHeight - 1.0);
    painter.drawRoundedRect(area, cornerRadius, cornerRadius);
    painter.setPen(colors.mutedText);
    painter.setFont(font());
    painter.drawText(area.adjusted(12.0, 0.0, -12.0, 0.0), Qt::AlignVCenter | Qt::AlignLeft,
                     tr("Type words or drop a text file here"));
}

}  // namespace phaseladder::ui
