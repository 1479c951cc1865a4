#include "core/attention_store.h"

#include <algorithm>
#include <cmath>

#include "core/attention/layers.h"

namespace phaseladder {
namespace {

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
    content.capture = scene.capture;
    if (!scene.content.empty()) {  // which channels a pair has depends on the encoding
        content.encoding = scene.encoding;
        content.rope = scene.rope;
        content.scaling = scene.scaling;
    }
    return content;
}

/// The memory of a problem and of the plan in its key, in bytes.
std::int64_t bytesOf(const AttentionProblem& problem) {
    const EncodingPlan& plan = problem.plan;
    std::size_t numbers = plan.additiveRows.size() + plan.concatenatedRows.size();
    for (const auto* vectors : {&plan.relativeKeys, &plan.relativeValues}) {
        numbers += *vectors ? (*vectors)->rows.size() : 0;
    }
    numbers += plan.scoreBias ? plan.scoreBias->values.size() : 0;
    numbers += plan.rotation ? plan.rotation->axisPositions.size() : 0;
    return problem.queries.bytes() + problem.keys.bytes() + problem.values.bytes() +
           2 * static_cast<std::int64_t>(sizeof(double) * numbers);
}

std::int64_t bytesOf(const AttentionResult& result) {
    return static_cast<std::int64_t>(result.map.size() * sizeof(double) + result.masked.size() +
                                     static_cast<std::size_t>(result.hiddenStates.size()) * sizeof(double));
}

/// What is done within about 60 ms, and in about 30 ms.
MapBudget budgetOf(const RunForecast& forecast) {
    return {.quick = forecast.quickProducts, .block = 0.5 * forecast.quickProducts};
}

/// The rows of the window that have to be summed.
std::int64_t coldRows(const MapRequest& map, const RunForecast& forecast) {
    const bool sumsRows = map.values == ViewValues::weights || forecast.ranOn.isDouble;
    return sumsRows ? map.window.rowEnd - map.window.rowBegin - forecast.knownRows : 0;
}

}  // namespace

/// In one layer queries, keys and values depend on the encoding only through its rows. Without any, a change
/// of theta, of the scaling or of the mask needs a new plan and no new projections.
Result<AttentionStore::ProblemPointer> AttentionStore::problem(const Scene& scene, std::stop_token stop) {
    Result<EncodingPlan> plan = makePlan(scene, sequenceLength(scene));
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    CapturedHead head;
    if (hasCapture(scene)) {
        Result<CapturedHead> read = readCapturedHead(scene, stop);
        if (!read) {
            return tl::unexpected(read.error());
        }
        head = *std::move(read);
    }
    const Scene content = contentOf(scene);
    const auto isSameContent = [&](const ProblemEntry& entry) {  // the cheapest to compare comes first
        return entry.content.head == content.head && entry.head == head && entry.content == content;
    };
    const ProblemEntry* same = m_problems.find([&](const ProblemEntry& entry) {
        return entry.causal == scene.causal && isSameContent(entry) && entry.plan == *plan;
    });
    if (same != nullptr) {
        return same->problem;
    }
    ProblemPointer problem;
    const ProblemEntry* projected = m_problems.find([&](const ProblemEntry& entry) {
        return scene.layers == 1 && !hasRows(*plan) && !hasRows(entry.plan) && isSameContent(entry);
    });
    if (projected != nullptr) {
        auto changed = std::make_shared<AttentionProblem>(*projected->problem);
        changed->plan = *plan;
        changed->causal = scene.causal;
        problem = std::move(changed);
    } else if (hasCapture(scene)) {
        Result<ProblemPointer> captured = makeCapturedProblem(scene, *plan, head);
        if (!captured) {
            return captured;
        }
        problem = *std::move(captured);
    } else if (scene.layers == 1 || scene.tokens.empty()) {
        problem = makeProblem(scene, *plan);
    } else {
        const auto stream = residualStream(scene, scene.layers - 1, std::move(stop));
        if (!stream) {
            return tl::unexpected(stream.error());
        }
        problem = makeLayerProblem(scene, *plan, (*stream)->back(), scene.layers - 1);
    }
    m_problems.add(ProblemEntry{content, scene.causal, *std::move(plan), std::move(head), problem},
                   bytesOf(*problem));
    return problem;
}

Result<std::shared_ptr<const std::vector<RowMatrix>>> AttentionStore::residualStream(const Scene& scene,
                                                                                     int layers,
                                                                                     std::stop_token stop) {
    Scene content = scene;
    content.head = 0;  // all heads write to it
    content.view = {};
    Result<EncodingPlan> plan = makePlan(content, sequenceLength(scene));
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    const StreamEntry* known = m_streams.find([&](const StreamEntry& entry) {
        return entry.layers == layers && entry.content == content && entry.plan == *plan;
    });
    if (known != nullptr) {
        return known->stream;
    }
    Result<std::vector<RowMatrix>> stream =
        phaseladder::residualStream(scene, layers, stateBackend(scene), std::move(stop));
    if (!stream) {
        return tl::unexpected(stream.error());
    }
    auto shared = std::make_shared<const std::vector<RowMatrix>>(*std::move(stream));
    const auto bytes = static_cast<std::int64_t>(sizeof(double)) * shared->front().size() * (layers + 1);
    m_streams.add(StreamEntry{std::move(content), *std::move(plan), layers, shared}, bytes);
    return shared;
}

Backend& AttentionStore::mapBackend(const Scene& scene) const {
    const Result<MapShape> shape = mapShape(scene);  // without one there is no map
    const auto rows = static_cast<double>(shape ? shape->queries : 0);
    const auto columns = static_cast<double>(shape ? shape->keys : 0);
    return m_backends.forScores(static_cast<double>(scene.heads) * rows * columns);
}

