#include "ui/figure/figure_fonts.h"

#include <QFontDatabase>
#include <QHash>
#include <QRawFont>

#include <algorithm>
#include <iterator>

#include "ui/theme.h"

namespace phaseladder::ui {

namespace {

struct KnownFont {
    const char* family;
    bool isSerif;
};

/// Families that authors use and journals take. Latin Modern is not among them: its cuts for each size share
/// one family name, so that the letters measured might not be those drawn.
constexpr KnownFont knownFonts[] = {
    {"Arial", false},
    {"Liberation Sans", false},
    {"Helvetica", false},
    {"TeX Gyre Heros", false},
    {"Nimbus Sans", false},
    {"DejaVu Sans", false},
    {"Noto Sans", false},
    {"Open Sans", false},
    {"Source Sans 3", false},
    {"Fira Sans", false},
    {"IBM Plex Sans", false},
    {"Lato", false},
    {"CMU Sans Serif", false},
    {"Times New Roman", true},
    {"Liberation Serif", true},
    {"TeX Gyre Termes", true},
    {"TeX Gyre Pagella", true},
    {"Nimbus Roman", true},
    {"STIX", true},
    {"STIX Two Text", true},
    {"Libertinus Serif", true},
    {"DejaVu Serif", true},
    {"Noto Serif", true},
    {"Source Serif 4", true},
    {"CMU Serif", true},
};

/// Signs of the figures besides letters and digits.
const QString figureSigns = QStringLiteral("θλγπΔ×·−–…|=%()/,.≤");

/// By the embedding bits of the font file: Qt leaves a font out of a PDF when it is restricted (2) or may be
/// embedded as bitmaps only (0x200).
bool mayBeEmbedded(const QRawFont& font) {
    constexpr qsizetype typeAt = 8;  // fsType in the table OS/2
    const QByteArray table = font.fontTable("OS/2");
    if (table.size() < typeAt + 2) {
        return false;
    }
    const int type = (uchar(table[typeAt]) << 8) | uchar(table[typeAt + 1]);
    return (type & 0xF) != 2 && (type & 0x200) == 0;
}

QFont largeFont(const QString& family, QFont::Weight weight) {
    QFont font(family);
    font.setWeight(weight);
    font.setPixelSize(100);
    return font;
}

bool isFit(const QString& family) {
    if (!QFontDatabase::hasFamily(family) || !QFontDatabase::isScalable(family)) {
        return false;
    }
    for (const QFont::Weight weight : {QFont::Normal, strongWeight(family)}) {
        const QRawFont font = QRawFont::fromFont(largeFont(family, weight));
        const bool holdsSigns = std::all_of(figureSigns.begin(), figureSigns.end(),
                                            [&](QChar sign) { return font.supportsCharacter(sign); });
        // A heavier cut that is missing would be an emboldened copy of the other.
        if (!font.isValid() || font.familyName() != family || !holdsSigns || !mayBeEmbedded(font) ||
            (weight != QFont::Normal && font.weight() <= QFont::Normal)) {
            return false;
        }
    }
    return true;
}

const KnownFont* findKnownFont(const QString& family) {
    const auto* found =
        std::find_if(std::begin(knownFonts), std::end(knownFonts),
                     [&](const KnownFont& font) { return family == QLatin1StringView(font.family); });
    return found != std::end(knownFonts) ? found : nullptr;
}

}  // namespace

const QStringList& figureFonts() {
    static const QStringList families = [] {
        QStringList fit{bundledFontFamily()};
        for (const KnownFont& known : knownFonts) {
            const QString family = QLatin1StringView(known.family);
            if (isFit(family)) {
                fit.append(family);
            }
        }
        return fit;
    }();
    return families;
}

QFont::Weight strongWeight(const QString& family) {
    static QHash<QString, QFont::Weight> weights;
    const auto known = weights.constFind(family);
    if (known != weights.constEnd()) {
        return *known;
    }
    const QStringList styles = QFontDatabase::styles(family);
    const bool hasMedium = std::any_of(styles.begin(), styles.end(), [&](const QString& style) {
        return QFontDatabase::weight(family, style) == QFont::Medium;
    });
    return *weights.insert(family, hasMedium ? QFont::Medium : QFont::Bold);
}

QString genericFamily(const QString& family) {
    const KnownFont* known = findKnownFont(family);
    return known != nullptr && known->isSerif ? QStringLiteral("serif") : QStringLiteral("sans-serif");
}

bool hasGlyphs(const QFont& font, const QString& text) {
    const QList<uint> characters = text.toUcs4();
    const QRawFont raw = QRawFont::fromFont(font);
    return std::all_of(characters.begin(), characters.end(),
                       [&](uint character) { return raw.supportsCharacter(character); });
}

}  // namespace phaseladder::ui
