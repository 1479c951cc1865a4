#include "ui/figure/plot_accessible.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <algorithm>
#include <memory>
#include <utility>

#include "ui/figure/accessible_grip.h"
#include "ui/figure/accessible_part.h"
#include "ui/figure/panel_view.h"
#include "ui/figure/plot_table.h"

namespace phaseladder::ui {
namespace {

constexpr qsizetype mostKeptCells = 512;
constexpr qint64 mostChildren = 4096;  // that a walk over the tree meets; the table reaches every cell

/// Row and column in the grid of cells with its headers: row 0 and column 0 are the headers.
struct GridPlace {
    int row = 0, column = 0;

    friend bool operator==(const GridPlace&, const GridPlace&) = default;
};

class PlotAccessible;

/// A cell of a plot's table, or one of its headers.
class PlotCell : public AccessiblePart, public QAccessibleTableCellInterface {
public:
    PlotCell(PlotAccessible* plot, PanelView* view, GridPlace place)
        : AccessiblePart(view), m_plot(plot), m_view(view), m_place(place) {}

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this)
                                                       : nullptr;
    }
    bool isValid() const override;
    QAccessible::Role role() const override {
        return m_place.row == 0      ? QAccessible::ColumnHeader
               : m_place.column == 0 ? QAccessible::RowHeader
                                     : QAccessible::Cell;
    }
    QString text(QAccessible::Text kind) const override;
    QAccessible::State state() const override;
    QRect rect() const override;

    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    int columnIndex() const override { return m_place.column - 1; }
    int rowIndex() const override { return m_place.row - 1; }
    bool isSelected() const override { return false; }
    QList<QAccessibleInterface*> columnHeaderCells() const override;
    QList<QAccessibleInterface*> rowHeaderCells() const override;
    QAccessibleInterface* table() const override { return parent(); }

    [[nodiscard]] const GridPlace& place() const { return m_place; }

private:
    PlotAccessible* m_plot;  // lives as long as the view, and ends its cells
    PanelView* m_view;
    GridPlace m_place;
};

class PlotAccessible : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    explicit PlotAccessible(PanelView* view) : QAccessibleWidget(view, QAccessible::Chart), m_view(view) {}
    ~PlotAccessible() override {
        forgetCells(0);
        for (const QAccessible::Id id : m_grips) {
            QAccessible::deleteAccessibleInterface(id);
        }
    }

    [[nodiscard]] const PlotTable& numbers() const {
        if (m_table == nullptr || !m_table->isOf(m_view->panel(), m_view->hiddenLabels())) {
            m_table = std::make_unique<PlotTable>(m_view->sharedPanel(), m_view->hiddenLabels());
        }
        return *m_table;
    }

    [[nodiscard]] QAccessibleInterface* cell(GridPlace place) const {
        if (place.row < 0 || place.row > numbers().rows() || place.column < 0 ||
            place.column > numbers().columns()) {
            return nullptr;
        }
        const auto found = std::ranges::find(m_cells, place, &Kept::place);
        if (found != m_cells.end()) {
            return QAccessible::accessibleInterface(found->id);
        }
        forgetCells(mostKeptCells - 1);
        auto* made = new PlotCell(const_cast<PlotAccessible*>(this), m_view, place);
        m_cells.append({place, QAccessible::registerAccessibleInterface(made)});
        return made;
    }

    [[nodiscard]] std::optional<GridPlace> crosshair() const {
        const std::optional<HoverReadout>& readout = m_view->crosshair();
        const std::optional<PlotTable::Place> place =
            readout.has_value() ? numbers().placeOf(*readout) : std::nullopt;
        return place.has_value() ? std::optional(GridPlace{place->row + 1, place->column + 1}) : std::nullopt;
    }

    void* interface_cast(QAccessible::InterfaceType type) override {
        return type == QAccessible::TableInterface ? static_cast<QAccessibleTableInterface*>(this)
                                                   : QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override {
        switch (kind) {
            case QAccessible::Value:
                return m_view->readoutText();
            case QAccessible::Description:
                return m_view->summary();
            default:
                return QAccessibleWidget::text(kind);
        }
    }

    [[nodiscard]] int gripCount() const { return static_cast<int>(m_view->grips().size()); }
    [[nodiscard]] QAccessibleInterface* grip(int index) const {
        while (index >= m_grips.size()) {
            m_grips.append(QAccessible::registerAccessibleInterface(
                new AccessibleGrip(m_view, static_cast<std::size_t>(m_grips.size()))));
        }
        return QAccessible::accessibleInterface(m_grips[index]);
    }

    // Child widgets first (the legend), then the grips, then the cells with their headers, row by row.
    int childCount() const override {
        const qint64 cells = qint64(numbers().rows() + 1) * (numbers().columns() + 1);
        return QAccessibleWidget::childCount() + gripCount() + int(std::min(cells, mostChildren));
    }
    QAccessibleInterface* child(int index) const override {
        const int widgets = QAccessibleWidget::childCount();
        if (index < widgets) {
            return QAccessibleWidget::child(index);
        }
        if (index < widgets + gripCount()) {
            return grip(index - widgets);
        }
        const int width = numbers().columns() + 1, place = index - widgets - gripCount();
        return cell({place / width, place % width});
    }
    int indexOfChild(const QAccessibleInterface* child) const override {
        const int widgets = QAccessibleWidget::childCount();
        if (const auto* held = dynamic_cast<const AccessibleGrip*>(child)) {
            return widgets + static_cast<int>(held->grip());
        }
        const auto* part = dynamic_cast<const PlotCell*>(child);
        return part == nullptr ? QAccessibleWidget::indexOfChild(child)
                               : widgets + gripCount() + part->place().row * (numbers().columns() + 1) +
                                     part->place().column;
    }
    QAccessibleInterface* focusChild() const override {
        if (m_view->hasFocus() && m_view->keyGrip().has_value()) {
            return grip(static_cast<int>(*m_view->keyGrip()));
        }
        const std::optional<GridPlace> place = m_view->hasFocus() ? crosshair() : std::nullopt;
        return place.has_value() ? cell(*place) : QAccessibleWidget::focusChild();
    }

    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    QAccessibleInterface* cellAt(int row, int column) const override { return cell({row + 1, column + 1}); }
    int rowCount() const override { return numbers().rows(); }
    int columnCount() const override { return numbers().columns(); }
    QString rowDescription(int row) const override {
        return row >= 0 && row < rowCount() ? numbers().rowHeader(row) : QString();
    }
    QString columnDescription(int column) const override {
        return column >= 0 && column < columnCount() ? numbers().columnHeader(column) : QString();
    }
    // Selecting is the plot's own matter: Enter marks what the crosshair is on.
    int selectedCellCount() const override { return 0; }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    QList<QAccessibleInterface*> selectedCells() const override { return {}; }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    struct Kept {
        GridPlace place;
        QAccessible::Id id;
    };

    void forgetCells(qsizetype kept) const {
        while (m_cells.size() > kept) {
            QAccessible::deleteAccessibleInterface(m_cells.takeFirst().id);
        }
    }

    PanelView* m_view;
    mutable std::unique_ptr<PlotTable> m_table;  // of what is shown now; made when it is asked for
    mutable QList<Kept> m_cells;                 // oldest first
    mutable QList<QAccessible::Id> m_grips;
};

