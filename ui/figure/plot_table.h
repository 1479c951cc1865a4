#pragma once

#include <QRectF>
#include <QSet>
#include <QString>

#include <memory>
#include <optional>
#include <variant>

#include "core/figures/figure.h"
#include "ui/figure/hover_readout.h"
#include "ui/figure/plot_table_kinds.h"

namespace phaseladder::ui {

/// A panel's numbers as a table, for those who cannot see them:
///
///     a map           one row a row of cells, one column a column of cells
///     curves, columns one row an x, one column a curve or a series
///     dials           one row a dial, one column a hand
///     no axes         one row a text
///
/// Texts are made when they are asked for; a map of a million cells costs nothing.
class PlotTable {
public:
    using Place = TablePlace;

    explicit PlotTable(std::shared_ptr<const Panel> panel, QSet<QString> hiddenLabels = {});

    /// Whether it is the table of this panel with these curves hidden.
    [[nodiscard]] bool isOf(const Panel& panel, const QSet<QString>& hiddenLabels) const {
        return m_panel.get() == &panel && m_hiddenLabels == hiddenLabels;
    }

    [[nodiscard]] int rows() const;
    [[nodiscard]] int columns() const;
    [[nodiscard]] QString rowHeader(int row) const;         ///< "query bites", "pair 27"
    [[nodiscard]] QString columnHeader(int column) const;   ///< "key dog", "YaRN ×4"
    [[nodiscard]] QString corner() const;                   ///< "query by key"
    [[nodiscard]] QString text(int row, int column) const;  ///< "0.857143", "masked"; empty: no value there
    [[nodiscard]] QString sentence(int row, int column) const;  ///< headers and value

    /// The cell that a crosshair is on.
    [[nodiscard]] std::optional<Place> placeOf(const HoverReadout& readout) const;
    /// Where it is drawn, in axis units; a point of a curve and a text have no size. Null without
    /// a value.
    [[nodiscard]] std::optional<QRectF> extent(int row, int column) const;

private:
    using Kind = std::variant<MapTable, CurveTable, DialTable, TextTable>;
    [[nodiscard]] static Kind kindOf(const Panel& panel, const QSet<QString>& hiddenLabels);

    std::shared_ptr<const Panel> m_panel;
    QSet<QString> m_hiddenLabels;
    Kind m_kind;  // points into the panel
};

}  // namespace phaseladder::ui
