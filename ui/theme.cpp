#include "ui/theme.h"

#include <QApplication>
#include <QCoreApplication>
#include <QEvent>
#include <QFile>
#include <QFont>
#include <QFontDatabase>
#include <QPalette>
#include <QStyle>
#include <QStyleFactory>
#include <QStyleHints>
#include <QWidget>

#include <utility>

#include "ui/resources.h"

namespace phaseladder::ui {

namespace {

ThemeKind activeTheme = ThemeKind::light;
MotionChoice activeMotion = MotionChoice::system;

/// Asked before our own palette replaces the desktop's.
ThemeKind systemTheme() {
    static const ThemeKind theme = QGuiApplication::palette().color(QPalette::Window).lightness() < 128
                                       ? ThemeKind::dark
                                       : ThemeKind::light;
    return theme;
}

ThemeColors lightColors() {
    ThemeColors colors;
    colors.window = QColor(0xF5F6F8);
    colors.panel = QColor(0xFFFFFF);
    colors.field = QColor(0xFFFFFF);
    colors.border = QColor(0xD9DEE5);
    colors.grid = QColor(0xE8EBEF);
    colors.text = QColor(0x1A1F26);
    colors.mutedText = QColor(0x5A6472);
    colors.accent = QColor(0x1F5FD6);
    colors.accentTint = QColor(0xE3EDFC);
    colors.accentText = QColor(0xFFFFFF);
    colors.base = QColor(0x5A6472);
    colors.pinned = QColor(0xC4541A);
    colors.trainedTint = QColor(0xE6F4EA);
    colors.beyondTint = QColor(0xF7D9D3);
    colors.warning = QColor(0x8A5A00);
    colors.warningTint = QColor(0xFFF4DB);
    colors.error = QColor(0xB3261E);
    colors.errorTint = QColor(0xFCECEA);
    colors.good = QColor(0x1B7F4B);
    colors.goodTint = QColor(0xEAF6EE);
    colors.neutralChip = QColor(0xEEF2F7);
    return colors;
}

ThemeColors darkColors() {
    ThemeColors colors;
    colors.window = QColor(0x14171C);
    colors.panel = QColor(0x1B1F26);
    colors.field = QColor(0x12151A);
    colors.border = QColor(0x2C323B);
    colors.grid = QColor(0x262B33);
    colors.text = QColor(0xE7EBF0);
    colors.mutedText = QColor(0x9AA5B3);
    colors.accent = QColor(0x6EA2FF);
    colors.accentTint = QColor(0x1E2F52);
    colors.accentText = QColor(0x0F1319);
    colors.base = QColor(0x9AA5B3);
    colors.pinned = QColor(0xFF9A5C);
    colors.trainedTint = QColor(0x16301F);
    colors.beyondTint = QColor(0x47251F);
    colors.warning = QColor(0xF2B84B);
    colors.warningTint = QColor(0x3A2E12);
    colors.error = QColor(0xFF8A80);
    colors.errorTint = QColor(0x3B1D1B);
    colors.good = QColor(0x6FD39E);
    colors.goodTint = QColor(0x16301F);
    colors.neutralChip = QColor(0x242A33);
    return colors;
}

/// Text of something that cannot be used now: between muted text and its ground.
QColor disabledText(const ThemeColors& colors) {
    const auto middle = [&](int muted, int ground) { return (muted * 3 + ground * 2) / 5; };
    return QColor(middle(colors.mutedText.red(), colors.panel.red()),
                  middle(colors.mutedText.green(), colors.panel.green()),
                  middle(colors.mutedText.blue(), colors.panel.blue()));
}

QPalette paletteOf(const ThemeColors& colors) {
    QPalette palette;
    palette.setColor(QPalette::Window, colors.window);
    palette.setColor(QPalette::WindowText, colors.text);
    palette.setColor(QPalette::Base, colors.field);
    palette.setColor(QPalette::AlternateBase, colors.window);
    palette.setColor(QPalette::Text, colors.text);
    palette.setColor(QPalette::PlaceholderText, colors.mutedText);
    palette.setColor(QPalette::Button, colors.panel);
    palette.setColor(QPalette::ButtonText, colors.text);
    palette.setColor(QPalette::BrightText, colors.error);
    palette.setColor(QPalette::ToolTipBase, colors.panel);
    palette.setColor(QPalette::ToolTipText, colors.text);
    palette.setColor(QPalette::Highlight, colors.accent);
    palette.setColor(QPalette::HighlightedText, colors.accentText);
    palette.setColor(QPalette::Link, colors.accent);
    palette.setColor(QPalette::LinkVisited, colors.accent);
    palette.setColor(QPalette::Light, colors.panel);
    palette.setColor(QPalette::Midlight, colors.grid);
    palette.setColor(QPalette::Mid, colors.border);
    palette.setColor(QPalette::Dark, colors.border);
    palette.setColor(QPalette::Shadow, colors.border);
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        palette.setColor(QPalette::Disabled, role, disabledText(colors));
    }
    return palette;
}

QString styleSheetOf(ThemeKind kind) {
    QFile file(QStringLiteral(":/icons/window.qss"));
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    Q_UNUSED(opened);
    QString sheet = QString::fromUtf8(file.readAll());
    const ThemeColors& colors = themeColors(kind);
    const QColor accentHover =
        kind == ThemeKind::light ? colors.accent.darker(112) : colors.accent.lighter(108);
    const std::pair<const char*, QColor> roles[] = {
        {"window", colors.window},
        {"panel", colors.panel},
        {"field", colors.field},
        {"border", colors.border},
        {"text", colors.text},
        {"mutedText", colors.mutedText},
        {"disabledText", disabledText(colors)},
        {"accent", colors.accent},
        {"accentHover", accentHover},
        {"accentTint", colors.accentTint},
        {"accentText", colors.accentText},
        {"warning", colors.warning},
        {"warningTint", colors.warningTint},
        {"error", colors.error},
        {"errorTint", colors.errorTint},
        {"good", colors.good},
        {"goodTint", colors.goodTint},
        {"neutralChip", colors.neutralChip},
    };
    for (const auto& [name, color] : roles) {
        sheet.replace(QLatin1Char('@') + QLatin1StringView(name) + QLatin1Char('@'), color.name());
    }
    sheet.replace(QStringLiteral("@theme@"),
                  kind == ThemeKind::light ? QStringLiteral("light") : QStringLiteral("dark"));
    return sheet;
}

}  // namespace

