#pragma once

namespace phaseladder::ui {

/// Makes every PanelView an accessible chart with a name, a summary and the value under its crosshair. Qt
/// Charts has no accessibility of its own. Safe to call more than once.
void installPlotAccessibility();

}  // namespace phaseladder::ui