Backend& AttentionStore::stateBackend(const Scene& scene) const {
    return m_backends.forStates(sequenceLength(scene));
}

BackendInfo AttentionStore::statesRunOn(const Scene& scene) {
    const Backend& backend = stateBackend(scene);
    const Result<ProblemPointer> asked = problem(scene, {});
    return asked ? backend.forecast({*asked, std::nullopt, true}).ranOn : backend.info();
}

Result<AttentionStore::ResultPointer> AttentionStore::map(const Scene& scene, const MapRequest& map,
                                                          Effort effort, Progress* progress,
                                                          std::stop_token stop) {
    Result<ProblemPointer> made = problem(scene, stop);
    if (!made) {
        return tl::unexpected(made.error());
    }
    const AttentionRequest request{*std::move(made), map, false};
    if (const ResultPointer whole = known(request)) {
        return whole;
    }
    Backend& backend = mapBackend(scene);
    if (map.sampledRows > 0) {
        return run(request, backend, std::move(stop));
    }
    ProgressiveMap* onItsWay = nullptr;
    do {
        onItsWay = &mapOnItsWay(request, backend);
        if (const Result<void> done = onItsWay->advance(effort, backend, progress, stop); !done) {
            if (!onItsWay->hasPicture()) {
                m_maps.dropNewest();
            }
            return tl::unexpected(done.error());
        }
    } while (onItsWay->hasChangedBackend());
    if (!onItsWay->isWhole()) {
        return std::make_shared<const AttentionResult>(onItsWay->result());
    }
    auto result = std::make_shared<const AttentionResult>(onItsWay->takeResult());
    m_maps.dropNewest();
    keep(request, result);
    return result;
}

ProgressiveMap& AttentionStore::mapOnItsWay(const AttentionRequest& request, const Backend& backend) {
    const RunForecast forecast = backend.forecast(request);
    ProgressiveMap* known = m_maps.find([&](const ProgressiveMap& entry) {
        return entry.request().problem == request.problem && entry.request().map == request.map;
    });
    if (known != nullptr) {
        const bool isOfAnother = known->hasPicture() && known->result().ranOn.id != forecast.ranOn.id;
        if (!isOfAnother && !known->hasChangedBackend()) {
            return *known;
        }
        m_maps.dropNewest();  // find has made it the newest
    }
    return m_maps.add(ProgressiveMap(request, budgetOf(forecast), coldRows(*request.map, forecast)));
}

Recheck AttentionStore::recheck(std::stop_token stop) {
    const Recheck found = m_backends.recheck(std::move(stop));
    if (found == Recheck::wrong) {
        const std::string wrong = m_backends.gpuInfo()->id;
        const auto isOfGpu = [&](const AttentionResult& result) { return result.ranOn.id == wrong; };
        m_results.dropAll([&](const ResultEntry& entry) { return isOfGpu(*entry.result); });
        m_maps.dropAll([&](const ProgressiveMap& map) { return isOfGpu(map.result()); });
        // A stream does not say what it ran on, and later layers are made of it.
        m_streams.dropAll([](const StreamEntry&) { return true; });
        m_problems.dropAll([](const ProblemEntry& entry) { return entry.content.layers > 1; });
    }
    return found;
}

Result<AttentionStore::ResultPointer> AttentionStore::states(const Scene& scene, const MapRequest* map,
                                                             std::stop_token stop) {
    Result<ProblemPointer> made = problem(scene, stop);
    if (!made) {
        return tl::unexpected(made.error());
    }
    AttentionRequest request{*std::move(made), std::nullopt, true};
    if (map == nullptr) {
        return run(request, stateBackend(scene), std::move(stop));
    }
    request.map = *map;
    if (&mapBackend(scene) == &stateBackend(scene)) {
        return run(request, stateBackend(scene), std::move(stop));
    }
    if (ResultPointer both = known(request)) {
        return both;
    }
    Result<ResultPointer> shown = this->map(scene, *map, Effort::whole, nullptr, stop);
    if (!shown) {
        return shown;
    }
    const Result<ResultPointer> hidden = states(scene, nullptr, std::move(stop));
    if (!hidden) {
        return hidden;
    }
    AttentionResult both = **shown;
    both.hiddenStates = (*hidden)->hiddenStates;
    auto shared = std::make_shared<const AttentionResult>(std::move(both));
    keep(request, shared);
    return shared;
}

Result<AttentionStore::ResultPointer> AttentionStore::run(const AttentionRequest& request, Backend& backend,
                                                          std::stop_token stop) {
    if (ResultPointer result = known(request)) {
        return result;
    }
    Result<AttentionResult> result = backend.run(request, std::move(stop));
    if (!result) {
        return tl::unexpected(result.error());
    }
    auto shared = std::make_shared<const AttentionResult>(*std::move(result));
    keep(request, shared);
    return shared;
}

AttentionStore::ResultPointer AttentionStore::known(const AttentionRequest& request) {
    const ResultEntry* entry = m_results.find([&](const ResultEntry& one) {
        return one.problem.lock() == request.problem && one.map == request.map &&
               one.hiddenStates == request.hiddenStates;
    });
    return entry != nullptr ? entry->result : nullptr;
}

void AttentionStore::keep(const AttentionRequest& request, const ResultPointer& result) {
    m_results.add(ResultEntry{request.problem, request.map, request.hiddenStates, result}, bytesOf(*result));
}

}  // namespace phaseladder
