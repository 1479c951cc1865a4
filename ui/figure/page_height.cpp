#include "ui/figure/page_height.h"

#include <algorithm>

#include "ui/figure/clock_layout.h"
#include "ui/figure/curve_samples.h"
#include "ui/figure/panel_arrangement.h"

namespace phaseladder::ui {

double defaultHeightPoints(const Figure& figure, double widthPoints) {
    constexpr double goldenRatio = 0.618;
    constexpr double squareMapRatio = 0.86;  // beside the map stand its labels and the colour bar
    constexpr double titleAndLegend = 36.0;  // points
    constexpr double colorBar = 52.0;        // points: with its numbers and its title
    constexpr double usualTextSize = 9.0;    // points: of a paper
    if (figure.panels.size() > 1) {
        return naturalHeight(figure.panels, widthPoints, usualTextSize);
    }
    const bool isSquare = std::ranges::any_of(figure.panels, &Panel::squareCells);
    if (isSquare && !clocksOf(figure.panels.front()).isEmpty()) {
        const Panel& dials = figure.panels.front();
        const double rows = dials.y.maximum - dials.y.minimum, columns = dials.x.maximum - dials.x.minimum;
        return widthPoints * std::clamp(rows / columns, 0.2, 1.2) + titleAndLegend;
    }
    const Heatmap* map = figure.panels.empty() ? nullptr : mapOf(figure.panels.front());
    if (map != nullptr && map->tiles) {  // as large as the width allows, or the numbers above find no room
        const Panel& stack = figure.panels.front();
        const double rows = stack.y.maximum - stack.y.minimum, columns = stack.x.maximum - stack.x.minimum;
        return (widthPoints - colorBar) * std::clamp(rows / columns, 0.2, 1.4) + titleAndLegend;
    }
    return widthPoints * (isSquare ? squareMapRatio : goldenRatio);
}

}  // namespace phaseladder::ui
