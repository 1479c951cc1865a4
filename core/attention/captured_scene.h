#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// The scene with tokens, heads and head_dim as its files have them; as it is without a capture. The start-up
/// choice of view.token and view.key moves to the first query and key.
[[nodiscard]] Result<Scene> withCapture(Scene scene);

/// Whether a parameter is decided by the files: tokens, heads, head_dim.
[[nodiscard]] bool followsCapture(std::string_view parameterId);

/// The same after parameters were set, where one of them is the files' (capture.*) or decided by them;
/// refuses what they decide otherwise. Other parameters need no files: they act where these are missing.
[[nodiscard]] Result<void> followCapture(Scene& scene, std::span<const std::string> changedIds);

/// A scene with real heads, with what is to be said about it.
struct OpenedCapture {
    Scene scene;
    std::vector<std::string> notes;
};

/// A scene that was saved, with tokens, heads and head_dim as its files have them now. Where these are
/// missing or no longer what the scene needs, it stays as it is, and the note says why: the figures that need
/// them refuse, others and other settings do not.
[[nodiscard]] OpenedCapture reopenHeads(Scene scene);

/// Takes files as a scene's heads: their first head, all positions in their own order, one layer. Where a
/// file holds queries of several layers, the first of them is taken, and RoPE where the scene's encoding has
/// rows of positions; the notes say so.
[[nodiscard]] Result<OpenedCapture> openHeads(Scene scene, CaptureSettings settings);

}  // namespace phaseladder
