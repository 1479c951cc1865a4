#include "core/attention/progressive_map.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <utility>

#include "core/attention/pooled_map.h"
#include "core/cancelled.h"
#include "core/index.h"

namespace phaseladder {
namespace {

/// Below this many rows a preview says nothing about a map.
constexpr std::int64_t leastSampledRows = 16;

constexpr const char* activity = "computing exact rows";

}  // namespace

std::vector<std::int64_t> vanDerCorputOrder(std::int64_t count) {
    std::vector<std::int64_t> order;
    order.reserve(index(count));
    const auto places = std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 1)));
    const int bits = std::countr_zero(places);
    for (std::uint64_t place = 0; place < places; ++place) {
        std::uint64_t reversed = 0;
        for (int bit = 0; bit < bits; ++bit) {
            reversed |= (place >> bit & 1U) << (bits - 1 - bit);
        }
        if (static_cast<std::int64_t>(reversed) < count) {
            order.push_back(static_cast<std::int64_t>(reversed));
        }
    }
    return order;
}

ProgressiveMap::ProgressiveMap(AttentionRequest request, MapBudget budget, std::int64_t coldRows)
    : m_request(std::move(request)), m_budget(budget) {
    assert(m_request.map && !m_request.hiddenStates && m_request.map->sampledRows == 0 &&
           m_request.map->endPixelRow == 0);
    const MapRequest& map = *m_request.map;
    const auto width = static_cast<double>(m_request.problem->queries.cols());
    const auto columns = static_cast<double>(map.window.columnEnd - map.window.columnBegin);
    m_rowCost = width * static_cast<double>(m_request.problem->keys.rows());
    const double warmRows = static_cast<double>(windowRows() - coldRows);
    m_wholeCost = static_cast<double>(coldRows) * m_rowCost + warmRows * columns * width;
    const double pixelRowCost = std::max(m_wholeCost / static_cast<double>(map.pixelRows), 1.0);
    m_blockPixels = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::min(budget.block / pixelRowCost, 1e9)), 1, map.pixelRows);
    m_blocks = vanDerCorputOrder((map.pixelRows + m_blockPixels - 1) / m_blockPixels);
}

std::int64_t ProgressiveMap::windowRows() const {
    return m_request.map->window.rowEnd - m_request.map->window.rowBegin;
}

std::int64_t ProgressiveMap::firstRow(std::int64_t pixelRow) const {
    return m_request.map->window.rowBegin + pixelRow * windowRows() / m_request.map->pixelRows;
}

Result<void> ProgressiveMap::advance(Effort effort, Backend& backend, Progress* progress,
                                     std::stop_token stop) {
    if (isWhole() || (effort == Effort::quick && m_hasPicture)) {
        return {};
    }
    // In one go where it is quick, or where nobody wants to see it grow.
    if (!m_hasPicture && (m_wholeCost <= m_budget.quick || effort == Effort::whole)) {
        return computeWhole(backend, stop);
    }
    if (!m_hasPicture) {
        if (Result<void> made = computePreview(backend, stop); !made || effort == Effort::quick) {
            return made;
        }
    }
    const auto end = std::chrono::steady_clock::now() + m_budget.more;
    const ProgressSpan span(progress, activity, windowRows());
    span.add(m_exactRows);
    Result<void> done;
    do {
        const std::int64_t rowsBefore = m_exactRows;
        done = computeBlock(backend, stop);
        span.add(m_exactRows - rowsBefore);
    } while (done && !isWhole() && !m_hasChangedBackend &&
             (effort == Effort::whole || std::chrono::steady_clock::now() < end));
    return done;
}

Result<void> ProgressiveMap::computeWhole(Backend& backend, std::stop_token stop) {
    Result<AttentionResult> whole = backend.run(m_request, std::move(stop));
    if (!whole) {
        return tl::unexpected(whole.error());
    }
    m_result = *std::move(whole);
    m_exactRows = m_result.computedRows = windowRows();
    m_hasPicture = true;
    m_next = m_blocks.size();
    return {};
}

Result<void> ProgressiveMap::computePreview(Backend& backend, std::stop_token stop) {
    AttentionRequest preview = m_request;
    preview.map->sampledRows = std::clamp(static_cast<std::int64_t>(m_budget.quick / m_rowCost),
                                          std::min(leastSampledRows, windowRows()), windowRows());
    Result<AttentionResult> made = backend.run(preview, std::move(stop));
    if (!made) {
        return tl::unexpected(made.error());
    }
    m_result = *std::move(made);
    m_sampleRows = neededRows(*preview.map);
    m_result.computedRows = static_cast<std::int64_t>(m_sampleRows.size());
    m_hasPicture = true;
    return {};
}

Result<void> ProgressiveMap::computeBlock(Backend& backend, std::stop_token stop) {
    if (stop.stop_requested()) {
        return cancelled();
    }
    AttentionRequest wanted = m_request;
    wanted.map->firstPixelRow = m_blocks[m_next] * m_blockPixels;
    wanted.map->endPixelRow = std::min(wanted.map->firstPixelRow + m_blockPixels, m_request.map->pixelRows);
    const Result<AttentionResult> block = backend.run(wanted, std::move(stop));
    if (!block) {
        return tl::unexpected(block.error());
    }
    if (block->ranOn.id != m_result.ranOn.id || block->ranOn.isDouble != m_result.ranOn.isDouble) {
        m_hasChangedBackend = true;
        return {};
    }
    const MapRequest& map = *m_request.map;
    const std::int64_t at = wanted.map->firstPixelRow * map.pixelColumns;
    std::ranges::copy(block->map, m_result.map.begin() + at);
    std::ranges::copy(block->masked, m_result.masked.begin() + at);
    m_result.definedTokens = block->definedTokens;
    m_result.largestRowSumError = std::max(m_result.largestRowSumError, block->largestRowSumError);
    const std::int64_t begin = firstRow(wanted.map->firstPixelRow), end = firstRow(wanted.map->endPixelRow);
    std::erase_if(m_sampleRows, [&](std::int64_t row) { return row >= begin && row < end; });
    m_exactRows += end - begin;
    m_result.computedRows = m_exactRows + static_cast<std::int64_t>(m_sampleRows.size());
    ++m_next;
    return {};
}

}  // namespace phaseladder
