#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/attention/content.h"
#include "core/figures/figure.h"
#include "core/scene.h"

namespace phaseladder {

/// What a figure of tokens says where there are none; an empty text where there are some.
[[nodiscard]] std::string tokensWanted(const Scene& scene);

/// How many positions of the text a map of tokens shows: all of a short text, else the first 256; a note says
/// so.
[[nodiscard]] std::int64_t shownTokens(const Scene& scene);
void noteShownTokens(Figure& figure, const Scene& scene);

/// A map of queries × keys (rows × rows numbers): diverging colours centred at 0 that reach the largest
/// magnitude, at least `smallestReach`; cells that are not finite are undefined. Small maps write their
/// numbers.
[[nodiscard]] Heatmap centredMap(const RowMatrix& values, double smallestReach, std::string valueTitle);

/// The panel of a map of the first tokens of the text by position, with the tokens along its axes.
[[nodiscard]] Panel tokenMapPanel(const Scene& scene, std::string id, std::string title, Heatmap map);

/// Choosing a token on an axis of queries sets view.token, on one of keys view.key. `tokens` stands along the
/// axis, as indices into scene.tokens.
[[nodiscard]] AxisChoice tokenChoice(const Scene& scene, AxisMeaning meaning, std::vector<int> tokens);
/// The same for `count` tokens from a position of the text on; a text that is longer than its list of words
/// repeats them.
[[nodiscard]] AxisChoice positionChoice(const Scene& scene, AxisMeaning meaning, std::int64_t first,
                                        std::int64_t count);

/// The map as the figure's matrix.
[[nodiscard]] Matrix matrixOf(const Heatmap& map);

/// Largest magnitude of the finite cells; NaN where there are none.
[[nodiscard]] double largestMagnitude(const std::vector<double>& values);

}  // namespace phaseladder
