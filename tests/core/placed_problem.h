#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>

#include "core/attention/problem.h"
#include "core/encodings/encoding.h"
#include "core/random.h"
#include "core/scene.h"

namespace phaseladder::tests {

/// Where queries and keys of a part of a text stand.
struct TextPlace {
    std::int64_t queryStart, queries, keyStart, keys;

    [[nodiscard]] std::int64_t positions() const { return std::max(queryStart + queries, keyStart + keys); }
};

/// Seeded, normal queries, keys and values at a place, with the plan of the scene.
inline std::shared_ptr<AttentionProblem> problemAt(const TextPlace& place, const Scene& scene,
                                                   std::uint64_t seed) {
    Random random(seed);
    const auto rows = [&](std::int64_t count) {
        return RowMatrix::NullaryExpr(count, scene.headDim, [&random] { return random.normal(); }).eval();
    };
    auto problem = std::make_shared<AttentionProblem>();
    problem->queries = rows(place.queries);
    problem->keys = rows(place.keys);
    problem->values = rows(place.keys);
    problem->plan = makePlan(scene, place.positions()).value();
    problem->causal = scene.causal;
    problem->queryStart = place.queryStart;
    problem->keyStart = place.keyStart;
    return problem;
}

}  // namespace phaseladder::tests
