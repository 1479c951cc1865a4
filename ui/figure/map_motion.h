#pragma once

#include <QPixmap>
#include <QVariantAnimation>

#include <optional>
#include <string>
#include <vector>

#include "ui/figure/axes_painter.h"
#include "ui/figure/plot_mapping.h"

class QPainter;

namespace phaseladder::ui {

/// Where each label of `after` stood in `before`; nothing unless both hold the same labels, each once.
[[nodiscard]] std::optional<std::vector<int>> formerPlaces(const std::vector<std::string>& before,
                                                           const std::vector<std::string>& after);

/// Shows where the rows and columns of a token map went: for 200 ms its cells, which hold the new values at
/// once, and the names beside them glide from their former places to the new ones. Only for maps of up to 64
/// named rows and columns.
class MapMotion {
public:
    MapMotion();

    /// For the view: to paint the next step, and to paint the picture at rest.
    [[nodiscard]] const QVariantAnimation& clock() const { return m_clock; }

    /// Starts when the new panel holds the names of the old one in another order, goes on when they are in
    /// the same order, and stops otherwise.
    void follow(const Panel& before, const Panel& after);
    void stop();
    [[nodiscard]] bool isRunning() const { return m_clock.state() == QAbstractAnimation::Running; }

    /// Draws the cells on their way, cut from the picture at rest, which covers the widget. The whole map is
    /// in view.
    void paintCells(QPainter& painter, const QPixmap& picture, const PlotMapping& mapping,
                    const QColor& ground) const;
    /// The ticks where the names are now.
    [[nodiscard]] PlotAxes moved(PlotAxes axes) const;

private:
    /// Former places of the names of one axis, in units of the axis; fractions when a motion was overtaken.
    using Places = std::vector<double>;

    [[nodiscard]] double place(const Places& from, std::size_t index) const;
    [[nodiscard]] std::optional<Places> startPlaces(const Places& from,
                                                    const std::vector<std::string>& before,
                                                    const std::vector<std::string>& after) const;

    QVariantAnimation m_clock;
    Places m_fromX, m_fromY;
};

}  // namespace phaseladder::ui
