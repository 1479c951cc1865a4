#include "ui/figure/content_texts.h"

#include <algorithm>
#include <cmath>

namespace phaseladder::ui {
namespace {

constexpr double smallestShare = 0.6;  // of the wanted size
constexpr double shareStep = 0.05;
constexpr double neighbourGap = 0.8;  // between texts on one line, of the size
constexpr int manyLines = 1000;

/// A text and the room that it has in a plot.
struct Piece {
    const Text* text = nullptr;
    QPointF at;
    QString words;
};

struct PlacedPiece {
    Piece piece;
    QStringList lines;
};

QList<Piece> shownPieces(const Panel& panel, const PlotMapping& mapping) {
    QList<Piece> pieces;
    const QRectF reach = mapping.rect().adjusted(-0.5, -0.5, 0.5, 0.5);
    for (const Layer& layer : panel.layers) {
        const auto* text = std::get_if<Text>(&layer);
        if (text != nullptr && reach.contains(mapping.pixel(text->x, text->y))) {
            pieces.append({text, mapping.pixel(text->x, text->y), QString::fromStdString(text->text)});
        }
    }
    return pieces;
}

/// The middle of the first line, moved so that the line lies inside the plot.
double firstMiddle(const Piece& piece, const QRectF& plot, double line) {
    return std::clamp(piece.at.y(), plot.top() + 0.5 * line,
                      std::max(plot.top(), plot.bottom() - 0.5 * line));
}

/// To the next text on the same line, or the plot's border.
double roomAcross(const Piece& piece, const QList<Piece>& all, const QRectF& plot, const TextStyle& text) {
    double right = plot.right();
    for (const Piece& other : all) {
        if (other.at.x() > piece.at.x() && std::abs(other.at.y() - piece.at.y()) < 0.5 * lineHeight(text)) {
            right = std::min(right, other.at.x() - neighbourGap * text.sizePoints);
        }
    }
    return right - piece.at.x();
}

/// Lines from the first one to the next text below that begins left of this one's end, or the plot's border.
int roomBelow(const Piece& piece, double width, const QList<Piece>& all, const QRectF& plot,
              const TextStyle& text) {
    const double line = lineHeight(text);
    const double first = firstMiddle(piece, plot, line);
    double last = plot.bottom() - 0.5 * line;
    for (const Piece& other : all) {
        const bool isBelow = other.at.y() >= piece.at.y() + 0.5 * line;
        const bool isInTheWay =
            other.at.x() < piece.at.x() + width && other.at.x() + textWidth(other.words, text) > piece.at.x();
        if (isBelow && isInTheWay) {
            last = std::min(last, firstMiddle(other, plot, line) - line);
        }
    }
    return 1 + static_cast<int>(std::floor((last - first) / line + 0.01));
}

}  // namespace

QList<TextRun> contentTexts(const Panel& panel, const PlotMapping& mapping, const FigureStyle& style,
                            const TextStyle& text) {
    const QList<Piece> pieces = shownPieces(panel, mapping);
    const QRectF& plot = mapping.rect();
    TextStyle own = text;
    QList<PlacedPiece> placed;
    for (double share = 1.0; share > smallestShare - 0.5 * shareStep; share -= shareStep) {
        own.sizePoints = share * text.sizePoints;
        placed.clear();
        bool fits = true;
        for (const Piece& piece : pieces) {
            const double width = roomAcross(piece, pieces, plot, own);
            const QStringList all = textWidth(piece.words, own) <= width
                                        ? QStringList{piece.words}
                                        : wrappedText(piece.words, own, width, manyLines);
            const int room =
                roomBelow(piece, std::min(width, textWidth(piece.words, own)), pieces, plot, own);
            const bool isBroken = std::ranges::any_of(all, [&](const QString& line) {  // inside a word
                return all.size() > 1 && !piece.words.simplified().contains(line);
            });
            fits = fits && !isBroken && all.size() <= room;
            placed.append(
                {piece, all.size() <= room ? all : wrappedText(piece.words, own, width, std::max(1, room))});
        }
        if (fits) {
            break;
        }
    }
    const double line = lineHeight(own), cap = capHeight(own);
    QList<TextRun> runs;
    for (const PlacedPiece& one : std::as_const(placed)) {
        own.color = style.role(one.piece.text->role).line;
        double middle = firstMiddle(one.piece, plot, line);
        for (const QString& words : one.lines) {
            runs.append(textRuns({one.piece.at.x(), middle + 0.5 * cap}, words, own));
            middle += line;
        }
    }
    return runs;
}

}  // namespace phaseladder::ui
