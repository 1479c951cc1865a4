#include "gpu/helper/attention_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/attention/pixel_grid.h"
#include "core/index.h"
#include "gpu/helper/map_columns.h"

namespace phaseladder::gpu {
namespace {

constexpr std::int64_t mostBlocksAlongY = 65535;
constexpr std::int64_t blocksOfMultiprocessor = 4;  // that are there at once, so that none waits idle

std::int64_t blocksFor(std::int64_t things, std::int64_t each) {
    return (things + each - 1) / each;
}

class AttentionRun {
public:
    AttentionRun(DeviceSession& session, DeviceProblem& problem, const RunMessage& run, const RunWatch& watch,
                 std::uint64_t chunkBytes)
        : m_session(session),
          m_problem(problem),
          m_run(run),
          m_watch(watch),
          m_bounds{chunkBytes, session.productsOfLaunch()} {
        m_result.id = run.id;
    }

    ResultMessage result() {
        if (m_run.map) {
            computeMap(*m_run.map);
        }
        if (m_run.hiddenStates) {
            computeHiddenStates();
        }
        if (m_run.readsRelativeTable) {
            readRelativeTable();
        } else if (m_run.rowLogSums) {
            computeSums();
        }
        if (m_run.rowLogSums) {
            takeRowLogSums();
        }
        return std::move(m_result);
    }

private:
    /// Scores of rows, as parts over columns.
    struct Columns {
        Columns(DeviceSession& session, MapColumns of)
            : columns(std::move(of)), edges(session.upload(columns.edges)) {}

        MapColumns columns;
        DeviceArray<std::int32_t> edges, groups;
        std::int64_t groupCount = 0;
        DeviceArray<Part> parts;  // rows of a chunk × columns
    };

    ScorePass passOver(std::vector<std::int32_t> rows, Columns& columns) {
        const std::vector<std::int32_t>& edges = columns.columns.edges;
        const std::uint64_t bytes = sizeof(Part) * index(columns.columns.count());
        const double products = double(edges.back() - edges.front()) * m_problem.width();
        ScorePass pass(m_session, m_problem, std::move(rows), edges.front(), edges.back(), bytes, products,
                       m_bounds);
        columns.parts =
            DeviceArray<Part>(m_session, index(pass.rowsOfChunk()) * index(columns.columns.count()));
        const std::int64_t wanted = blocksOfMultiprocessor * m_session.properties().multiprocessors;
        const std::int64_t tiles = blocksFor(edges.back() - edges.front(), tileKeys);
        const std::int64_t most = blocksFor(wanted, blocksFor(pass.rowsOfChunk(), tileRows));
        const std::vector<std::int32_t> groups =
            groupsOf(columns.columns, std::min({most, tiles, mostBlocksAlongY}));
        columns.groups = m_session.upload(groups);
        columns.groupCount = std::ssize(groups) - 1;
        return pass;
    }

    void launchScores(ScorePass& pass, RowChunk chunk, const Columns& columns, Statistic statistic) {
        const auto complete = [&](ScoreColumnsArguments& scores) {
            scores.edges = columns.edges.data();
            scores.columns = columns.columns.count();
            scores.groups = columns.groups.data();
            scores.statistic = statistic;
            scores.parts = columns.parts.data();
            pass.begin(chunk, scores);
        };
        const Grid grid{static_cast<unsigned>(blocksFor(chunk.count(), tileRows)),
                        static_cast<unsigned>(columns.groupCount)};
        if (m_run.isTensor && m_problem.isForTensors(m_session)) {
            TensorScoresArguments tensor = m_problem.tensorScores(m_session);
            complete(tensor.scores);
            m_session.launch(tensor, grid);
            return;
        }
        ScoreColumnsArguments scores = m_problem.scores();
        complete(scores);
        m_session.launch(scores, grid);
    }

