#include "gpu/helper/score_pass.h"

#include <algorithm>
#include <utility>

#include "core/index.h"

namespace phaseladder::gpu {
namespace {

constexpr std::int64_t mostRowsOfChunk = 32768;  // rows of pixels that they fill are blocks along y

unsigned tilesOf(std::int64_t things) {
    return static_cast<unsigned>((things + tileRows - 1) / tileRows);
}

}  // namespace

ScorePass::ScorePass(DeviceSession& session, DeviceProblem& problem, std::vector<std::int32_t> rows,
                     std::int64_t keyBegin, std::int64_t keyEnd, std::uint64_t bytesOfRow,
                     double productsOfRow, ChunkBounds bounds)
    : m_session(session),
      m_problem(problem),
      m_rows(std::move(rows)),
      m_keyBegin(keyBegin),
      m_keyEnd(keyEnd),
      m_deviceRows(session.upload(m_rows)) {
    if (m_rows.empty()) {
        return;
    }
    const std::int64_t offsets = offsetsOf(m_rows.front(), m_rows.back()).count;
    const double byBytes = double(bounds.bytes) / double(bytesOfRow + sizeof(float) * index(offsets));
    const double byProducts = bounds.products / productsOfRow;
    const auto fitting = static_cast<std::int64_t>(std::min({byBytes, byProducts, double(mostRowsOfChunk)}));
    m_rowsOfChunk =
        std::min<std::int64_t>(std::max<std::int64_t>(fitting / tileRows, 1) * tileRows, std::ssize(m_rows));
    m_relative = DeviceArray<float>(session, index(m_rowsOfChunk) * index(offsets));
}

/// The offsets that rows meet. Scores are computed by whole tiles of keys.
ScorePass::Offsets ScorePass::offsetsOf(std::int32_t firstRow, std::int32_t lastRow) const {
    if (!m_problem.hasRelativeKeys()) {
        return {};
    }
    const ScoreColumnsArguments scores = m_problem.scores();
    const SeenKeys& seen = scores.seen;
    const std::int64_t firstKey = m_keyBegin / tileKeys * tileKeys;
    const std::int64_t endKey = std::min((m_keyEnd + tileKeys - 1) / tileKeys * tileKeys, seen.keys);
    const std::int64_t reach = scores.terms.relativeReach;
    const std::int64_t most = (seen.keyStart + endKey - 1) - (seen.queryStart + firstRow);
    const std::int64_t least =
        std::clamp((seen.keyStart + firstKey) - (seen.queryStart + lastRow), -reach, reach);
    const std::int64_t last =
        std::clamp(seen.isCausal ? std::min<std::int64_t>(most, 0) : most, -reach, reach);
    return {least, std::max<std::int64_t>(last - least + 1, 1)};
}

void ScorePass::begin(RowChunk chunk, ScoreColumnsArguments& scores) {
    scores.rows = m_deviceRows.data() + chunk.begin;
    scores.rowCount = chunk.count();
    if (!m_problem.hasRelativeKeys()) {
        return;
    }
    const Offsets offsets = offsetsOf(m_rows[index(chunk.begin)], m_rows[index(chunk.end - 1)]);
    scores.terms.relative = m_relative.data();
    scores.terms.relativeLeast = offsets.least;
    scores.terms.relativeOffsets = offsets.count;
    RelativeProductsArguments relative = m_problem.relativeProducts();
    relative.rows = scores.rows;
    relative.rowCount = scores.rowCount;
    relative.terms = scores.terms;
    relative.products = m_relative.data();
    m_session.launch(relative, {tilesOf(chunk.count()), tilesOf(offsets.count)});
}

void ScorePass::run(const RunWatch& watch, const std::function<void(RowChunk)>& launchChunk,
                    const std::function<void(RowChunk)>& finishChunk) {
    const auto rows = static_cast<std::int32_t>(m_rows.size());
    for (std::int32_t begin = 0; begin < rows && m_session.isGood();) {
        if (watch.isCancelled()) {
            m_session.fail({HelperState::cancelled, "the request was cancelled"});
            return;
        }
        const RowChunk chunk{begin,
                             static_cast<std::int32_t>(std::min<std::int64_t>(begin + m_rowsOfChunk, rows))};
        m_session.startClock();
        launchChunk(chunk);
        m_session.wait([&] { watch.tell(begin, rows); });
        m_milliseconds += m_session.milliseconds();
        if (m_session.isGood()) {
            finishChunk(chunk);
        }
        begin = chunk.end;
    }
}

}  // namespace phaseladder::gpu
