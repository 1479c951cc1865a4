#include "app/benchmark/attention_data.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "core/attention/pooled_map.h"
#include "core/phase/phase_turns.h"
#include "core/random.h"
#include "core/threads.h"

namespace phaseladder::app {
namespace {

HeadRows normalRows(std::int64_t tokens, int width, std::string_view name) {
    constexpr std::int64_t blockRows = 1024;
    FloatRows rows(tokens, width);
    const auto blocks = static_cast<int>((tokens + blockRows - 1) / blockRows);
    forEachInParallel(blocks, [&](int block) {
        Random random(streamSeed(1, name, static_cast<std::uint64_t>(block)));
        const std::int64_t begin = block * blockRows, end = std::min(begin + blockRows, tokens);
        std::generate(rows.data() + begin * width, rows.data() + end * width,
                      [&random] { return static_cast<float>(random.normal()); });
    });
    return HeadRows(std::move(rows));
}

}  // namespace

AttentionData normalData(std::int64_t tokens, int width) {
    return {normalRows(tokens, width, "queries"), normalRows(tokens, width, "keys")};
}

std::shared_ptr<const AttentionProblem> ropeProblem(const AttentionData& data, double theta) {
    AttentionProblem problem;
    problem.queries = data.queries;
    problem.keys = data.keys;
    problem.causal = true;
    PairRotation rotation;
    rotation.turnsPerToken = phaseTurns(plainLadder(theta, data.width()));
    rotation.rotaryDim = data.width();
    problem.plan.rotation = std::move(rotation);
    return std::make_shared<const AttentionProblem>(std::move(problem));
}

AttentionRequest wholeMap(const std::shared_ptr<const AttentionProblem>& problem, std::int64_t pixels,
                          std::int64_t sampledRows) {
    const std::int64_t tokens = problem->queries.rows();
    MapRequest map;
    map.window = {0, tokens, 0, tokens};
    map.pixelRows = map.pixelColumns = std::min(pixels, tokens);
    map.pooling = Pooling::max;
    map.sampledRows = sampledRows;
    return {problem, map};
}

double scoreGigaflop(const AttentionRequest& request) {
    double scores = 0.0;
    for (const std::int64_t row : neededRows(*request.map)) {
        scores += static_cast<double>(row + 1);
    }
    return 2.0 * static_cast<double>(request.problem->queries.cols()) * scores * 1e-9;
}

AttentionResult runOrThrow(Backend& backend, const AttentionRequest& request) {
    Result<AttentionResult> result = backend.run(request, {});
    if (!result) {
        throw std::runtime_error(result.error().message);
    }
    return std::move(*result);
}

}  // namespace phaseladder::app