    void launchSums(const ScorePass& pass, RowChunk chunk, const Columns& columns) {
        const SumRowsArguments sums{columns.parts.data(),    pass.deviceRows() + chunk.begin,
                                    chunk.count(),           columns.edges.data(),
                                    columns.columns.count(), m_problem.scores().seen,
                                    m_problem.sums(),        m_problem.sumErrors()};
        constexpr std::int64_t rowsOfBlock = plainThreads / warpThreads;
        m_session.launch(sums, {static_cast<unsigned>(blocksFor(chunk.count(), rowsOfBlock)), 1});
    }

    [[nodiscard]] bool areSummed(const std::vector<std::int32_t>& rows) const {
        return std::ranges::all_of(rows, [&](std::int32_t row) { return m_problem.isSummed[index(row)]; });
    }

    void noteSums(const std::vector<std::int32_t>& rows) {
        if (rows.empty()) {
            return;
        }
        const std::size_t first = index(rows.front()), count = index(rows.back()) + 1 - first;
        m_session.download(m_problem.sumErrors() + first,
                           std::span(m_problem.sumErrorOf).subspan(first, count));
        for (const std::int32_t row : rows) {
            m_problem.isSummed[index(row)] = m_session.isGood();
        }
    }

    void computeMap(const MapMessage& map) {
        const MapRows needed = rowsOfMap(map);
        const bool isSumming = !map.isLogits && !areSummed(needed.rows);
        Columns columns(m_session, columnsOfMap(map, m_problem.keyRows(),
                                                isSumming ? BesideWindow::counted : BesideWindow::leftOut));
        ScorePass pass = passOver(needed.rows, columns);
        const DeviceArray<std::int32_t> pixelBegins = m_session.upload(needed.pixelBegins);
        m_result.pixelRows = std::ssize(needed.pixelBegins) - 1;
        m_result.pixelColumns = map.pixelColumns;
        m_result.computedRows = std::ssize(needed.rows);
        const DeviceArray<float> pixels(m_session, index(m_result.pixelRows * m_result.pixelColumns));
        DeviceArray<double> carried(m_session, index(map.pixelColumns)),
            next(m_session, index(map.pixelColumns));
        m_session.clear(pixels);

        PoolColumnsArguments pool{};
        pool.parts = columns.parts.data();
        pool.rows = pass.deviceRows();
        pool.edges = columns.edges.data();
        pool.columns = columns.columns.count();
        pool.firstColumn = columns.columns.firstPixel;
        pool.pixelColumns = columns.columns.pixels;
        pool.pixelBegins = pixelBegins.data();
        pool.seen = m_problem.scores().seen;
        pool.sums = m_problem.sums();
        pool.isMax = map.isMax;
        pool.isLogits = map.isLogits;
        pool.map = pixels.data();
        const Statistic statistic = !map.isLogits ? Statistic::weights
                                    : map.isMax   ? Statistic::largestLogits
                                                  : Statistic::sumOfLogits;
        pass.run(
            m_watch,
            [&](RowChunk chunk) {
                launchScores(pass, chunk, columns, statistic);
                if (isSumming) {
                    launchSums(pass, chunk, columns);
                }
                pool.chunkBegin = chunk.begin;
                pool.chunkEnd = chunk.end;
                pool.carriedIn = carried.data();
                pool.carriedOut = next.data();
                launchPool(pool, needed.pixelBegins);
            },
            [&](RowChunk) { std::swap(carried, next); });
        m_result.deviceMilliseconds += pass.milliseconds();
        if (isSumming) {
            noteSums(needed.rows);
        }
        m_result.map.resize(pixels.size());
        m_session.download(pixels.data(), std::span(m_result.map));
        if (m_session.isGood()) {
            finishMap(needed, columns.columns, map);
        }
    }

