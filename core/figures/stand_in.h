#pragma once

#include <string>
#include <vector>

#include "core/scene.h"

namespace phaseladder {

/// The figures that panes show where `chosen` are those a person chose for them, as many and in the same
/// order. A chosen figure that draws the scene stays where it is. One that has nothing to draw is replaced by
/// the first figure that suits the encoding, draws, and is shown by no other pane. It keeps its place where
/// it only lacks tokens, since it says how to get them. `pinned` is the scene that is compared with (null:
/// none): what stands in must draw that one too.
[[nodiscard]] std::vector<std::string> shownFigures(const Scene& scene,
                                                    const std::vector<std::string>& chosen,
                                                    const Scene* pinned = nullptr);

/// The first figure that suits the encoding, draws both scenes, and is none of `taken`; any that draws where
/// those are used up, and an empty text where there is none.
[[nodiscard]] std::string standIn(const Scene& scene, const std::vector<std::string>& taken,
                                  const Scene* pinned = nullptr);

}  // namespace phaseladder
