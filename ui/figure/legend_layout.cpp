#include "ui/figure/legend_layout.h"

#include <algorithm>
#include <utility>

#include "ui/figure/bar_layout.h"
#include "ui/figure/clock_layout.h"
#include "ui/figure/panel_marks.h"

namespace phaseladder::ui {

namespace {

constexpr double handleLength = 16.0;
constexpr double handleGap = 4.0;
constexpr double entryGap = 10.0;

double entryWidth(const LegendEntry& entry, const TextStyle& text) {
    return handleLength + handleGap + textWidth(entry.label, text);
}

double entryHeight(const TextStyle& text) {
    return 1.35 * text.sizePoints;
}

void addEntry(QList<Primitive>& primitives, const LegendEntry& entry, QPointF topLeft,
              const FigureStyle& style, const TextStyle& text) {
    const RoleStyle role = style.role(entry.role);
    const double middle = topLeft.y() + 0.5 * entryHeight(text);
    const QPointF center(topLeft.x() + 0.5 * handleLength, middle);
    const double half = 0.5 * capHeight(text);
    const QRectF area(topLeft.x(), middle - half, handleLength, 2.0 * half);
    switch (entry.kind) {
        case LegendEntry::Kind::line:
            primitives.append(Polyline{
                {QPolygonF({QPointF(topLeft.x(), middle), QPointF(topLeft.x() + handleLength, middle)})},
                role.line,
                role.widthPoints,
                role.dashes});
            break;
        case LegendEntry::Kind::area: {
            QColor fill = role.line;
            fill.setAlphaF(envelopeOpacity);
            primitives.append(FilledRect{area, fill});
            break;
        }
        case LegendEntry::Kind::points:
            primitives.append(Marker{center,
                                     role.marker == MarkerShape::none ? MarkerShape::circle : role.marker,
                                     2.2, role.line});
            break;
        case LegendEntry::Kind::bars:
            addBarSample(primitives, entry.role, area, style);
            break;
        case LegendEntry::Kind::arc:
            addArcSample(primitives, entry.role, area, style);
            break;
    }
    const QPointF anchor(topLeft.x() + handleLength + handleGap, middle + half);
    for (const TextRun& run : textRuns(anchor, entry.label, text)) {
        primitives.append(run);
    }
}

/// Where each entry starts when entries stand in as many columns as a width holds, and the height of all
/// rows.
std::pair<QList<QPointF>, double> gridOfEntries(const QList<LegendEntry>& entries, const TextStyle& text,
                                                double width) {
    QList<double> columnStarts;
    const qsizetype count = entries.size();
    for (qsizetype columns = count; columns >= 1; --columns) {
        columnStarts = {0.0};
        for (qsizetype column = 0; column < columns; ++column) {
            double widest = 0.0;
            for (qsizetype entry = column; entry < count; entry += columns) {
                widest = std::max(widest, entryWidth(entries[entry], text));
            }
            columnStarts.append(columnStarts.last() + widest + entryGap);
        }
        if (columnStarts.last() - entryGap <= width) {
            break;
        }
    }
    const qsizetype columns = columnStarts.size() - 1;
    QList<QPointF> starts;
    for (qsizetype entry = 0; entry < count; ++entry) {
        starts.append(
            {columnStarts[entry % columns], entryHeight(text) * static_cast<double>(entry / columns)});
    }
    return {starts, entryHeight(text) * static_cast<double>((count + columns - 1) / columns)};
}

}  // namespace

QList<LegendEntry> legendEntries(const Panel& panel) {
    QList<LegendEntry> entries;
    const auto add = [&](const std::string& label, Role role, LegendEntry::Kind kind) {
        const LegendEntry entry{QString::fromStdString(label), role, kind};
        const bool isKnown = std::any_of(entries.begin(), entries.end(), [&](const LegendEntry& other) {
            return other.label == entry.label && other.role == entry.role;
        });
        if (!label.empty() && !isKnown) {
            entries.append(entry);
        }
    };
    for (const Layer& layer : panel.layers) {
        if (const auto* curve = std::get_if<Curve>(&layer)) {
            add(curve->label, curve->role, LegendEntry::Kind::line);
        } else if (const auto* envelope = std::get_if<Envelope>(&layer)) {
            add(envelope->label, envelope->role, LegendEntry::Kind::area);
        } else if (const auto* points = std::get_if<Points>(&layer)) {
            add(points->label, points->role, LegendEntry::Kind::points);
        } else if (const auto* bars = std::get_if<Bars>(&layer)) {
            add(bars->label, bars->role, LegendEntry::Kind::bars);
        } else if (const auto* clock = std::get_if<Clock>(&layer)) {
            for (const ClockHand& hand : clock->hands) {
                add(hand.label, hand.role, LegendEntry::Kind::line);
            }
            for (const ClockArc& arc : clock->arcs) {
                add(arc.label, arc.role, LegendEntry::Kind::arc);
            }
        }
    }
    return entries;
}

QSizeF legendColumnSize(const QList<LegendEntry>& entries, const TextStyle& text) {
    double width = 0.0;
    for (const LegendEntry& entry : entries) {
        width = std::max(width, entryWidth(entry, text));
    }
    return {width, entryHeight(text) * static_cast<double>(entries.size())};
}

double legendRowsHeight(const QList<LegendEntry>& entries, const TextStyle& text, double width) {
    return gridOfEntries(entries, text, width).second;
}

QList<QRectF> legendColumnBoxes(const QList<LegendEntry>& entries, const TextStyle& text,
                                const QPointF& topLeft) {
    const QSizeF size = legendColumnSize(entries, text);
    QList<QRectF> boxes;
    for (qsizetype index = 0; index < entries.size(); ++index) {
        const double y = topLeft.y() + entryHeight(text) * static_cast<double>(index);
        boxes.append(QRectF(topLeft.x(), y, size.width(), entryHeight(text)));
    }
    return boxes;
}

QList<QRectF> legendRowBoxes(const QList<LegendEntry>& entries, const TextStyle& text, const QRectF& area) {
    const QList<QPointF> starts = gridOfEntries(entries, text, area.width()).first;
    QList<QRectF> boxes;
    for (qsizetype index = 0; index < entries.size(); ++index) {
        boxes.append(QRectF(area.topLeft() + starts[index],
                            QSizeF(entryWidth(entries[index], text), entryHeight(text))));
    }
    return boxes;
}

void addLegendColumn(QList<Primitive>& primitives, const QList<LegendEntry>& entries, QPointF topLeft,
                     const FigureStyle& style, const TextStyle& text) {
    for (const LegendEntry& entry : entries) {
        addEntry(primitives, entry, topLeft, style, text);
        topLeft.ry() += entryHeight(text);
    }
}

void addLegendRows(QList<Primitive>& primitives, const QList<LegendEntry>& entries, const QRectF& area,
                   const FigureStyle& style, const TextStyle& text) {
    const QList<QRectF> boxes = legendRowBoxes(entries, text, area);
    for (qsizetype index = 0; index < entries.size(); ++index) {
        addEntry(primitives, entries[index], boxes[index].topLeft(), style, text);
    }
}

}  // namespace phaseladder::ui
