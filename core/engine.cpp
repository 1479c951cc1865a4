#include "core/engine.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/attention/captured.h"
#include "core/attention/layers.h"
#include "core/cancelled.h"
#include "core/figures/comparison.h"
#include "core/nearest_name.h"
#include "core/recent.h"

namespace phaseladder {
namespace {

using ResultPointer = std::shared_ptr<const AttentionResult>;
using FigurePointer = std::shared_ptr<const Figure>;

void addNew(std::vector<std::string>& sentences, const std::vector<std::string>& more) {
    for (const std::string& sentence : more) {
        if (std::ranges::find(sentences, sentence) == sentences.end()) {
            sentences.push_back(sentence);
        }
    }
}

bool haveMapsOfOneSize(const Scene& first, const Scene& second) {
    const Result<MapShape> one = mapShape(first), other = mapShape(second);
    return one && other && one->queries == other->queries && one->keys == other->keys;
}

std::vector<std::int64_t> distancesOf(const FigureKind& kind, const Scene& scene) {
    return kind.distances && validate(scene) ? kind.distances(scene) : std::vector<std::int64_t>();
}

}  // namespace

struct Engine::Cache {
    /// A figure of a pinned scene: while it is compared with a scene that changes, it stays the same.
    struct PinnedEntry {
        FigureRequest request;
        FigurePointer figure;
    };
    struct SweepEntry {
        Scene scene;        ///< without its order and its view
        EncodingPlan plan;  ///< also holds what came from a file
        std::shared_ptr<OrderSweep> sweep;
    };

