#pragma once

#include <QList>

#include "ui/figure/figure_layout.h"
#include "ui/figure/figure_text_runs.h"

namespace phaseladder::ui {

/// One row of a legend: a line, an area, a marker, a column or an arc of a dial, and its words.
struct LegendEntry {
    enum class Kind { line, area, points, bars, arc };

    QString label;
    Role role = Role::live;
    Kind kind = Kind::line;

    friend bool operator==(const LegendEntry&, const LegendEntry&) = default;
};

/// The labelled curves, envelopes, points, columns, hands and arcs of a panel, each label once, in drawing
/// order.
[[nodiscard]] QList<LegendEntry> legendEntries(const Panel& panel);

/// A legend as a column, or as rows that fill a width (above a plot): its size, and where each entry stands.
[[nodiscard]] QSizeF legendColumnSize(const QList<LegendEntry>& entries, const TextStyle& text);
[[nodiscard]] double legendRowsHeight(const QList<LegendEntry>& entries, const TextStyle& text, double width);
[[nodiscard]] QList<QRectF> legendColumnBoxes(const QList<LegendEntry>& entries, const TextStyle& text,
                                              const QPointF& topLeft);
[[nodiscard]] QList<QRectF> legendRowBoxes(const QList<LegendEntry>& entries, const TextStyle& text,
                                           const QRectF& area);
/// Draws the entries below each other, or in rows.
void addLegendColumn(QList<Primitive>& primitives, const QList<LegendEntry>& entries, QPointF topLeft,
                     const FigureStyle& style, const TextStyle& text);
void addLegendRows(QList<Primitive>& primitives, const QList<LegendEntry>& entries, const QRectF& area,
                   const FigureStyle& style, const TextStyle& text);

}  // namespace phaseladder::ui
