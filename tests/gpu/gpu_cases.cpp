#include "tests/gpu/gpu_cases.h"

#include <functional>
#include <utility>

#include "core/encodings/encoding.h"
#include "tests/core/placed_problem.h"
#include "tests/core/word_scene.h"

namespace phaseladder::tests {
namespace {

constexpr std::int64_t words = 71, channels = 24;  // as in backend_contract_test
constexpr std::int64_t longer = 300;               // three tiles of rows, the last one partial

Scene manyWords(const std::string& encoding, bool isCausal) {
    Scene scene;
    scene.tokens = test::numberedWords(words);
    scene.encoding = encoding;
    scene.headDim = channels;
    scene.causal = isCausal;
    return scene;
}

CaseBuilder::Problem problemOf(const Scene& scene) {
    return makeProblem(scene, makePlan(scene, words).value());
}

constexpr std::uint64_t seed = 11;

std::shared_ptr<AttentionProblem> longProblem(const std::string& encoding, bool isCausal) {
    Scene scene = manyWords(encoding, isCausal);
    scene.textLength = longer;
    scene.transformerXlClamp = 40;
    return problemAt({0, longer, 0, longer}, scene, seed);
}

/// Each cell of a window.
MapRequest cells(const CellWindow& window, ViewValues values = ViewValues::weights) {
    return {.window = window,
            .pixelRows = window.rowEnd - window.rowBegin,
            .pixelColumns = window.columnEnd - window.columnBegin,
            .values = values};
}

CellWindow lastRows(const TextPlace& place) {
    constexpr std::int64_t rows = 12;
    return {std::max<std::int64_t>(place.queries - rows, 0), place.queries, 0, place.keys};
}

/// All of a square map, pooled.
MapRequest pooled(std::int64_t tokens, std::int64_t pixelRows, std::int64_t pixelColumns, Pooling pooling,
                  ViewValues values = ViewValues::weights) {
    return {.window = {0, tokens, 0, tokens},
            .pixelRows = pixelRows,
            .pixelColumns = pixelColumns,
            .pooling = pooling,
            .values = values};
}

CaseFile casesOf(const Encoding& encoding) {
    CaseBuilder builder("encoding_" + encoding.id);
    const auto problem = [&](bool isCausal) {
        Scene scene = manyWords(encoding.id, isCausal);
        scene.scaling.method = "yarn";
        scene.scaling.softmaxMultiplier = 1.3;
        return problemOf(scene);
    };
    const auto causal = problem(true), full = problem(false);
    builder.ask(causal, {.map = cells({45, words, 0, words}), .hiddenStates = true});
    builder.ask(causal, {.map = pooled(words, 13, 17, Pooling::max)});
    builder.ask(causal, {.rowLogSums = true});
    builder.ask(full, {.map = cells({0, 24, 10, 60}, ViewValues::logits), .hiddenStates = true});
    builder.ask(full, {.map = pooled(words, 12, 16, Pooling::mean)});
    return builder.take();
}

/// The ways of backend_contract_test to fill a slot of a plan.
std::vector<std::function<void(Scene&)>> slotsOfPlans() {
    return {[](Scene& scene) {
                scene.encoding = "sinusoidal";
                scene.join = AbsoluteJoin::concatenate;
            },
            [](Scene& scene) {
                scene.encoding = "learned";
                scene.learned.rows = 43;
            },
            [](Scene& scene) {
                scene.encoding = "shaw";
                scene.shaw.valueVectors = true;
            },
            [](Scene& scene) {
                scene.encoding = "transformer_xl";
                scene.transformerXlClamp = 5;
            },
            [](Scene& scene) {
                scene.rope.axes = RopeAxes::mrope_interleaved;
                scene.rope.gridStart = 7;
                scene.rope.gridRows = 5;
                scene.rope.gridColumns = 6;
            },
            [](Scene& scene) { scene.rope.axes = RopeAxes::vision_2d; },
            [](Scene& scene) { scene.rope.partial = 0.5; },
            [](Scene& scene) {
                scene.encoding = "xpos";
                scene.xpos.scaleBase = 40.0;
            },
            [](Scene& scene) { scene.content = {0, 3, 0, 2, 4.0, -3.0}; },
            [](Scene& scene) {
                std::vector<std::string> repeated;
                for (int token = 0; token < words; ++token) {
                    repeated.push_back("word" + std::to_string(token * token % 17));
                }
                scene.tokens = repeated;
            }};
}

/// All slots at once, which no encoding asks for.
void fillAllSlots(AttentionProblem& problem, std::int64_t positions) {
    problem.plan.rotation = makePlan(manyWords("xpos", problem.causal), positions)->rotation;
    problem.plan.scoreBias = ScoreBias{2, {0.5, -1.0, 3.0, 0.0, -2.0}};
    problem.plan.relativeValues = RelativeVectors{1, std::vector<double>(3 * channels, 0.25)};
    problem.plan.definedTokens = positions - 5;
    problem.plan.softmaxMultiplier = 0.5;
}

CaseFile casesOfSlots() {
    CaseBuilder builder("slots");
    const CellWindow late{55, words, 0, words}, early{0, 16, 40, words};
    for (const auto& change : slotsOfPlans()) {
        for (const bool isCausal : {false, true}) {
            Scene scene = manyWords("rope", isCausal);
            change(scene);
            builder.ask(problemOf(scene), {.map = cells(isCausal ? late : early), .hiddenStates = !isCausal});
        }
    }
    for (const bool isCausal : {false, true}) {
        auto problem = std::make_shared<AttentionProblem>(*problemOf(manyWords("transformer_xl", isCausal)));
        fillAllSlots(*problem, words);
        builder.ask(problem, {.map = cells(late, ViewValues::logits), .hiddenStates = true});
        builder.ask(problem, {.map = cells(late), .rowLogSums = true});
    }
    Scene scene = manyWords("none", false);
    auto nothing = std::make_shared<AttentionProblem>(*problemOf(scene));
    nothing->plan.definedTokens = 0;
    builder.ask(nothing, {.map = pooled(words, 5, 5, Pooling::mean), .hiddenStates = true});
    return builder.take();
}

CaseFile casesOfParts() {
    CaseBuilder builder("parts_of_texts");
    constexpr TextPlace lastQueries{40, 31, 0, 71}, afterCache{150, 1, 0, 151};
    constexpr TextPlace twoTiles{300, 19, 7, 150}, beforeKeys{0, 57, 30, 43};
    for (const TextPlace& place : {lastQueries, afterCache, twoTiles, beforeKeys}) {
        const CellWindow last = lastRows(place);
        for (const bool isCausal : {false, true}) {
            const auto problem = problemAt(place, manyWords(isCausal ? "rope" : "t5", isCausal), seed);
            builder.ask(problem, {.map = cells(last), .hiddenStates = isCausal});
        }
    }
    for (const TextPlace& place : {lastQueries, afterCache}) {
        const auto problem = problemAt(place, manyWords("transformer_xl", true), seed);
        fillAllSlots(*problem, place.positions());
        builder.ask(problem, {.map = cells(lastRows(place), ViewValues::logits), .hiddenStates = true});
        builder.ask(problem, {.map = cells(lastRows(place))});
    }
    return builder.take();
}

CaseFile casesOfLongerTexts() {
    CaseBuilder builder("longer_texts");
    const auto causal = longProblem("rope", true), full = longProblem("rope", false);
    for (const Pooling pooling : {Pooling::mean, Pooling::max}) {
        for (const ViewValues values : {ViewValues::weights, ViewValues::logits}) {
            builder.ask(causal, {.map = pooled(longer, 2, 37, pooling, values)});
            builder.ask(full, {.map = pooled(longer, 37, 20, pooling, values)});
        }
    }
    builder.ask(full, {.map = cells({120, 160, 33, 190})});  // of rows whose sums are there
    builder.ask(causal, {.hiddenStates = true});
    const auto vectors = longProblem("shaw", true);
    builder.ask(vectors, {.rowLogSums = true, .readsRelativeTable = true});
    builder.ask(vectors, {.map = pooled(longer, 20, 20, Pooling::mean)});
    const auto offsets = longProblem("transformer_xl", false);
    builder.ask(offsets, {.map = pooled(longer, 20, 20, Pooling::max), .rowLogSums = true});
    MapRequest samples{.window = {10, 290, 5, longer}, .pixelRows = 70, .pixelColumns = 29};
    samples.sampledRows = 9;  // fewer than rows of pixels: most show the nearest one's
    const auto biased = longProblem("alibi", true);
    builder.ask(biased, {.map = samples});
    samples.firstPixelRow = 20;
    samples.endPixelRow = 55;
    builder.ask(biased, {.map = samples});
    builder.ask(longProblem("xpos", true), {.map = pooled(longer, 20, 20, Pooling::mean)});
    return builder.take();
}

/// Asked of the tensor cores; where there are none, float32 answers.
CaseFile casesOfTensors() {
    CaseBuilder builder("tensor");
    constexpr std::int64_t tokens = 150;
    for (const bool isCausal : {false, true}) {
        const auto problem =
            problemAt({0, tokens, 0, tokens}, manyWords(isCausal ? "rope" : "t5", isCausal), seed);
        problem->values = HeadRows();
        for (const Pooling pooling : {Pooling::mean, Pooling::max}) {
            builder.ask(problem, {.map = pooled(tokens, 20, 31, pooling), .isTensor = true});
            builder.ask(problem,
                        {.map = pooled(tokens, 20, 31, pooling, ViewValues::logits), .isTensor = true});
        }
        builder.ask(problem, {.map = cells({120, tokens, 100, tokens}), .isTensor = true});
    }
    return builder.take();
}

CaseFile casesOfOrders() {
    CaseBuilder builder("orders");
    for (const bool isCausal : {false, true}) {
        builder.askOrders(test::wordScene(5, "sinusoidal", isCausal));
    }
    return builder.take();
}

}  // namespace

std::vector<CaseFile> gpuCases() {
    std::vector<CaseFile> files;
    for (const Encoding& encoding : encodings()) {
        files.push_back(casesOf(encoding));
    }
    files.push_back(casesOfSlots());
    files.push_back(casesOfParts());
    files.push_back(casesOfLongerTexts());
    files.push_back(casesOfTensors());
    files.push_back(casesOfOrders());
    return files;
}

}  // namespace phaseladder::tests