    Recent<PinnedEntry> pinned{12};  // a whole and a quick one a pane, and some more
    Recent<SweepEntry> sweeps{2};
};

Engine::Engine(std::unique_ptr<Backend> only) : Engine(Backends::only(std::move(only))) {}

Engine::Engine(Backends backends)
    : m_attention(std::make_unique<AttentionStore>(std::move(backends))),
      m_cache(std::make_unique<Cache>()) {}

Engine::~Engine() = default;

Result<Figure> Engine::figure(const Scene& scene, const FigureRequest& request, std::stop_token stop) {
    const FigureKind* kind = findFigure(request.id);
    if (kind == nullptr) {
        std::vector<std::string> ids;
        for (const FigureKind& known : figureKinds()) {
            ids.push_back(known.id);
        }
        return fail(ErrorKind::usage,
                    fmt::format("There is no figure '{}'{}.", request.id, didYouMean(request.id, ids)));
    }
    FigureRequest asked = request;
    if (request.pinned) {
        asked.alsoAt = distancesOf(*kind, *request.pinned);
    }
    Result<Figure> live = makeFigure(*kind, scene, asked, stop);
    if (!request.pinned || (!live && request.compare != CompareMode::pinned)) {
        return live;
    }
    Result<FigurePointer> pinned = pinnedFigure(*kind, scene, request, stop);
    if (!pinned && (request.compare == CompareMode::pinned || stop.stop_requested())) {
        return tl::unexpected(pinned.error());
    }
    const auto withoutPicture = [](const Error& reason) {
        Figure none;
        none.emptyState = reason.message;
        return none;
    };
    const Figure none = pinned ? Figure() : withoutPicture(pinned.error());
    const ComparedSettings settings = comparedSettings(*request.pinned, scene);
    Figure compared =
        compareFigures(pinned ? **pinned : none, live ? *std::move(live) : withoutPicture(live.error()),
                       request.compare, settings);
    compared.id = kind->id;
    compared.title = kind->label;
    nameCompared(compared, settings, request.compare);
    return compared;
}

Result<FigurePointer> Engine::pinnedFigure(const FigureKind& kind, const Scene& live,
                                           const FigureRequest& request, std::stop_token stop) {
    FigureRequest asked = request;
    asked.compare = CompareMode::live;
    asked.alsoAt = distancesOf(kind, live);
    if (!haveMapsOfOneSize(*request.pinned, live)) {
        asked.window.reset();  // a part of one map is no part of the other
    }
    // What is whole is good for any effort; what is not goes on, unless only the quick part is wanted again.
    const Cache::PinnedEntry* known = m_cache->pinned.find([&](const Cache::PinnedEntry& entry) {
        FigureRequest same = entry.request;
        same.effort = asked.effort;
        const bool isEnough = !entry.figure->isPartial ||
                              (entry.request.effort == Effort::quick && asked.effort == Effort::quick);
        return isEnough && same == asked;
    });
    if (known != nullptr) {
        return known->figure;
    }
    Result<Figure> made = makeFigure(kind, *request.pinned, asked, stop);
    if (!made) {
        return tl::unexpected(made.error());
    }
    auto figure = std::make_shared<const Figure>(*std::move(made));
    if (!figure->isPartial || asked.effort == Effort::quick) {
        m_cache->pinned.add(Cache::PinnedEntry{asked, figure});
    }
    return figure;
}

Result<Figure> Engine::makeFigure(const FigureKind& kind, const Scene& scene, const FigureRequest& request,
                                  std::stop_token stop) {
    if (const Result<void> valid = validate(scene); !valid) {
        return tl::unexpected(valid.error());
    }
    Result<Figure> figure = Figure();
    if (std::string emptyState = emptyStateOf(kind, scene); emptyState.empty()) {
        figure = kind.make(scene, request, *this, stop);
    } else {
        figure->emptyState = std::move(emptyState);
        figure->table = kind.emptyTable ? kind.emptyTable(scene) : std::vector<TableColumn>();
    }
    if (!figure) {
        return figure;
    }
    if (stop.stop_requested()) {
        return cancelled();
    }
    figure->id = kind.id;
    figure->title = kind.label;
    const SceneNotes about = sceneNotes(scene);
    addNew(figure->notes, sentencesOf(about.notes));
    addNew(figure->warnings, sentencesOf(about.warnings));
    return figure;
}

Result<ResultPointer> Engine::attention(const Scene& scene, const MapRequest* map, bool hiddenStates,
                                        std::stop_token stop) {
    return hiddenStates || map == nullptr
               ? m_attention->states(scene, map, std::move(stop))
               : m_attention->map(scene, *map, Effort::whole, nullptr, std::move(stop));
}

Result<ResultPointer> Engine::liveMap(const Scene& scene, const MapRequest& map, Effort effort,
                                      std::stop_token stop) {
    return m_attention->map(scene, map, effort, m_progress, std::move(stop));
}

Result<std::shared_ptr<const AttentionProblem>> Engine::problem(const Scene& scene, std::stop_token stop) {
    return m_attention->problem(scene, std::move(stop));
}

Result<std::shared_ptr<const std::vector<RowMatrix>>> Engine::residualStream(const Scene& scene, int layers,
                                                                             std::stop_token stop) {
    return m_attention->residualStream(scene, layers, std::move(stop));
}

Result<std::shared_ptr<OrderSweep>> Engine::orderSweep(const Scene& scene, std::stop_token stop) {
    Scene key = scene;
    key.order.clear();
    key.view = {};
    Result<EncodingPlan> plan = makePlan(key, sequenceLength(key));
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const Cache::SweepEntry* known = m_cache->sweeps.find(
        [&](const Cache::SweepEntry& entry) { return entry.scene == key && entry.plan == *plan; });
    if (known != nullptr) {
        return known->sweep;
    }
    Result<OrderSweep> sweep = OrderSweep::create(key, stop);
    if (!sweep) {
        return tl::unexpected(sweep.error());
    }
    auto shared = std::make_shared<OrderSweep>(*std::move(sweep));
    m_cache->sweeps.add(Cache::SweepEntry{std::move(key), *std::move(plan), shared});
    return shared;
}

std::optional<BackendInfo> Engine::gpuInfo() const {
    return m_attention->backends().gpuInfo();
}

void Engine::replaceGpu(std::unique_ptr<Backend> gpu) {
    m_attention->backends().replaceGpu(std::move(gpu));
}

void Engine::tryGpuAgain() {
    m_attention->backends().tryGpuAgain();
}

std::vector<std::string> Engine::takeNotices() {
    return m_attention->backends().takeNotices();
}

bool Engine::hasUnchecked() const {
    return m_attention->backends().hasUnchecked();
}

Recheck Engine::recheck(std::stop_token stop) {
    const Recheck found = m_attention->recheck(std::move(stop));
    if (found == Recheck::wrong) {
        m_cache->pinned.dropAll([](const Cache::PinnedEntry&) { return true; });
    }
    return found;
}

double Engine::stateTolerance(const Scene& scene) const {
    constexpr double single = 1e-5;
    return m_attention->statesRunOn(scene).isDouble ? phaseladder::stateTolerance : single;
}

BackendInfo Engine::mapBackend(const Scene& scene) const {
    return m_attention->mapBackend(scene).info();
}

}  // namespace phaseladder
