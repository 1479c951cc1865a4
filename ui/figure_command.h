#pragma once

#include <QStringList>

#include "core/figures/figure_list.h"

namespace phaseladder::ui {

class SceneDocument;

/// The words that begin a command line which draws a figure of this document as a pane asked for it: with the
/// scene's file where it is saved as it is, else with every setting that differs from the start-up scene; a
/// pinned scene as what it differs in from the document's.
[[nodiscard]] QStringList figureCommand(const SceneDocument& document, const FigureRequest& request);

}  // namespace phaseladder::ui
