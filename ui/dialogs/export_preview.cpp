#include "ui/dialogs/export_preview.h"

#include <QPainter>
#include <QScreen>

#include <cmath>

#include "ui/figure/figure_painter.h"
#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

constexpr double ruler = 22.0;   // pixels
constexpr double margin = 12.0;  // around the page
constexpr double pointsPerInch = 72.0;
constexpr double pointsPerMillimetre = 72.0 / 25.4;
constexpr int chequer = 8;

}  // namespace

ExportPreview::ExportPreview(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("export_preview"));
    setAccessibleName(tr("Preview at true size"));
}

void ExportPreview::showPage(const LaidOutFigure& page, bool transparent) {
    m_page = page;
    m_transparent = transparent;
    setAccessibleDescription(tr("%1, %2 by %3 mm")
                                 .arg(page.title)
                                 .arg(page.sizePoints.width() / pointsPerMillimetre, 0, 'f', 1)
                                 .arg(page.sizePoints.height() / pointsPerMillimetre, 0, 'f', 1));
    resize(sizeHint());
    setMinimumSize(sizeHint());
    updateGeometry();
    update();
}

/// By the screen's own size where it tells a believable one.
double ExportPreview::pixelsPerPoint() const {
    const double physical = screen() != nullptr ? screen()->physicalDotsPerInch() : 0.0;
    const double dpi = physical >= 60.0 && physical <= 400.0 ? physical : logicalDpiX();
    return dpi / pointsPerInch;
}

QSize ExportPreview::sizeHint() const {
    const QSizeF page = m_page.sizePoints * pixelsPerPoint();
    return QSizeF(ruler + page.width() + 2.0 * margin, ruler + page.height() + 2.0 * margin).toSize();
}

void ExportPreview::paintRulers(QPainter& painter, const QRectF& page) const {
    const ThemeColors& colors = themeColors(currentTheme());
    const double millimetre = pointsPerMillimetre * pixelsPerPoint();
    QFont font = this->font();
    font.setPixelSize(10);
    painter.setFont(font);
    painter.setPen(colors.mutedText);
    const auto paintAlong = [&](double length, bool isHorizontal) {
        for (int tick = 0; tick * millimetre <= length + 0.01; ++tick) {
            const double at = tick * millimetre;
            const double size = tick % 10 == 0 ? 8.0 : tick % 5 == 0 ? 5.0 : 3.0;
            painter.drawLine(isHorizontal ? QLineF(page.left() + at, ruler - size, page.left() + at, ruler)
                                          : QLineF(ruler - size, page.top() + at, ruler, page.top() + at));
            if (tick % 10 != 0) {
                continue;
            }
            painter.save();
            painter.translate(isHorizontal ? QPointF(page.left() + at, 10.0)
                                           : QPointF(10.0, page.top() + at));
            painter.rotate(isHorizontal ? 0.0 : -90.0);
            painter.drawText(QRectF(-20.0, -9.0, 40.0, 12.0), Qt::AlignCenter, QString::number(tick));
            painter.restore();
        }
    };
    paintAlong(page.width(), true);
    paintAlong(page.height(), false);
    painter.drawText(QRectF(0.0, 2.0, ruler, 12.0), Qt::AlignCenter, QStringLiteral("mm"));
}

void ExportPreview::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = themeColors(currentTheme());
    QPainter painter(this);
    painter.fillRect(rect(), colors.window);
    const double scale = pixelsPerPoint();
    const QRectF page(QPointF(ruler + margin, ruler + margin), m_page.sizePoints * scale);
    paintRulers(painter, page);
    if (m_transparent) {
        for (int row = 0; row * chequer < page.height(); ++row) {
            for (int column = 0; column * chequer < page.width(); ++column) {
                const QRectF square(page.left() + column * chequer, page.top() + row * chequer, chequer,
                                    chequer);
                const QColor shade = QColor::fromRgb((row + column) % 2 == 0 ? 0xFFFFFFU : 0xE4E7EBU);
                painter.fillRect(square.intersected(page), shade);
            }
        }
    }
    painter.save();
    painter.setClipRect(page);
    painter.translate(page.topLeft());
    painter.scale(scale, scale);
    paintFigure(painter, m_page);
    painter.restore();
    painter.setPen(colors.border);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(page);
}

}  // namespace phaseladder::ui
