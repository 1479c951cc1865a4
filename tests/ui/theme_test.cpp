#include <QApplication>
#include <QDir>
#include <QFontDatabase>
#include <QTest>

#include <cmath>

#include "ui/theme.h"

using phaseladder::ui::ThemeColors;
using phaseladder::ui::ThemeKind;

namespace {

double luminance(const QColor& color) {
    const auto linear = [](double channel) {
        return channel <= 0.03928 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// WCAG 2.2.
double contrast(const QColor& one, const QColor& other) {
    const double lighter = std::max(luminance(one), luminance(other));
    const double darker = std::min(luminance(one), luminance(other));
    return (lighter + 0.05) / (darker + 0.05);
}

}  // namespace

class ThemeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void textContrastIsAtLeastFourAndAHalf_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void textContrastIsAtLeastFourAndAHalf() {
        QFETCH(bool, dark);
        const ThemeColors& colors = phaseladder::ui::themeColors(dark ? ThemeKind::dark : ThemeKind::light);
        for (const QColor& ground : {colors.window, colors.panel, colors.field}) {
            for (const QColor& text :
                 {colors.text, colors.mutedText, colors.accent, colors.warning, colors.error, colors.good}) {
                QVERIFY2(contrast(text, ground) >= 4.5, qPrintable(text.name() + ground.name()));
            }
        }
        QVERIFY(contrast(colors.accentText, colors.accent) >= 4.5);
        QVERIFY(contrast(colors.accent, colors.accentTint) >= 4.5);
        QVERIFY(contrast(colors.warning, colors.warningTint) >= 4.5);
        QVERIFY(contrast(colors.good, colors.goodTint) >= 4.5);
        QVERIFY(contrast(colors.error, colors.errorTint) >= 4.5);
        QVERIFY(contrast(colors.mutedText, colors.neutralChip) >= 4.5);
    }

    void theChoiceOutweighsTheSystem() {
        using phaseladder::ui::MotionChoice;
        using phaseladder::ui::ThemeChoice;
        QVERIFY(phaseladder::ui::themeOf(ThemeChoice::dark) == ThemeKind::dark);
        QVERIFY(phaseladder::ui::themeOf(ThemeChoice::light) == ThemeKind::light);
        const ThemeKind system = phaseladder::ui::themeOf(ThemeChoice::system);
        phaseladder::ui::applyTheme(*qApp, ThemeKind::dark);  // our own palette is not the desktop's
        QVERIFY(phaseladder::ui::themeOf(ThemeChoice::system) == system);
        const bool systemReduces = phaseladder::ui::reducedMotion();
        phaseladder::ui::setMotion(MotionChoice::reduced);
        QVERIFY(phaseladder::ui::reducedMotion());
        QVERIFY(!QApplication::isEffectEnabled(Qt::UI_General));
        phaseladder::ui::setMotion(MotionChoice::full);
        QVERIFY(!phaseladder::ui::reducedMotion());
        phaseladder::ui::setMotion(MotionChoice::system);
        QCOMPARE(phaseladder::ui::reducedMotion(), systemReduces);
    }

    void theBundledFontHasTabularFigures() {
        QFont font(phaseladder::ui::bundledFontFamily());
        font.setPixelSize(130);
        const QFontMetricsF metrics(font);
        for (const QChar digit : QStringLiteral("123456789")) {
            QCOMPARE(metrics.horizontalAdvance(digit), metrics.horizontalAdvance(QLatin1Char('0')));
        }
        QCOMPARE(QFontInfo(font).family(), QStringLiteral("Roboto"));
    }

    void everyIconIsDrawnInTheThemesColours() {
        phaseladder::ui::applyTheme(*qApp, ThemeKind::light);
        const QStringList files = QDir(QStringLiteral(":/icons")).entryList({QStringLiteral("*.svg")});
        QVERIFY(files.size() >= 40);
        for (const QString& file : files) {
            const QString name = file.chopped(4);
            if (name.endsWith(QLatin1StringView("-light")) || name.endsWith(QLatin1StringView("-dark"))) {
                continue;
            }
            const QIcon icon = phaseladder::ui::themedIcon(name);
            const auto darkest = [&] {
                const QImage image = icon.pixmap(40, 40).toImage();
                QColor found;
                int alpha = 0;
                for (int y = 0; y < image.height(); ++y) {
                    for (int x = 0; x < image.width(); ++x) {
                        if (image.pixelColor(x, y).alpha() > alpha) {
                            found = image.pixelColor(x, y);
                            alpha = found.alpha();
                        }
                    }
                }
                return found;
            };
            phaseladder::ui::applyTheme(*qApp, ThemeKind::light);
            QVERIFY2(contrast(darkest(), Qt::white) > 7.0, qPrintable(name));
            phaseladder::ui::applyTheme(*qApp, ThemeKind::dark);
            QVERIFY2(contrast(darkest(), Qt::black) > 7.0, qPrintable(name));
        }
        QVERIFY(phaseladder::ui::themedIcon(QStringLiteral("nothing")).isNull());
    }
};

QTEST_MAIN(ThemeTest)
#include "theme_test.moc"
