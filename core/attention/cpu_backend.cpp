#include "core/attention/cpu_backend.h"

#include <algorithm>
#include <list>
#include <memory>
#include <utility>

#include "core/attention/backend.h"
#include "core/attention/map_tasks.h"
#include "core/attention/pooled_map.h"
#include "core/attention/tile_problem.h"
#include "core/attention/tiled_hidden.h"
#include "core/attention/tiled_map.h"
#include "core/cancelled.h"
#include "core/threads.h"

namespace phaseladder {
namespace {

/// Problems that are kept, newest first: so many, and no more than one beyond so many bytes.
constexpr std::size_t mostKept = 4;
constexpr double mostKeptBytes = 192e6;

class CpuBackend final : public Backend {
public:
    [[nodiscard]] BackendInfo info() const override {
        return {.id = "cpu", .label = "CPU, single precision"};
    }

    [[nodiscard]] Result<AttentionResult> run(const AttentionRequest& request,
                                              std::stop_token stop) override {
        const AttentionProblem& problem = *request.problem;
        const std::int64_t queries = problem.queries.rows(), keys = problem.keys.rows();
        if (queries == 0 || keys == 0) {
            return AttentionResult{.ranOn = info()};
        }
        if (request.map && !isWithin(*request.map, queries, keys)) {
            return fail(ErrorKind::failed, "The window of the map lies outside the attention map.");
        }
        if (stop.stop_requested()) {
            return cancelled();
        }
        if (!growthFitsSinglePrecision(problem)) {
            return m_reference->run(request, std::move(stop));
        }
        TileProblem* tiles = tileProblem(request.problem, stop);
        if (tiles == nullptr) {
            return cancelled();
        }
        AttentionResult result{.ranOn = info()};
        result.definedTokens = tiles->defined;
        // Hidden states first: they meet all scores, and the map then knows the sums of all rows.
        if ((request.hiddenStates && !sumValues(*tiles, problem, stop, result)) ||
            (request.map && !poolTiles(*tiles, *request.map, stop, result))) {
            return cancelled();
        }
        return result;
    }

    [[nodiscard]] RunForecast forecast(const AttentionRequest& request) const override {
        if (!growthFitsSinglePrecision(*request.problem)) {
            return m_reference->forecast(request);
        }
        const AttentionProblem& problem = *request.problem;
        const auto kept = findKept(request.problem);
        if (kept == m_kept.end() || !request.map ||
            !isWithin(*request.map, problem.queries.rows(), problem.keys.rows())) {
            return Backend::forecast(request);
        }
        const auto rows = (*kept)->sums.isKnown.begin();
        const CellWindow& window = request.map->window;
        return {.ranOn = info(),
                .knownRows = std::count(rows + window.rowBegin, rows + window.rowEnd, std::uint8_t{1}),
                .quickProducts = quickSingleProducts()};
    }

private:
    using Problem = std::shared_ptr<const AttentionProblem>;
    using KeptProblems = std::list<std::unique_ptr<TileProblem>>;

    /// The problem as it is kept, or the end of the list.
    [[nodiscard]] KeptProblems::const_iterator findKept(const Problem& problem) const {
        return std::ranges::find_if(m_kept, [&](const auto& kept) {
            return kept->problem == problem || haveSameScores(*kept->problem, *problem);
        });
    }

    /// The problem as it is kept, or made and kept; null where it was stopped.
    [[nodiscard]] TileProblem* tileProblem(const Problem& problem, const std::stop_token& stop) {
        const auto found = findKept(problem);
        if (found != m_kept.end()) {
            m_kept.splice(m_kept.begin(), m_kept, found);
            return m_kept.front().get();
        }
        // Room is made before a new one is, so that there is never one too many.
        double bytes = 0.0;
        const double needed = static_cast<double>(sizeof(float)) * static_cast<double>(problem->keys.size());
        std::size_t count = 1;
        const auto end = std::ranges::find_if(m_kept, [&](const auto& kept) {
            bytes += kept->bytes();
            return ++count > mostKept || bytes + needed > mostKeptBytes;
        });
        m_kept.erase(end, m_kept.end());
        if (auto made = TileProblem::create(problem, stop)) {
            m_kept.push_front(std::move(made));
            return m_kept.front().get();
        }
        return nullptr;
    }

    KeptProblems m_kept;
    std::unique_ptr<Backend> m_reference = makeReferenceBackend();
};

}  // namespace

double quickDoubleProducts() {
    return 0x1p27;
}

double quickSingleProducts() {
    return 0x1p31 * threadCount();
}

double cpuBackendBytes(const CpuBackendNeed& need) {
    const auto queries = double(need.queries), keys = double(need.keys), width = double(need.width);
    const auto columns = double(need.pixelColumns);
    const double turned = sizeof(float) * keys * width;
    const double kept = std::max(turned, mostKeptBytes) + sizeof(float) * (5.0 * queries + keys);
    // Of a thread: queries of a block in three forms, scores of a tile, three numbers of each tile and one of
    // each column of pixels and tile, all of them for each row of a block; twice the last, which grow.
    const double tiles = keys / double(tileKeys) + 1.0;
    const double ofRow = 3.0 * width + double(tileKeys) + 3.0 * tiles + 2.0 * (columns + tiles);
    const double threads = sizeof(float) * threadCount() * 2.0 * double(packetRows) * ofRow;
    // A number and a mask of each pixel, and the numbers of a task's or of all strands, which are cut anew in
    // each row of pixels.
    const double ofTasks = threadCount() * double(mostTaskRows) + 2.0 * queries / double(mostTaskRows);
    const double map = columns * (9.0 * double(need.pixelRows) + 8.0 * ofTasks);
    const double hidden = need.hiddenStates ? sizeof(double) * queries * width : 0.0;
    return kept + threads + map + hidden;
}

std::unique_ptr<Backend> makeCpuBackend() {
    return std::make_unique<CpuBackend>();
}

}  // namespace phaseladder
