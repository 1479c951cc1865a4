#include "ui/figure/page_height.h"

#include <algorithm>

namespace phaseladder::ui {

double defaultHeightPoints(const Figure& figure, double widthPoints) {
    constexpr double goldenRatio = 0.618;
    constexpr double squareMapRatio = 0.86;  // beside the map stand its labels and the colour bar
    constexpr double furtherPanel = 0.8;     // of the first panel's height
    const bool isSquare = std::ranges::any_of(figure.panels, &Panel::squareCells);
    const double furtherPanels = figure.panels.empty() ? 0.0 : double(figure.panels.size() - 1);
    return widthPoints * (isSquare ? squareMapRatio : goldenRatio) * (1.0 + furtherPanel * furtherPanels);
}

}  // namespace phaseladder::ui
