#pragma once

#include <memory>
#include <stop_token>
#include <vector>

#include "core/attention/backend.h"
#include "core/attention/captured.h"
#include "core/effort.h"
#include "core/engine.h"
#include "core/figures/figure.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// The scene with another head shown.
[[nodiscard]] Scene withHead(const Scene& scene, int head);

/// Says in the figure's warnings what captured heads hold that is no number, and where; where the figure
/// shows several heads, each sentence begins with its own. Returns the rows of all `heads`; none for words.
[[nodiscard]] Result<UndefinedRows> addCapturedWarnings(Figure& figure, const Scene& scene,
                                                        const std::vector<int>& heads, bool namesHeads,
                                                        const std::stop_token& stop,
                                                        const UndefinedRowEffects& effects = {});

/// Rows of a map to compute in each of `heads` heads so that no more products of two numbers (rows × keys ×
/// d) come together, but for a few at least; 0: all.
[[nodiscard]] std::int64_t affordableRows(const Scene& scene, const MapRequest& map, std::size_t heads,
                                          double products);

/// Products of all heads together up to which a first picture of many heads has every row.
inline constexpr double mostQuickProducts = 1e9;

/// Attention of the scene's chosenHeads(): of one head its own, as far as the effort brings it; of several
/// the mean of their maps, cell by cell (weights are averaged after each head's softmax, logits before it),
/// without hidden states, and with the largest of their errors: quick of a few rows, else whole. Progress is
/// told where there are several.
[[nodiscard]] Result<std::shared_ptr<const AttentionResult>> attentionOfHeads(const Scene& scene,
                                                                              MapRequest map,
                                                                              bool hiddenStates,
                                                                              Effort effort, Engine& engine,
                                                                              std::stop_token stop);

}  // namespace phaseladder
