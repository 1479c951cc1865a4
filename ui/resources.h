#pragma once

namespace phaseladder::ui {

/// Makes the files under ":/" readable (models, colour maps, fonts, icons). Safe to call more than once,
/// needs no application.
void loadResources();

}  // namespace phaseladder::ui
