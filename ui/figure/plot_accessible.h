#pragma once

namespace phaseladder::ui {

class PanelView;

/// Makes every PanelView an accessible chart with a name, a summary, the value under its crosshair, its
/// grips, and a table of the shown numbers with headers. Cells are made when they are asked for, and only the
/// last few hundred are kept. Qt Charts has no accessibility of its own. Safe to call more than once.
void installPlotAccessibility();

/// Tells screen readers that a key moved the crosshair to another cell.
void announceCrosshair(PanelView* view);

/// Tells screen readers which grip the keys hold and where it is.
void announceGrip(PanelView* view);

/// Tells screen readers that the numbers are others now.
void announceTable(PanelView* view);

}  // namespace phaseladder::ui
