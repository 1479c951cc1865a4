#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/helper/device_problem.h"
#include "gpu/helper/device_session.h"
#include "gpu/helper/map_columns.h"
#include "gpu/helper/run_watch.h"

namespace phaseladder::gpu {

/// Rows of a pass that are launched together.
struct RowChunk {
    std::int32_t begin = 0, end = 0;  ///< of the pass's rows

    [[nodiscard]] int count() const { return end - begin; }
};

/// How large a chunk may be.
struct ChunkBounds {
    std::uint64_t bytes = 0;  ///< of what is kept of its scores
    double products = 0;      ///< numbers multiplied and added
};

/// A pass over rows of a problem, chunk by chunk: launches of at most a few milliseconds, after each of which
/// it is looked whether the run is still wanted.
class ScorePass {
public:
    /// keyBegin .. keyEnd-1 are the keys that the rows meet; bytesOfRow is kept of the scores of a row;
    /// productsOfRow is computed for each.
    ScorePass(DeviceSession& session, DeviceProblem& problem, std::vector<std::int32_t> rows,
              std::int64_t keyBegin, std::int64_t keyEnd, std::uint64_t bytesOfRow, double productsOfRow,
              ChunkBounds bounds);

    [[nodiscard]] const std::vector<std::int32_t>& rows() const { return m_rows; }
    /// Of the largest chunk.
    [[nodiscard]] std::int64_t rowsOfChunk() const { return m_rowsOfChunk; }
    /// The rows in device memory.
    [[nodiscard]] const std::int32_t* deviceRows() const { return m_deviceRows.data(); }

    /// Goes through the chunks: launches what `launchChunk` launches, waits for it, and calls `finishChunk`.
    /// Stops at a fault of the session, which a cancelled run is too.
    void run(const RunWatch& watch, const std::function<void(RowChunk)>& launchChunk,
             const std::function<void(RowChunk)>& finishChunk);

    /// Gives scores the rows of a chunk, and launches the products with relative vectors that they look up.
    void begin(RowChunk chunk, ScoreColumnsArguments& scores);

    [[nodiscard]] double milliseconds() const { return m_milliseconds; }  ///< of all launches so far

private:
    struct Offsets {
        std::int64_t least = 0, count = 0;
    };
    [[nodiscard]] Offsets offsetsOf(std::int32_t firstRow, std::int32_t lastRow) const;

    DeviceSession& m_session;
    DeviceProblem& m_problem;
    std::vector<std::int32_t> m_rows;
    std::int64_t m_keyBegin, m_keyEnd;
    std::int64_t m_rowsOfChunk = tileRows;
    DeviceArray<std::int32_t> m_deviceRows;
    DeviceArray<float> m_relative;  // of the chunk: rows × offsets
    double m_milliseconds = 0.0;
};

}  // namespace phaseladder::gpu
