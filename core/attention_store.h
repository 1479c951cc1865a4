#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

#include "core/attention/backends.h"
#include "core/attention/captured.h"
#include "core/attention/problem.h"
#include "core/attention/progressive_map.h"
#include "core/effort.h"
#include "core/progress.h"
#include "core/recent.h"
#include "core/scene.h"

namespace phaseladder {

/// Attention of scenes: runs each request on the backend that it belongs to, and keeps the newest problems,
/// maps on their way and results, by what they depend on and by the memory that they take.
class AttentionStore {
public:
    using ResultPointer = std::shared_ptr<const AttentionResult>;

    explicit AttentionStore(Backends backends) : m_backends(std::move(backends)) {}

    /// A map as far as the effort brings it: computedRows of the result below the window's rows: a preview,
    /// which a further call goes on with; one of sampled rows at once. `progress` may be null.
    [[nodiscard]] Result<ResultPointer> map(const Scene& scene, const MapRequest& map, Effort effort,
                                            Progress* progress, std::stop_token stop);
    /// Hidden states, with a map where one is given.
    [[nodiscard]] Result<ResultPointer> states(const Scene& scene, const MapRequest* map,
                                               std::stop_token stop);

    /// What the scene's head attends with in the last layer.
    [[nodiscard]] Result<std::shared_ptr<const AttentionProblem>> problem(const Scene& scene,
                                                                          std::stop_token stop);
    /// The residual stream of a scene before each layer and after the last one.
    [[nodiscard]] Result<std::shared_ptr<const std::vector<RowMatrix>>> residualStream(const Scene& scene,
                                                                                       int layers,
                                                                                       std::stop_token stop);

    /// What computes the scene's maps, and what the hidden states of a text. It may leave a problem to
    /// another (AttentionResult::ranOn).
    [[nodiscard]] Backend& mapBackend(const Scene& scene) const;
    [[nodiscard]] Backend& stateBackend(const Scene& scene) const;
    /// What the scene's hidden states run on in the end.
    [[nodiscard]] BackendInfo statesRunOn(const Scene& scene);

    /// The backends' own: what went wrong, and how the GPU is.
    [[nodiscard]] Backends& backends() { return m_backends; }
    [[nodiscard]] const Backends& backends() const { return m_backends; }
    /// Backends::recheck; drops all that a backend computed which turned out to be wrong.
    [[nodiscard]] Recheck recheck(std::stop_token stop);

private:
    using ProblemPointer = std::shared_ptr<const AttentionProblem>;

    struct ProblemEntry {
        Scene content;
        bool causal = false;
        EncodingPlan plan;
        CapturedHead head;  ///< of captured heads: as the files were
        ProblemPointer problem;
    };
    struct StreamEntry {
        Scene content;      ///< but for the head and what is viewed
        EncodingPlan plan;  ///< also holds what came from a file
        int layers = 0;
        std::shared_ptr<const std::vector<RowMatrix>> stream;
    };
    /// Keyed by the problem itself, which its own entry keeps alive: without that, nothing asks for it again.
    struct ResultEntry {
        std::weak_ptr<const AttentionProblem> problem;
        std::optional<MapRequest> map;
        bool hiddenStates = false;
        ResultPointer result;
    };

    [[nodiscard]] Result<ResultPointer> run(const AttentionRequest& request, Backend& backend,
                                            std::stop_token stop);
    /// The map on its way, or one that begins: also where what went on with it so far is not what computes it
    /// from now on.
    [[nodiscard]] ProgressiveMap& mapOnItsWay(const AttentionRequest& request, const Backend& backend);
    [[nodiscard]] ResultPointer known(const AttentionRequest& request);
    void keep(const AttentionRequest& request, const ResultPointer& result);

    static constexpr std::int64_t problemBytes = std::int64_t{512} << 20;
    static constexpr std::int64_t resultBytes = std::int64_t{256} << 20;
    static constexpr std::int64_t streamBytes = std::int64_t{64} << 20;

    Backends m_backends;
    /// The figures of all heads ask for one of each head in turn.
    static constexpr std::size_t mostHeads = 160;

    Recent<ProblemEntry> m_problems{mostHeads, problemBytes};
    Recent<StreamEntry> m_streams{6, streamBytes};
    Recent<ResultEntry> m_results{2 * mostHeads, resultBytes};
    Recent<ProgressiveMap> m_maps{16};
};

}  // namespace phaseladder
