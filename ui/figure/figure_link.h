#pragma once

#include <QObject>

#include <map>
#include <optional>

#include "core/figures/figure.h"

namespace phaseladder::ui {

/// The part of its x axis that a plot shows.
struct ShownX {
    AxisMeaning meaning = AxisMeaning::none;
    AxisScale scale = AxisScale::linear;
    double minimum = 0.0, maximum = 1.0;
    bool isFull = true;  ///< all of that plot's axis; another plot then shows all of its own
};

/// What the pointer is on, by what axes mean: a pair, a position, a query token, a key token. Every pane
/// marks the same thing. Marks of the pointer come and go with it; a selection (a click) is shown while the
/// pointer marks nothing. Linked panes also tell each other what they show of x.
class FigureLink : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    /// The marked value of an axis with this meaning. Positions and tokens are one thing: an axis of query or
    /// key tokens without a mark of its own shows that of the positions, and an axis of positions that of the
    /// query tokens.
    [[nodiscard]] std::optional<double> mark(AxisMeaning meaning) const;
    /// Replaces all marks (hover moved); `source` is the view the pointer is in.
    void setMarks(const std::map<AxisMeaning, double>& marks, QObject* source);
    /// The pointer left: what is selected shows again.
    void clearMarks();
    /// The view whose marks are shown now.
    [[nodiscard]] QObject* source() const;

    /// Keeps marks until the next selection.
    void select(const std::map<AxisMeaning, double>& marks, QObject* source);
    void clearSelection();
    [[nodiscard]] bool hasSelection() const { return !m_selected.values.empty(); }

    /// A linked plot zoomed or moved along x; `source` is its view.
    void showX(const ShownX& shown, QObject* source) { Q_EMIT xShown(shown, source); }

Q_SIGNALS:
    void marksChanged();
    void xShown(const ShownX& shown, QObject* source);

private:
    struct Marks {
        std::map<AxisMeaning, double> values;
        QObject* source = nullptr;

        friend bool operator==(const Marks&, const Marks&) = default;
    };
    void change(Marks& marks, Marks value);
    [[nodiscard]] const Marks& shown() const { return m_hovered.values.empty() ? m_selected : m_hovered; }

    Marks m_hovered;
    Marks m_selected;
};

}  // namespace phaseladder::ui
