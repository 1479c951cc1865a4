#pragma once

#include <QList>
#include <QRectF>
#include <QSet>
#include <QString>

#include <optional>
#include <vector>

#include "core/figures/figure.h"
#include "ui/figure/curve_samples.h"
#include "ui/figure/hover_readout.h"

namespace phaseladder::ui {

// What a PlotTable is made of: one kind of table for each kind of panel, all with the same functions, which
// PlotTable (ui/figure/plot_table.h) explains. They point into the panel.

struct TablePlace {
    int row = 0, column = 0;
};

/// One row a row of cells, one column a column of cells.
struct MapTable {
    const Panel* panel;
    const Heatmap* map;

    MapTable(const Panel& itsPanel, const Heatmap& itsMap) : panel(&itsPanel), map(&itsMap) {}

    [[nodiscard]] int rows() const { return static_cast<int>(map->rows); }
    [[nodiscard]] int columns() const { return static_cast<int>(map->columns); }
    [[nodiscard]] QString rowHeader(int row) const;
    [[nodiscard]] QString columnHeader(int column) const;
    [[nodiscard]] QString corner() const;
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QString sentence(int row, int column) const;
    [[nodiscard]] std::optional<TablePlace> placeOf(const HoverReadout& readout) const;
    [[nodiscard]] std::optional<QRectF> extent(int row, int column) const;
};

/// One row an x, one column a curve or a series of columns.
struct CurveTable {
    const Panel* panel;
    QList<Samples> curves;
    std::vector<double> x;  // of all curves, ascending, each once

    CurveTable(const Panel& itsPanel, const QSet<QString>& hiddenLabels);

    [[nodiscard]] int rows() const { return static_cast<int>(x.size()); }
    [[nodiscard]] int columns() const { return static_cast<int>(curves.size()); }
    [[nodiscard]] QString rowHeader(int row) const;
    [[nodiscard]] QString columnHeader(int column) const;
    [[nodiscard]] QString corner() const;
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QString sentence(int row, int column) const;
    [[nodiscard]] std::optional<TablePlace> placeOf(const HoverReadout& readout) const;
    [[nodiscard]] std::optional<QRectF> extent(int row, int column) const;

private:
    /// Index of a row's x in a curve, if it has a number there.
    [[nodiscard]] std::optional<std::size_t> sampleAt(const Samples& samples, int row) const;
};

/// One row a dial, one column a hand (hands of the same label are one column).
struct DialTable {
    QList<const Clock*> clocks;
    QList<QString> hands;

    DialTable(const Panel& panel, const QSet<QString>& hiddenLabels);

    [[nodiscard]] int rows() const { return static_cast<int>(clocks.size()); }
    [[nodiscard]] int columns() const { return static_cast<int>(hands.size()); }
    [[nodiscard]] QString rowHeader(int row) const;
    [[nodiscard]] QString columnHeader(int column) const;
    [[nodiscard]] QString corner() const;
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QString sentence(int row, int column) const;
    [[nodiscard]] std::optional<TablePlace> placeOf(const HoverReadout& readout) const;
    [[nodiscard]] std::optional<QRectF> extent(int row, int column) const;
};

/// One row a text of a panel without axes, in reading order.
struct TextTable {
    QList<const Text*> texts;

    explicit TextTable(const Panel& panel);

    [[nodiscard]] int rows() const { return static_cast<int>(texts.size()); }
    [[nodiscard]] int columns() const { return texts.isEmpty() ? 0 : 1; }
    [[nodiscard]] QString rowHeader(int row) const;
    [[nodiscard]] QString columnHeader(int column) const;
    [[nodiscard]] QString corner() const;
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QString sentence(int row, int column) const { return text(row, column); }
    [[nodiscard]] std::optional<TablePlace> placeOf(const HoverReadout& readout) const;
    [[nodiscard]] std::optional<QRectF> extent(int row, int column) const;
};

}  // namespace phaseladder::ui
