#include "ui/figure/figure_text_runs.h"

#include <QFontMetricsF>
#include <QTransform>

#include <algorithm>

#include "ui/figure/figure_fonts.h"
#include "ui/figure/text_advance.h"

namespace phaseladder::ui {

namespace {

/// Fonts are measured large, without hinting, and scaled: the widths are then the same at every size and on
/// every device.
constexpr int measuredPixels = 200;

constexpr double smallShare = 0.70;       // size of super- and subscripts
constexpr double superscriptRise = 0.36;  // of the size
constexpr double subscriptRise = -0.14;

QFont measuringFont(const TextStyle& style) {
    QFont font = textFont(style);
    font.setPixelSize(measuredPixels);
    return font;
}

QFontMetricsF metricsOf(const TextStyle& style) {
    return QFontMetricsF(measuringFont(style));
}

double scaleOf(const TextStyle& style) {
    return style.sizePoints / measuredPixels;
}

struct Piece {
    QString text;
    double rise = 0.0;  // 0: on the baseline at full size
};

const QString superscripts = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺");
const QString subscripts = QStringLiteral("₀₁₂₃₄₅₆₇₈₉₋₊");
const QString plainSigns = QStringLiteral("0123456789\u2212+");

/// The plain character of a superscript or subscript, or the character itself; the rise says which.
QChar plainCharacter(QChar character, double& rise) {
    rise = 0.0;
    if (const qsizetype at = superscripts.indexOf(character); at >= 0) {
        rise = superscriptRise;
        return plainSigns[at];
    }
    if (const qsizetype at = subscripts.indexOf(character); at >= 0) {
        rise = subscriptRise;
        return plainSigns[at];
    }
    return character;
}

QList<Piece> piecesOf(const QString& text) {
    QList<Piece> pieces;
    for (const QChar character : text) {
        double rise = 0.0;
        const QChar plain = plainCharacter(character, rise);
        if (pieces.isEmpty() || pieces.last().rise != rise) {
            pieces.append({QString(), rise});
        }
        pieces.last().text.append(plain);
    }
    return pieces;
}

TextStyle styleOf(const Piece& piece, const TextStyle& style) {
    TextStyle own = style;
    if (piece.rise != 0.0) {
        own.sizePoints *= smallShare;
    }
    return own;
}

double plainWidth(const QString& text, const TextStyle& style) {
    return textAdvance(measuringFont(style), text) * scaleOf(style);
}

}  // namespace

QFont textFont(const TextStyle& style) {
    QFont font(style.family);
    font.setWeight(style.strong ? strongWeight(style.family) : QFont::Normal);
    font.setHintingPreference(QFont::PreferNoHinting);
    font.setStyleHint(QFont::SansSerif);
    font.setStyleStrategy(QFont::NoSubpixelAntialias);  // a picture is not made for one screen
    font.setPixelSize(std::max(1, qRound(style.sizePoints)));
    return font;
}

double capHeight(const TextStyle& style) {
    return metricsOf(style).capHeight() * scaleOf(style);
}

double lineHeight(const TextStyle& style) {
    return 1.2 * style.sizePoints;
}

double textWidth(const QString& text, const TextStyle& style) {
    double width = 0.0;
    for (const Piece& piece : piecesOf(text)) {
        width += plainWidth(piece.text, styleOf(piece, style));
    }
    return width;
}

QList<TextRun> textRuns(QPointF anchor, const QString& text, const TextStyle& style, Qt::Alignment alignment,
                        double degrees) {
    const QList<Piece> pieces = piecesOf(text);
    const QFont font = textFont(style);
    if (pieces.size() == 1 && pieces.first().rise == 0.0) {
        return {{anchor, text, font, style.sizePoints, style.color, alignment, degrees, false}};
    }
    QTransform turned;
    turned.translate(anchor.x(), anchor.y());
    turned.rotate(degrees);
    const double width = textWidth(text, style);
    double x = alignment.testFlag(Qt::AlignHCenter) ? -0.5 * width
               : alignment.testFlag(Qt::AlignRight) ? -width
                                                    : 0.0;
    QList<TextRun> runs;
    for (const Piece& piece : pieces) {
        const TextStyle own = styleOf(piece, style);
        const QPointF at = turned.map(QPointF(x, -piece.rise * style.sizePoints));
        runs.append(
            {at, piece.text, font, own.sizePoints, style.color, Qt::AlignLeft, degrees, piece.rise != 0.0});
        x += plainWidth(piece.text, own);
    }
    return runs;
}

QString raised(const QString& digits) {
    QString text = digits;
    for (QChar& character : text) {
        if (const qsizetype at = plainSigns.indexOf(character); at >= 0) {
            character = superscripts[at];
        }
    }
    return text;
}

double runWidth(const TextRun& run) {
    QFont font = run.font;
    font.setPixelSize(measuredPixels);
    return textAdvance(font, run.text) * run.sizePoints / measuredPixels;
}

double leftOfAnchor(const TextRun& run) {
    return run.alignment.testFlag(Qt::AlignHCenter) ? 0.5 * runWidth(run)
           : run.alignment.testFlag(Qt::AlignRight) ? runWidth(run)
                                                    : 0.0;
}

QRectF textBounds(const TextRun& run) {
    QFont font = run.font;
    font.setPixelSize(measuredPixels);
    const double scale = run.sizePoints / measuredPixels;
    const QFontMetricsF metrics(font);
    const QRectF tight = metrics.tightBoundingRect(run.text);
    const QRectF box(-leftOfAnchor(run), tight.top() * scale, runWidth(run), tight.height() * scale);
    QTransform turned;
    turned.translate(run.anchor.x(), run.anchor.y());
    turned.rotate(run.degrees);
    return turned.mapRect(box);
}

QString elidedText(const QString& text, const TextStyle& style, double width) {
    if (textWidth(text, style) <= width) {
        return text;
    }
    const auto shortenedTo = [&text](qsizetype length) {
        const bool splitsPair = length > 0 && text[length - 1].isHighSurrogate();
        return text.first(splitsPair ? length - 1 : length).trimmed() + QChar(0x2026);
    };
    qsizetype fits = 0;
    qsizetype tooLong = 1;  // doubled first: what does not fit is seldom measured, however long the text
    while (tooLong < text.size() && textWidth(shortenedTo(tooLong), style) <= width) {
        fits = tooLong;
        tooLong = std::min(2 * tooLong, text.size());
    }
    while (fits + 1 < tooLong) {
        const qsizetype middle = fits + (tooLong - fits) / 2;
        (textWidth(shortenedTo(middle), style) <= width ? fits : tooLong) = middle;
    }
    return shortenedTo(fits);
}

QStringList wrappedText(const QString& text, const TextStyle& style, double width, int mostLines) {
    QStringList lines;
    QString line;
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (qsizetype index = 0; index < words.size(); ++index) {
        const QString longer = line.isEmpty() ? words[index] : line + QLatin1Char(' ') + words[index];
        if (line.isEmpty() || textWidth(longer, style) <= width) {
            line = longer;
            continue;
        }
        if (lines.size() == mostLines - 1) {
            line = longer + QLatin1Char(' ') + words.mid(index + 1).join(QLatin1Char(' '));
            break;
        }
        lines.append(elidedText(line, style, width));
        line = words[index];
    }
    if (!line.isEmpty()) {
        lines.append(elidedText(line, style, width));
    }
    return lines;
}

}  // namespace phaseladder::ui
