#pragma once

#include <chrono>
#include <cstdint>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/attention/backend.h"
#include "core/effort.h"
#include "core/progress.h"
#include "core/result.h"

namespace phaseladder {

/// What may be computed in one go, in products of two numbers: rows × keys × d.
struct MapBudget {
    double quick =
        0.0;  ///< a map that costs no more is exact at once; of others a preview of so much is made
    double block = 0.0;  ///< rows of pixels between two looks at the clock and the stop token
    /// How long Effort::more goes on; it always does one block.
    std::chrono::milliseconds more{100};
};

/// 0 .. count-1 in the order of van der Corput: halves, then quarters, then eighths, so that what is done is
/// spread evenly at any time. 0, 4, 2, 6, 1, 5, 3, 7 of eight.
[[nodiscard]] std::vector<std::int64_t> vanDerCorputOrder(std::int64_t count);

/// One attention map on its way: first a preview made of a few rows where the whole takes long, then exact
/// blocks of rows of pixels, each in place of the preview's. A stopped map keeps what it has and goes on from
/// there. What it becomes depends on the request and the budget alone.
class ProgressiveMap {
public:
    /// The request has a map of all its rows of pixels, and no hidden states. `coldRows`: how many of the
    /// window's rows have no row sum yet; a row that has one costs the window's columns only.
    ProgressiveMap(AttentionRequest request, MapBudget budget, std::int64_t coldRows);

    /// Goes on: quick makes a first picture where there is none, more adds blocks for a while, whole the
    /// rest. Cancelled where it was stopped.
    [[nodiscard]] Result<void> advance(Effort effort, Backend& backend, Progress* progress,
                                       std::stop_token stop);

    [[nodiscard]] const AttentionRequest& request() const { return m_request; }
    [[nodiscard]] bool hasPicture() const { return m_hasPicture; }
    /// Whether every row is exact.
    [[nodiscard]] bool isWhole() const { return m_next == m_blocks.size(); }
    /// Whether a block came from another backend than what was there before, as after the loss of a GPU. Such
    /// a block is left out and nothing is added any more: a map is of one backend, and has to begin anew.
    [[nodiscard]] bool hasChangedBackend() const { return m_hasChangedBackend; }
    /// As far as it has come: computedRows of it counts the rows of the window that it is made of.
    [[nodiscard]] const AttentionResult& result() const { return m_result; }
    /// Hands the result over; nothing is left.
    [[nodiscard]] AttentionResult takeResult() { return std::move(m_result); }

private:
    [[nodiscard]] std::int64_t windowRows() const;
    /// The first row of the window that belongs to a row of pixels.
    [[nodiscard]] std::int64_t firstRow(std::int64_t pixelRow) const;
    [[nodiscard]] Result<void> computeWhole(Backend& backend, std::stop_token stop);
    [[nodiscard]] Result<void> computePreview(Backend& backend, std::stop_token stop);
    [[nodiscard]] Result<void> computeBlock(Backend& backend, std::stop_token stop);

    AttentionRequest m_request;
    MapBudget m_budget;
    double m_wholeCost = 0.0;            // of what is asked for, in products
    double m_rowCost = 0.0;              // of a row without its sum
    std::int64_t m_blockPixels = 1;      // rows of pixels a block
    std::vector<std::int64_t> m_blocks;  // in the order in which they are computed
    std::size_t m_next = 0;              // place in m_blocks
    bool m_hasPicture = false;
    bool m_hasChangedBackend = false;
    std::int64_t m_exactRows = 0;            // of the window
    std::vector<std::int64_t> m_sampleRows;  // of the preview, those that no exact block has replaced yet
    AttentionResult m_result;
};

}  // namespace phaseladder
