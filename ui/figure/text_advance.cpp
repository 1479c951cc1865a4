#include "ui/figure/text_advance.h"

#include <QFontMetricsF>
#include <QHash>

namespace phaseladder::ui {
namespace {

constexpr qsizetype mostRemembered = 8192;
constexpr qsizetype longestRemembered = 64;  // characters

struct MeasuredText {
    QFont font;
    QString text;

    friend bool operator==(const MeasuredText&, const MeasuredText&) = default;
    friend size_t qHash(const MeasuredText& key, size_t seed) {
        return qHashMulti(seed, key.font.pixelSize(), key.font.weight(), key.text);
    }
};

}  // namespace

double textAdvance(const QFont& font, const QString& text) {
    if (text.size() > longestRemembered) {
        return QFontMetricsF(font).horizontalAdvance(text);
    }
    thread_local QHash<MeasuredText, double> measured;  // files may be drawn beside the window
    const MeasuredText key{font, text};
    if (const auto found = measured.constFind(key); found != measured.cend()) {
        return *found;
    }
    if (measured.size() >= mostRemembered) {
        measured.clear();
    }
    return *measured.insert(key, QFontMetricsF(font).horizontalAdvance(text));
}

}  // namespace phaseladder::ui
