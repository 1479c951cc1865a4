#include "core/engine.h"

#include <algorithm>
#include <list>

#include <fmt/format.h>

#include "core/attention/layers.h"
#include "core/cancelled.h"
#include "core/figures/comparison.h"
#include "core/nearest_name.h"

namespace phaseladder {
namespace {

using ProblemPointer = std::shared_ptr<const AttentionProblem>;
using ResultPointer = std::shared_ptr<const AttentionResult>;
using FigurePointer = std::shared_ptr<const Figure>;

/// What queries, keys and values of a scene depend on besides the rows of the plan; everything else is at its
/// default. Later layers depend on all that the first ones did.
Scene contentOf(const Scene& scene) {
    Scene content;
    if (scene.layers > 1) {
        content = scene;
        content.view = {};
        return content;
    }
    content.tokens = scene.tokens;
    content.order = scene.order;
    content.textLength = scene.textLength;
    content.seed = scene.seed;
    content.heads = scene.heads;
    content.head = scene.head;
    content.headDim = scene.headDim;
    content.content = scene.content;
    if (!scene.content.empty()) {  // which channels a pair has depends on the encoding
        content.encoding = scene.encoding;
        content.rope = scene.rope;
        content.scaling = scene.scaling;
    }
    return content;
}

void addNew(std::vector<std::string>& sentences, const std::vector<std::string>& more) {
    for (const std::string& sentence : more) {
        if (std::ranges::find(sentences, sentence) == sentences.end()) {
            sentences.push_back(sentence);
        }
    }
}

std::vector<std::int64_t> distancesOf(const FigureKind& kind, const Scene& scene) {
    return kind.distances && validate(scene) ? kind.distances(scene) : std::vector<std::int64_t>();
}

/// A few entries, newest first.
template <class Entry>
class Recent {
public:
    explicit Recent(std::size_t capacity) : m_capacity(capacity) {}

    /// The first entry that fits, moved to the front; null when none does.
    template <class Fits>
    const Entry* find(Fits fits) {
        const auto found = std::ranges::find_if(m_entries, fits);
        if (found == m_entries.end()) {
            return nullptr;
        }
        m_entries.splice(m_entries.begin(), m_entries, found);
        return &m_entries.front();
    }

    void add(Entry entry) {
        m_entries.push_front(std::move(entry));
        if (m_entries.size() > m_capacity) {
            m_entries.pop_back();
        }
    }

private:
    std::size_t m_capacity;
    std::list<Entry> m_entries;
};

}  // namespace

struct Engine::Cache {
    struct ProblemEntry {
        Scene content;
        bool causal = false;
        EncodingPlan plan;
        ProblemPointer problem;
    };
    /// Keyed by the problem itself, which the entry keeps alive.
    struct ResultEntry {
        AttentionRequest request;
        ResultPointer result;
    };

    /// Above this many numbers a matrix is not kept.
    static constexpr std::int64_t largestKept = 1 << 20;

    struct StreamEntry {
        Scene content;      ///< but for what is viewed
        EncodingPlan plan;  ///< also holds what came from a file
        int layers = 0;
        std::shared_ptr<const std::vector<RowMatrix>> stream;
    };
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

    Recent<StreamEntry> streams{6};
    Recent<ProblemEntry> problems{6};
    Recent<ResultEntry> results{8};
    Recent<PinnedEntry> pinned{12};  // a whole and a quick one a pane, and some more
    Recent<SweepEntry> sweeps{2};

