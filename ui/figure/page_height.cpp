#include "ui/figure/page_height.h"

#include <algorithm>

#include "ui/figure/clock_layout.h"

namespace phaseladder::ui {

double defaultHeightPoints(const Figure& figure, double widthPoints) {
    constexpr double goldenRatio = 0.618;
    constexpr double squareMapRatio = 0.86;  // beside the map stand its labels and the colour bar
    constexpr double furtherPanel = 0.8;     // of the first panel's height
    constexpr double namedPanel = 1.05;      // where words stand under a panel that is not the last one
    const bool isSquare = std::ranges::any_of(figure.panels, &Panel::squareCells);
    if (figure.panels.size() == 1 && isSquare && !clocksOf(figure.panels.front()).isEmpty()) {
        constexpr double titleAndLegend = 36.0;  // points
        const Panel& dials = figure.panels.front();
        const double rows = dials.y.maximum - dials.y.minimum, columns = dials.x.maximum - dials.x.minimum;
        return widthPoints * std::clamp(rows / columns, 0.2, 1.2) + titleAndLegend;
    }
    const bool isNamed = figure.panels.size() > 1 && !figure.panels.front().x.labels.empty();
    const double furtherPanels = figure.panels.empty() ? 0.0 : double(figure.panels.size() - 1);
    return widthPoints * (isSquare ? squareMapRatio : goldenRatio) *
           (1.0 + (isNamed ? namedPanel : furtherPanel) * furtherPanels);
}

}  // namespace phaseladder::ui
