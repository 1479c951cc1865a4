#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/backend.h"
#include "core/effort.h"
#include "core/figures/figure.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// The finest resolution that a figure can be asked for, pixels a side.
inline constexpr int mostFigurePixels = 1024;

/// Which of two scenes a figure shows: the live one (B, with the pinned one beside it where lines allow), the
/// pinned one (A), or what they differ by (Δ = B - A).
enum class CompareMode { live, pinned, difference };

/// What a caller wants of a figure besides the scene.
struct FigureRequest {
    std::string id;
    int pixelColumns = mostFigurePixels;  ///< resolution at which maps are pooled and strips are sampled
    int pixelRows = mostFigurePixels;
    std::optional<CellWindow> window;  ///< part of an attention map
    Pooling pooling = Pooling::mean;
    std::shared_ptr<const Scene> pinned{};  ///< the scene to compare with; null: none
    CompareMode compare = CompareMode::live;
    std::vector<std::int64_t> alsoAt{};  ///< distances of the other scene: curves are computed there too
    /// How much of what takes long is wanted now; a figure that is not whole says isPartial.
    Effort effort = Effort::whole;

    friend bool operator==(const FigureRequest&, const FigureRequest&) = default;
};

/// The scene that the figure shows, and that its files hold: the pinned one where that is asked for alone.
[[nodiscard]] const Scene& shownScene(const FigureRequest& request, const Scene& live);

struct FigureKind {
    std::string id;
    std::string label;
    std::string help;  ///< one sentence: what it shows
    /// Asked only for scenes that the figure has something to draw for.
    std::function<Result<Figure>(const Scene&, const FigureRequest&, class Engine&, std::stop_token)> make;
    /// What the figure says where the scene gives it nothing to draw, a sentence and a next step; an empty
    /// text where it draws. Absent: it always draws. Quick: menus and panes ask it.
    std::function<std::string(const Scene&)> emptyState{};
    /// The columns that its files have even where there is nothing to draw, without rows. Absent: none.
    std::function<std::vector<TableColumn>(const Scene&)> emptyTable{};
    /// The distances that a scene's curves reach and hold, where they are computed at distances; none: empty.
    /// Of a valid scene.
    std::function<std::vector<std::int64_t>(const Scene&)> distances{};
    bool followsOrder = false;  ///< whether another order of the same tokens changes the figure
    bool growsFast = false;     ///< takes long where the text is long, or layers and heads are many
};

/// The kind's empty state in a scene; an empty text where it draws.
[[nodiscard]] std::string emptyStateOf(const FigureKind& kind, const Scene& scene);

/// In the order of the pickers. One file each in core/figures.
[[nodiscard]] std::span<const FigureKind> figureKinds();
[[nodiscard]] const FigureKind* findFigure(std::string_view id);

}  // namespace phaseladder
