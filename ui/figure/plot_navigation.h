#pragma once

#include <vector>

#include "core/figures/figure.h"

namespace phaseladder::ui {

/// The shown part of a plot, in axis units (wavelengths, not their logarithms).
struct PlotRange {
    double xMinimum = 0.0, xMaximum = 1.0;
    double yMinimum = 0.0, yMaximum = 1.0;

    friend bool operator==(const PlotRange&, const PlotRange&) = default;
};

enum class ZoomAxes { both, x, y };

/// Whether a change is its own entry in the history or goes on with the last one (wheel, key repeat, drag).
enum class HistoryStep { separate, merged };

/// Zoom, pan and history of one plot. Fractions run from 0 at an axis' minimum to 1 at its maximum, along the
/// logarithm on log axes. Nothing leaves the full range, and there is a smallest one: two cells of a
/// whole-number axis, 0.05 decades of a logarithmic one, 1/10,000 of any other.
class PlotNavigation {
public:
    /// New axes of the same meaning and scale keep what is shown (a side that was shown in full follows the
    /// new full range); other axes start in full with an empty history.
    void setAxes(const Axis& x, const Axis& y);

    [[nodiscard]] const PlotRange& range() const { return m_range; }
    [[nodiscard]] const PlotRange& fullRange() const { return m_full; }
    [[nodiscard]] bool isFull() const { return m_range == m_full; }
    /// How many times larger than in full things are drawn, along the axis that is zoomed more; 1 in full.
    [[nodiscard]] double zoomFactor() const;

    // Each returns whether the range changed.
    bool zoomAt(double xFraction, double yFraction, double factor, ZoomAxes axes, HistoryStep step);
    bool zoomTo(const PlotRange& range);
    bool panBy(double xFraction, double yFraction, HistoryStep step);
    bool reset();
    bool back();
    bool forward();
    /// Follows a linked plot; not a step of this one's history. A range outside this plot's own is ignored.
    bool showX(double minimum, double maximum);
    /// Shows the full range of x and keeps y, as showX() does.
    bool showAllX();
    /// Whether x is shown in full, whatever y shows.
    [[nodiscard]] bool isFullX() const {
        return m_range.xMinimum == m_full.xMinimum && m_range.xMaximum == m_full.xMaximum;
    }
    /// The next merged change starts a new entry.
    void endStep() { m_stepIsOpen = false; }

private:
    bool change(const PlotRange& range, HistoryStep step);
    [[nodiscard]] PlotRange limited(PlotRange range) const;

    Axis m_x, m_y;
    PlotRange m_range, m_full;
    std::vector<PlotRange> m_back, m_forward;
    bool m_stepIsOpen = false;
};

/// A value as its axis is drawn: log10 on a log axis. Not finite for values ≤ 0 there.
[[nodiscard]] double scaledValue(const Axis& axis, double value);
[[nodiscard]] double unscaledValue(const Axis& axis, double scaled);

}  // namespace phaseladder::ui
