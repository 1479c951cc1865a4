#include "ui/figure/pane_parts.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QStringList>

#include <cmath>

#include "ui/figure/text_advance.h"
#include "ui/theme.h"

namespace phaseladder::ui {
namespace {

constexpr int chipHeight = 18, chipPadding = 8, chipGap = 6, chipFontPixels = 11;
constexpr int busyDelayMilliseconds = 150;

QFont fontOfPixels(const QWidget* widget, int pixels) {
    QFont font = widget->font();
    font.setPixelSize(pixels);
    return font;
}

struct ChipColors {
    QColor text, ground;
};

ChipColors chipColors(Tone tone) {
    const ThemeColors& colors = themeColors(currentTheme());
    switch (tone) {
        case Tone::good:
            return {colors.good, colors.goodTint};
        case Tone::warning:
            return {colors.warning, colors.warningTint};
        case Tone::neutral:
            break;
    }
    return {colors.mutedText, colors.neutralChip};
}

}  // namespace

ChipRow::ChipRow(QWidget* parent) : QWidget(parent) {
    setFixedHeight(chipHeight);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChipRow::setReadouts(const std::vector<Readout>& readouts) {
    m_chips.clear();
    QStringList texts;
    for (const Readout& readout : readouts) {
        if (!readout.chip.empty()) {
            m_chips.append({QString::fromStdString(readout.chip), readout.tone});
            texts.append(m_chips.last().text);
        }
    }
    setToolTip(texts.join(QLatin1Char('\n')));
    setAccessibleName(texts.join(QStringLiteral(", ")));
    update();
}

void ChipRow::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QFont font = fontOfPixels(this, chipFontPixels);
    const QFontMetricsF metrics(font);
    painter.setFont(font);
    double x = 0.0;
    for (const Chip& chip : m_chips) {
        const double room = width() - x - 2.0 * chipPadding;
        const double wanted = std::ceil(textAdvance(font, chip.text));
        if (room < (x == 0.0 ? 24.0 : wanted)) {
            break;
        }
        const QString text = metrics.elidedText(chip.text, Qt::ElideRight, room);
        const QRectF rect(x, 0.0, std::min(wanted, room) + 2.0 * chipPadding, chipHeight);
        const ChipColors colors = chipColors(chip.tone);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colors.ground);
        painter.drawRoundedRect(rect, chipHeight / 2.0, chipHeight / 2.0);
        painter.setPen(colors.text);
        painter.drawText(rect, Qt::AlignCenter, text);
        x = rect.right() + chipGap;
    }
}

ElidedLine::ElidedLine(int fontPixels, int height, QWidget* parent)
    : QWidget(parent), m_fontPixels(fontPixels) {
    setFixedHeight(height);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ElidedLine::setText(const QString& text) {
    if (text != m_text) {
        m_text = text;
        setAccessibleName(text);
        update();
    }
}

int ElidedLine::wantedWidth() const {
    return static_cast<int>(std::ceil(textAdvance(fontOfPixels(this, m_fontPixels), m_text)));
}

void ElidedLine::setColors(const QColor& text, const QColor& ground) {
    m_color = text;
    m_ground = ground;
    update();
}

void ElidedLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    double inset = 0.0;
    if (m_ground.isValid()) {
        inset = 8.0;
        painter.setPen(Qt::NoPen);
        painter.setBrush(m_ground);
        painter.drawRoundedRect(QRectF(rect()), 4.0, 4.0);
    }
    const QFont font = fontOfPixels(this, m_fontPixels);
    const QRectF room = QRectF(rect()).adjusted(inset, 0.0, -inset, 0.0);
    const QString shown = QFontMetricsF(font).elidedText(m_text, Qt::ElideRight, room.width());
    setToolTip(shown == m_text ? QString() : m_text);
    painter.setFont(font);
    painter.setPen(m_color);
    painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter, shown);
}

BusyLine::BusyLine(QWidget* parent) : QWidget(parent) {
    setFixedHeight(2);
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    m_delay.setSingleShot(true);
    m_delay.setInterval(busyDelayMilliseconds);
    m_motion.setInterval(30);
    connect(&m_delay, &QTimer::timeout, this, [this] {
        show();
        raise();
        if (!reducedMotion()) {
            m_motion.start();
        }
    });
    connect(&m_motion, &QTimer::timeout, this, [this] {
        m_phase = std::fmod(m_phase + 0.02, 1.0);
        update();
    });
}

void BusyLine::setBusy(bool busy) {
    if (busy) {
        if (!isVisible() && !m_delay.isActive()) {
            m_delay.start();
        }
        return;
    }
    m_delay.stop();
    m_motion.stop();
    m_share = -1.0;
    hide();
}

void BusyLine::setShare(double share) {
    m_share = share;
    m_motion.stop();
    update();
}

void BusyLine::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const ThemeColors& colors = themeColors(currentTheme());
    painter.fillRect(rect(), colors.grid);
    if (m_share >= 0.0) {
        painter.fillRect(QRectF(0.0, 0.0, m_share * width(), height()), colors.accent);
        return;
    }
    const double length = width() * 0.3;
    const double left = reducedMotion() ? 0.0 : m_phase * (width() + length) - length;
    painter.fillRect(QRectF(left, 0.0, reducedMotion() ? width() : length, height()), colors.accent);
}

}  // namespace phaseladder::ui
