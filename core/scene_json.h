#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/scene.h"

namespace phaseladder {

/// Newest scene file version that this program reads, and the one that it writes.
inline constexpr int sceneFileVersion = 1;

struct SceneFile {
    Scene scene;
    std::vector<std::string> warnings;  ///< unknown keys with the nearest known id, swapped betas ...
};

/// Scene as a JSON object: {"phaseladder": 1, "rope.theta": 10000, ...}: every row of the parameter table by
/// its id, in table order, two-space indent, final newline. Reading it back and writing again gives the same
/// bytes.
[[nodiscard]] std::string writeScene(const Scene& scene);

/// Reads and validates a scene file, or the scene in a figure that was written as JSON. Refused with one
/// sentence: not JSON, cut off (byte), deeper than 64 levels (byte), a duplicate key (both lines), a newer
/// version, a value outside its hard limits, above 16 MiB. Nothing is half-applied.
[[nodiscard]] Result<SceneFile> readScene(std::string_view text);

}  // namespace phaseladder