    /// The rows of pixels that have rows in the chunk.
    void launchPool(PoolColumnsArguments pool, const std::vector<std::int32_t>& begins) {
        const auto first = std::ranges::upper_bound(begins.begin() + 1, begins.end(), pool.chunkBegin);
        const auto end = std::lower_bound(begins.begin(), begins.end() - 1, pool.chunkEnd);
        const std::int64_t firstPixel = first - (begins.begin() + 1), endPixel = end - begins.begin();
        for (std::int64_t pixel = firstPixel; pixel < endPixel; pixel += mostBlocksAlongY) {
            pool.firstPixel = static_cast<int>(pixel);
            pool.endPixel = static_cast<int>(std::min(pixel + mostBlocksAlongY, endPixel));
            m_session.launch(pool, {static_cast<unsigned>(blocksFor(pool.pixelColumns, plainThreads)),
                                    static_cast<unsigned>(pool.endPixel - pool.firstPixel)});
        }
    }

    /// Rows of pixels without a row show the nearest one's; columns that no row sees are told.
    void finishMap(const MapRows& needed, const MapColumns& columns, const MapMessage& map) {
        const auto pixelEdgesBegin = columns.edges.begin() + columns.firstPixel;
        std::vector<std::int64_t> rowsIn;
        std::vector<std::uint32_t> shown;
        for (std::size_t pixel = 0; pixel + 1 < needed.pixelBegins.size(); ++pixel) {
            std::int64_t seen = 0;
            for (std::int32_t at = needed.pixelBegins[pixel]; at < needed.pixelBegins[pixel + 1]; ++at) {
                seen = std::max(seen, m_problem.seenBy(needed.rows[index(at)]));
            }
            rowsIn.push_back(needed.pixelBegins[pixel + 1] - needed.pixelBegins[pixel]);
            const auto end = std::lower_bound(pixelEdgesBegin, pixelEdgesBegin + columns.pixels, seen);
            shown.push_back(static_cast<std::uint32_t>(end - pixelEdgesBegin));
        }
        m_result.shownColumns = shown;
        const auto width = static_cast<std::ptrdiff_t>(map.pixelColumns);
        for (std::size_t pixel = 0; pixel < rowsIn.size(); ++pixel) {
            const std::int64_t from = nearestFilledRow(rowsIn, static_cast<std::int64_t>(pixel));
            if (from >= 0 && from != static_cast<std::int64_t>(pixel)) {
                m_result.shownColumns[pixel] = shown[index(from)];
                std::copy_n(m_result.map.begin() + from * width, width,
                            m_result.map.begin() + static_cast<std::ptrdiff_t>(pixel) * width);
            }
        }
        for (const std::int32_t row : needed.rows) {
            m_result.largestRowSumError =
                std::max(m_result.largestRowSumError, m_problem.sumErrorOf[index(row)]);
        }
    }

    void computeSums() {
        std::vector<std::int32_t> rows;
        for (std::int32_t row = 0; row < m_problem.queryRows(); ++row) {
            if (!m_problem.isSummed[index(row)]) {
                rows.push_back(row);
            }
        }
        Columns columns(m_session, columnsOfSums(m_problem.keyRows()));
        ScorePass pass = passOver(std::move(rows), columns);
        pass.run(
            m_watch,
            [&](RowChunk chunk) {
                launchScores(pass, chunk, columns, Statistic::weights);
                launchSums(pass, chunk, columns);
            },
            [](RowChunk) {});
        m_result.deviceMilliseconds += pass.milliseconds();
        noteSums(pass.rows());
    }

    [[nodiscard]] ScorePass passOverAll(std::uint64_t bytesOfRow, double productsOfRow) {
        std::vector<std::int32_t> rows(index(m_problem.queryRows()));
        std::iota(rows.begin(), rows.end(), 0);
        return {m_session,           m_problem,  std::move(rows), 0,
                m_problem.keyRows(), bytesOfRow, productsOfRow,   m_bounds};
    }