bool PlotCell::isValid() const {
    return AccessiblePart::isValid() && m_place.row <= m_plot->numbers().rows() &&
           m_place.column <= m_plot->numbers().columns();
}

QString PlotCell::text(QAccessible::Text kind) const {
    const PlotTable& numbers = m_plot->numbers();
    if (m_place.row == 0 || m_place.column == 0) {
        if (kind != QAccessible::Name) {
            return {};
        }
        return m_place.row > 0      ? numbers.rowHeader(m_place.row - 1)
               : m_place.column > 0 ? numbers.columnHeader(m_place.column - 1)
                                    : numbers.corner();
    }
    switch (kind) {
        case QAccessible::Name:
        case QAccessible::Value: {
            const QString text = numbers.text(m_place.row - 1, m_place.column - 1);
            return text.isEmpty() ? PanelView::tr("no value") : text;
        }
        case QAccessible::Description:
            return numbers.sentence(m_place.row - 1, m_place.column - 1);
        default:
            return {};
    }
}

QAccessible::State PlotCell::state() const {
    QAccessible::State state;
    state.focusable = m_place.row > 0 && m_place.column > 0;
    state.focused = state.focusable && m_view->hasFocus() && m_plot->crosshair() == m_place;
    state.readOnly = true;
    state.invisible = !m_view->isVisible();
    state.offscreen = state.focusable && rect().isNull();
    return state;
}

QRect PlotCell::rect() const {
    const std::optional<QRectF> extent = m_place.row > 0 && m_place.column > 0
                                             ? m_plot->numbers().extent(m_place.row - 1, m_place.column - 1)
                                             : std::nullopt;
    if (!extent.has_value()) {
        return {};
    }
    constexpr double pointReach = 4.0;  // pixels around a point of a curve
    QRectF drawn = QRectF(m_view->dataToWidget(extent->left(), extent->top()),
                          m_view->dataToWidget(extent->right(), extent->bottom()))
                       .normalized();
    if (extent->isEmpty()) {
        drawn.adjust(-pointReach, -pointReach, pointReach, pointReach);
    }
    const QRect seen = drawn.intersected(m_view->plotRect()).toAlignedRect();
    return seen.isEmpty() ? QRect() : QRect(m_view->mapToGlobal(seen.topLeft()), seen.size());
}

QList<QAccessibleInterface*> PlotCell::columnHeaderCells() const {
    return m_place.row == 0 ? QList<QAccessibleInterface*>() : QList{m_plot->cell({0, m_place.column})};
}

QList<QAccessibleInterface*> PlotCell::rowHeaderCells() const {
    return m_place.column == 0 ? QList<QAccessibleInterface*>() : QList{m_plot->cell({m_place.row, 0})};
}

QAccessibleInterface* makeInterface(const QString&, QObject* object) {
    auto* view = qobject_cast<PanelView*>(object);
    return view == nullptr ? nullptr : new PlotAccessible(view);
}

}  // namespace

void installPlotAccessibility() {
    static const bool installed = [] {
        QAccessible::installFactory(makeInterface);
        return true;
    }();
    Q_UNUSED(installed);
}

void announceCrosshair(PanelView* view) {
    if (!QAccessible::isActive()) {
        return;
    }
    QAccessibleInterface* plot = QAccessible::queryAccessibleInterface(view);
    QAccessibleInterface* cell = plot == nullptr ? nullptr : plot->focusChild();
    if (cell != nullptr) {
        QAccessibleEvent event(cell, QAccessible::Focus);
        QAccessible::updateAccessibility(&event);
    }
}

void announceGrip(PanelView* view) {
    announceCrosshair(view);  // the focus is on the grip while the keys hold it
    if (QAccessible::isActive() && view->keyGrip().has_value()) {
        QAccessibleValueChangeEvent event(view, view->readoutText());
        QAccessible::updateAccessibility(&event);
    }
}

void announceTable(PanelView* view) {
    if (QAccessible::isActive()) {
        QAccessibleTableModelChangeEvent event(view, QAccessibleTableModelChangeEvent::ModelReset);
        QAccessible::updateAccessibility(&event);
    }
}

}  // namespace phaseladder::ui
