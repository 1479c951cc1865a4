#pragma once

#include <QColor>
#include <QList>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <QStringList>

#include "ui/figure/figure_layout.h"

namespace phaseladder::ui {

struct TextStyle {
    QString family;
    double sizePoints = 9.0;
    bool strong = false;  ///< the medium weight of titles
    QColor color;
};

/// The font of a style; its pixel size is the nearest whole one (TextRun carries the true size).
[[nodiscard]] QFont textFont(const TextStyle& style);

/// Heights in points, from the font's own tables: of capital letters, and of a line.
[[nodiscard]] double capHeight(const TextStyle& style);
[[nodiscard]] double lineHeight(const TextStyle& style);

/// Width in points as it will be drawn. Unicode superscripts and subscripts count as smaller raised and
/// lowered runs.
[[nodiscard]] double textWidth(const QString& text, const TextStyle& style);

/// A text placed with its anchor on the baseline, as runs: superscripts and subscripts become runs of their
/// own, so that no font needs glyphs for them.
[[nodiscard]] QList<TextRun> textRuns(QPointF anchor, const QString& text, const TextStyle& style,
                                      Qt::Alignment alignment = Qt::AlignLeft, double degrees = 0.0);

/// Digits and signs as superscripts, in the way that textRuns reads.
[[nodiscard]] QString raised(const QString& digits);

/// Width of a placed run, and how much of it lies left of the anchor.
[[nodiscard]] double runWidth(const TextRun& run);
[[nodiscard]] double leftOfAnchor(const TextRun& run);

/// The box around a placed run (of its letters, not of its line).
[[nodiscard]] QRectF textBounds(const TextRun& run);

/// Lines of at most `width` points, at most `mostLines`; the last one ends in "…" when the text is longer.
[[nodiscard]] QStringList wrappedText(const QString& text, const TextStyle& style, double width,
                                      int mostLines);

/// The text, shortened with "…" to fit.
[[nodiscard]] QString elidedText(const QString& text, const TextStyle& style, double width);

}  // namespace phaseladder::ui
