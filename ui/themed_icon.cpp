#include <QFile>
#include <QIconEngine>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

#include <map>
#include <tuple>

#include "ui/resources.h"
#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

QByteArray svgOf(const QString& name) {
    loadResources();
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

/// Draws the lines in the colour of the theme at the time of painting, so icons follow a change of theme by
/// themselves.
class ThemedIconEngine : public QIconEngine {
public:
    ThemedIconEngine(const QString& name, IconColor color)
        : m_name(name), m_svg(svgOf(name)), m_color(color) {}

    void paint(QPainter* painter, const QRect& rectangle, QIcon::Mode mode, QIcon::State state) override {
        const qreal scale = painter->device() == nullptr ? 1.0 : painter->device()->devicePixelRatioF();
        painter->drawPixmap(rectangle, scaledPixmap(rectangle.size() * scale, mode, state, scale));
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
        const QColor color = lineColor(mode, state);
        const auto key = std::tuple(size.width(), size.height(), color.rgba());
        auto found = m_pixmaps.find(key);
        if (found == m_pixmaps.end()) {
            QByteArray colored = m_svg;
            colored.replace("currentColor", color.name().toLatin1());
            QPixmap pixmap(size);
            pixmap.fill(Qt::transparent);
            QPainter painter(&pixmap);
            QSvgRenderer(colored).render(&painter);
            painter.end();
            found = m_pixmaps.emplace(key, pixmap).first;
        }
        QPixmap pixmap = found->second;
        pixmap.setDevicePixelRatio(scale);
        return pixmap;
    }

    bool isNull() override { return m_svg.isEmpty(); }
    QString key() const override { return QStringLiteral("phaseladder"); }
    QString iconName() override { return m_name; }
    QIconEngine* clone() const override { return new ThemedIconEngine(*this); }

private:
    QColor lineColor(QIcon::Mode mode, QIcon::State state) const {
        const ThemeColors& colors = themeColors(currentTheme());
        if (mode == QIcon::Disabled) {
            return currentTheme() == ThemeKind::light ? colors.mutedText.lighter(160)
                                                      : colors.mutedText.darker(170);
        }
        if (state == QIcon::On || m_color == IconColor::accent) {
            return colors.accent;
        }
        switch (m_color) {
            case IconColor::muted:
                return colors.mutedText;
            case IconColor::warning:
                return colors.warning;
            default:
                return colors.text;
        }
    }

    QString m_name;
    QByteArray m_svg;
    IconColor m_color;
    std::map<std::tuple<int, int, QRgb>, QPixmap> m_pixmaps;
};

}  // namespace

QIcon themedIcon(const QString& name, IconColor color) {
    return QIcon(new ThemedIconEngine(name, color));
}

}  // namespace phaseladder::ui