const ThemeColors& themeColors(ThemeKind kind) {
    static const ThemeColors light = lightColors();
    static const ThemeColors dark = darkColors();
    return kind == ThemeKind::light ? light : dark;
}

void applyTheme(QApplication& application, ThemeKind kind) {
    static_cast<void>(systemTheme());
    activeTheme = kind;
    QFont font(bundledFontFamily());
    font.setPixelSize(13);
    font.setHintingPreference(QFont::PreferVerticalHinting);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setFont(font);
    QApplication::setPalette(paletteOf(themeColors(kind)));
    application.setStyleSheet(styleSheetOf(kind));
}

ThemeKind currentTheme() {
    return activeTheme;
}

ThemeKind themeOf(ThemeChoice choice) {
    switch (choice) {
        case ThemeChoice::light:
            return ThemeKind::light;
        case ThemeChoice::dark:
            return ThemeKind::dark;
        case ThemeChoice::system:
            break;
    }
    return systemTheme();
}

QString bundledFontFamily() {
    static const QString family = [] {
        loadResources();
        const int regular = QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/Roboto-Regular.ttf"));
        QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/Roboto-Medium.ttf"));
        const QStringList families = QFontDatabase::applicationFontFamilies(regular);
        return families.isEmpty() ? QFont().defaultFamily() : families.first();
    }();
    return family;
}

void restyle(QWidget* widget) {
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    QEvent changed(QEvent::StyleChange);  // a frame takes its padding from the sheet only when told
    QCoreApplication::sendEvent(widget, &changed);
    widget->updateGeometry();
}

bool reducedMotion() {
    if (activeMotion != MotionChoice::system) {
        return activeMotion == MotionChoice::reduced;
    }
    static const bool wanted = qEnvironmentVariable("PHASELADDER_REDUCED_MOTION") == QLatin1StringView("1");
    return wanted ||
           (qApp != nullptr && QApplication::style()->styleHint(QStyle::SH_Widget_Animation_Duration) == 0);
}

void setMotion(MotionChoice choice) {
    static const bool qtAnimates = QApplication::isEffectEnabled(Qt::UI_General);
    activeMotion = choice;
    QApplication::setEffectEnabled(Qt::UI_General, qtAnimates && !reducedMotion());
}

}  // namespace phaseladder::ui