    Result<ProblemPointer> problem(const Scene& scene, Backend& backend, std::stop_token stop);
};

/// In one layer queries, keys and values depend on the encoding only through its rows. Without any, a change
/// of theta, of the scaling or of the mask needs a new plan and no new projections.
Result<ProblemPointer> Engine::Cache::problem(const Scene& scene, Backend& backend, std::stop_token stop) {
    Result<EncodingPlan> plan = makePlan(scene, sequenceLength(scene));
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const Scene content = contentOf(scene);
    const ProblemEntry* same = problems.find([&](const ProblemEntry& entry) {
        return entry.causal == scene.causal && entry.content == content && entry.plan == *plan;
    });
    if (same != nullptr) {
        return same->problem;
    }
    ProblemPointer problem;
    const ProblemEntry* projected = problems.find([&](const ProblemEntry& entry) {
        return scene.layers == 1 && !hasRows(*plan) && !hasRows(entry.plan) && entry.content == content;
    });
    if (projected != nullptr) {
        auto changed = std::make_shared<AttentionProblem>(*projected->problem);
        changed->plan = *plan;
        changed->causal = scene.causal;
        problem = std::move(changed);
    } else {
        Result<ProblemPointer> made = makeLastProblem(scene, backend, stop);
        if (!made) {
            return made;
        }
        problem = *std::move(made);
    }
    if (problem->queries.size() <= largestKept) {
        problems.add(ProblemEntry{content, scene.causal, *std::move(plan), problem});
    }
    return problem;
}

Engine::Engine(std::unique_ptr<Backend> backend)
    : m_backend(std::move(backend)), m_cache(std::make_unique<Cache>()) {}

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
    if (sequenceLength(*request.pinned) != sequenceLength(live)) {
        asked.window.reset();  // a part of one text is no part of the other
    }
    const Cache::PinnedEntry* known =
        m_cache->pinned.find([&](const Cache::PinnedEntry& entry) { return entry.request == asked; });
    if (known != nullptr) {
        return known->figure;
    }
    Result<Figure> made = makeFigure(kind, *request.pinned, asked, stop);
    if (!made) {
        return tl::unexpected(made.error());
    }
    auto figure = std::make_shared<const Figure>(*std::move(made));
    m_cache->pinned.add(Cache::PinnedEntry{asked, figure});
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
    Result<ProblemPointer> problem = m_cache->problem(scene, *m_backend, stop);
    if (!problem) {
        return tl::unexpected(problem.error());
    }
    AttentionRequest request{*std::move(problem), std::nullopt, hiddenStates};
    if (map != nullptr) {
        request.map = *map;
    }
    const Cache::ResultEntry* known = m_cache->results.find([&](const Cache::ResultEntry& entry) {
        return entry.request.problem == request.problem && entry.request.map == request.map &&
               entry.request.hiddenStates == request.hiddenStates;
    });
    if (known != nullptr) {
        return known->result;
    }
    Result<AttentionResult> result = m_backend->run(request, stop);
    if (!result) {
        return tl::unexpected(result.error());
    }
    auto shared = std::make_shared<const AttentionResult>(*std::move(result));
    if (request.problem->queries.size() <= Cache::largestKept) {
        m_cache->results.add(Cache::ResultEntry{request, shared});
    }
    return shared;
}

Result<std::shared_ptr<const std::vector<RowMatrix>>> Engine::residualStream(const Scene& scene, int layers,
                                                                             std::stop_token stop) {
    Scene content = scene;
    content.view = {};
    Result<EncodingPlan> plan = makePlan(scene, sequenceLength(scene));
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const Cache::StreamEntry* known = m_cache->streams.find([&](const Cache::StreamEntry& entry) {
        return entry.layers == layers && entry.content == content && entry.plan == *plan;
    });
    if (known != nullptr) {
        return known->stream;
    }
    Result<std::vector<RowMatrix>> stream = phaseladder::residualStream(scene, layers, *m_backend, stop);
    if (!stream) {
        return tl::unexpected(stream.error());
    }
    auto shared = std::make_shared<const std::vector<RowMatrix>>(*std::move(stream));
    if (shared->front().size() * (layers + 1) <= Cache::largestKept) {
        m_cache->streams.add(Cache::StreamEntry{std::move(content), *std::move(plan), layers, shared});
    }
    return shared;
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

BackendInfo Engine::backendInfo() const {
    return m_backend->info();
}

}  // namespace phaseladder
