#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/backends.h"
#include "core/attention/order_sweep.h"
#include "core/attention_store.h"
#include "core/figures/figure_list.h"
#include "core/progress.h"
#include "core/scene.h"

namespace phaseladder {

/// Asks the right function for a figure; it never computes. Owns the attention of scenes and a small cache of
/// residual streams and sweeps of orders, keyed by their inputs, and of the figures of a pinned scene. Safe
/// to call from one thread at a time.
class Engine {
public:
    /// Where attention runs; without a word small maps in double precision and large ones on the CPU's cores.
    explicit Engine(Backends backends = Backends());
    /// All of it on one backend.
    explicit Engine(std::unique_ptr<Backend> only);
    ~Engine();

    /// The figure, or one sentence why not. A scene without tokens gives a figure with an empty state, not an
    /// error. With a pinned scene in the request both are made and compared (core/figures/comparison.h); what
    /// the pinned one cannot be drawn for is said in the figure.
    [[nodiscard]] Result<Figure> figure(const Scene& scene, const FigureRequest& request,
                                        std::stop_token stop = {});

    /// Attention of a scene through the cache (only the fields that attention depends on are part of the
    /// key): a map, hidden states (without a map they alone), or both; however long it takes.
    [[nodiscard]] Result<std::shared_ptr<const AttentionResult>> attention(const Scene& scene,
                                                                           const MapRequest* map,
                                                                           bool hiddenStates,
                                                                           std::stop_token stop);

    /// A map as far as the effort brings it (AttentionResult::computedRows says how far).
    [[nodiscard]] Result<std::shared_ptr<const AttentionResult>> liveMap(const Scene& scene,
                                                                         const MapRequest& map, Effort effort,
                                                                         std::stop_token stop);
    /// What the scene's head attends with in the last layer, through the cache.
    [[nodiscard]] Result<std::shared_ptr<const AttentionProblem>> problem(const Scene& scene,
                                                                          std::stop_token stop);
    /// How far hidden states of the scene may differ and still count as the same, in shares of the largest
    /// component: more where they are computed in single precision.
    [[nodiscard]] double stateTolerance(const Scene& scene) const;
    /// What the scene's maps are asked of; AttentionResult::ranOn says what computed one in the end.
    [[nodiscard]] BackendInfo mapBackend(const Scene& scene) const;

    /// The residual stream of a scene before each layer and after the last one (core/attention/layers.h); the
    /// newest few are kept.
    [[nodiscard]] Result<std::shared_ptr<const std::vector<RowMatrix>>> residualStream(const Scene& scene,
                                                                                       int layers,
                                                                                       std::stop_token stop);
    /// All orders of a scene's tokens, kept for the scene in whatever order they stand. The scene must have
    /// no orderSweepRefusal().
    [[nodiscard]] Result<std::shared_ptr<OrderSweep>> orderSweep(const Scene& scene, std::stop_token stop);

    /// The GPU, where the program has one, as it is now; another one in its place (null: none); and one more
    /// look for one that was away.
    [[nodiscard]] std::optional<BackendInfo> gpuInfo() const;
    void replaceGpu(std::unique_ptr<Backend> gpu);
    void tryGpuAgain();
    /// What went wrong with it since the last call, a sentence each.
    [[nodiscard]] std::vector<std::string> takeNotices();
    /// Computes some of what the GPU computed again, a piece a call, when there is time. Where it was wrong
    /// all of it is forgotten: figures have to be asked for again.
    [[nodiscard]] Recheck recheck(std::stop_token stop);
    /// Whether some of it is left.
    [[nodiscard]] bool hasUnchecked() const;

    /// Long computations say here how far they have come; null: nowhere. The sink must outlive the engine or
    /// be taken back.
    void reportProgressTo(Progress* progress) { m_progress = progress; }
    [[nodiscard]] Progress* progress() const { return m_progress; }

private:
    [[nodiscard]] Result<Figure> makeFigure(const FigureKind& kind, const Scene& scene,
                                            const FigureRequest& request, std::stop_token stop);
    [[nodiscard]] Result<std::shared_ptr<const Figure>> pinnedFigure(const FigureKind& kind,
                                                                     const Scene& live,
                                                                     const FigureRequest& request,
                                                                     std::stop_token stop);

    struct Cache;
    std::unique_ptr<AttentionStore> m_attention;
    Progress* m_progress = nullptr;
    std::unique_ptr<Cache> m_cache;
};

}  // namespace phaseladder