    void computeHiddenStates() {
        constexpr int channelsOfBlock = tileKeys;
        const int stride = m_problem.stride(), width = m_problem.width();
        const unsigned parts = static_cast<unsigned>(blocksFor(stride, channelsOfBlock));
        ScorePass pass =
            passOverAll(sizeof(float) * index(stride), 2.0 * double(m_problem.keyRows()) * m_problem.width());
        const DeviceArray<float> states(m_session, index(pass.rowsOfChunk()) * index(stride));
        std::vector<float> rows(states.size());
        m_result.hiddenRows = m_problem.queryRows();
        m_result.hiddenColumns = width;
        m_result.hidden.resize(index(m_result.hiddenRows * m_result.hiddenColumns));
        pass.run(
            m_watch,
            [&](RowChunk chunk) {
                HiddenStatesArguments hidden = m_problem.hiddenStates();
                pass.begin(chunk, hidden.scores);
                hidden.hidden = states.data();
                m_session.launch(hidden, {static_cast<unsigned>(blocksFor(chunk.count(), tileRows)), parts});
            },
            [&](RowChunk chunk) {
                m_session.download(states.data(),
                                   std::span(rows).first(index(chunk.count()) * index(stride)));
                for (int row = 0; row < chunk.count(); ++row) {
                    std::copy_n(rows.begin() + std::ptrdiff_t{row} * stride, width,
                                m_result.hidden.begin() + (std::ptrdiff_t{chunk.begin} + row) * width);
                }
            });
        m_result.deviceMilliseconds += pass.milliseconds();
        m_problem.isSummed.assign(m_problem.isSummed.size(), m_session.isGood());
    }

    void readRelativeTable() {
        const double products = 2.0 * double(m_problem.keyRows()) * m_problem.width();
        ScorePass pass = passOverAll(sizeof(Part), products);
        pass.run(
            m_watch,
            [&](RowChunk chunk) {
                RelativeTableArguments table = m_problem.relativeTable();
                table.scores.rows = pass.deviceRows() + chunk.begin;
                table.scores.rowCount = chunk.count();
                constexpr std::int64_t rowsOfBlock = plainThreads / warpThreads;
                m_session.launch(table, {static_cast<unsigned>(blocksFor(chunk.count(), rowsOfBlock)), 1});
            },
            [](RowChunk) {});
        m_result.deviceMilliseconds += pass.milliseconds();
        for (std::int64_t row = 0; row < m_problem.queryRows(); ++row) {
            m_result.bytesRead += sizeof(float) * index(m_problem.seenBy(row) * m_problem.width());
        }
        m_problem.isSummed.assign(m_problem.isSummed.size(), m_session.isGood());
    }

    void takeRowLogSums() {
        std::vector<Part> sums(index(m_problem.queryRows()));
        m_session.download(static_cast<const Part*>(m_problem.sums()), std::span(sums));
        for (std::size_t row = 0; row < sums.size(); ++row) {
            m_result.rowLogSums.push_back(m_problem.seenBy(static_cast<std::int64_t>(row)) == 0
                                              ? std::numeric_limits<float>::quiet_NaN()
                                              : sums[row].largest + std::log(sums[row].sum));
        }
    }

    DeviceSession& m_session;
    DeviceProblem& m_problem;
    const RunMessage& m_run;
    const RunWatch& m_watch;
    ChunkBounds m_bounds;
    ResultMessage m_result;
};

}  // namespace

std::string wrongWith(const RunMessage& run, const DeviceProblem& problem) {
    if (run.map && (run.map->rowEnd > problem.queryRows() || run.map->columnEnd > problem.keyRows())) {
        return "the window of a map ends at row " + std::to_string(run.map->rowEnd) + ", column " +
               std::to_string(run.map->columnEnd) + ", and the map has " +
               std::to_string(problem.queryRows()) + " × " + std::to_string(problem.keyRows());
    }
    if (run.hiddenStates && !problem.hasValues()) {
        return "hidden states are wanted of a problem without values";
    }
    if (run.readsRelativeTable && !problem.hasRelativeKeys()) {
        return "relative vectors are to be read of a problem without any";
    }
    return {};
}

ResultMessage runAttention(DeviceSession& session, DeviceProblem& problem, const RunMessage& run,
                           const RunWatch& watch, std::uint64_t chunkBytes) {
    return AttentionRun(session, problem, run, watch, chunkBytes).result();
}

}  // namespace phaseladder::gpu
