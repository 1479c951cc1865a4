#include <cmath>
#include <functional>
#include <memory>

#include <QTest>

#include "core/attention/backend.h"
#include "tests/core/placed_problem.h"
#include "tests/core/plain_attention.h"
#include "tests/core/tested_backends.h"
#include "tests/core/word_scene.h"

using phaseladder::AbsoluteJoin;
using phaseladder::AttentionProblem;
using phaseladder::AttentionResult;
using phaseladder::Backend;
using phaseladder::encodings;
using phaseladder::hasRows;
using phaseladder::makePlan;
using phaseladder::makeProblem;
using phaseladder::MapRequest;
using phaseladder::RelativeVectors;
using phaseladder::RopeAxes;
using phaseladder::RowMatrix;
using phaseladder::Scene;
using phaseladder::ScoreBias;
using phaseladder::sequenceLength;
using phaseladder::ViewValues;
using phaseladder::test::numberedWords;
using phaseladder::tests::AttentionErrors;
using phaseladder::tests::PlainAttention;
using phaseladder::tests::plainAttention;
using phaseladder::tests::plainlySees;
using phaseladder::tests::Precision;
using phaseladder::tests::problemAt;
using phaseladder::tests::singlePrecisionErrors;
using phaseladder::tests::TestedBackend;
using phaseladder::tests::testedBackends;
using phaseladder::tests::TextPlace;

namespace {

constexpr double tolerance = 1e-12;
constexpr int words = 71;  // several blocks of rows, the last one partial

Scene manyWords(const std::string& encoding) {
    Scene scene;
    scene.tokens = numberedWords(words);
    scene.encoding = encoding;
    scene.headDim = 24;
    return scene;
}

double largestDifference(const RowMatrix& first, const RowMatrix& second) {
    return first.size() == 0 ? 0.0 : (first - second).cwiseAbs().maxCoeff();
}

using Problem = std::shared_ptr<const AttentionProblem>;

/// The same attention on other numbers.
std::vector<Problem> problemsOf(Scene scene) {
    std::vector<Problem> problems;
    for (scene.seed = 1; scene.seed <= 8; ++scene.seed) {
        problems.push_back(makeProblem(scene, makePlan(scene, words).value()));
    }
    return problems;
}

struct Place {
    const char* what;
    TextPlace at;
};

constexpr Place places[] = {
    {"the last queries of a text", {40, 31, 0, 71}},
    {"one query after a cache", {150, 1, 0, 151}},
    {"keys of a window, in two tiles", {300, 19, 7, 150}},
    {"queries before all keys", {0, 57, 30, 43}},
};

/// The same attention on other numbers, at a place.
std::vector<std::shared_ptr<AttentionProblem>> problemsAt(const Place& place, const Scene& scene) {
    std::vector<std::shared_ptr<AttentionProblem>> problems;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        problems.push_back(problemAt(place.at, scene, seed));
    }
    return problems;
}

/// How far a backend is from attention written out number by number; what is masked is the same.
void measure(Backend& backend, const Problem& problem, const char* what, AttentionErrors& errors) {
    const PlainAttention plain = plainAttention(*problem);
    const std::int64_t queries = problem->queries.rows(), keys = problem->keys.rows();
    for (const ViewValues values : {ViewValues::weights, ViewValues::logits}) {
        const MapRequest map{
            .window = {0, queries, 0, keys}, .pixelRows = queries, .pixelColumns = keys, .values = values};
        const bool isWeights = values == ViewValues::weights;
        const AttentionResult result =
            backend.run({.problem = problem, .map = map, .hiddenStates = isWeights}, {}).value();
        const Eigen::Map<const RowMatrix> cells(result.map.data(), queries, keys);
        const double error = largestDifference(cells, isWeights ? plain.weights : plain.logits);
        errors.join({isWeights ? error : 0.0, isWeights ? 0.0 : error, 0.0});
        QVERIFY2(!std::isnan(error), what);
        const std::int64_t positions = std::max(problem->queryStart + queries, problem->keyStart + keys);
        QCOMPARE(result.definedTokens, std::min(problem->plan.definedTokens.value_or(positions), positions));
        QCOMPARE(result.ranOn.id, backend.info().id);
        for (std::int64_t row = 0; row < queries; ++row) {
            bool seesSome = false;
            for (std::int64_t column = 0; column < keys; ++column) {
                const bool sees = plainlySees(*problem, row, column);
                seesSome = seesSome || sees;
                QVERIFY2((result.masked[static_cast<std::size_t>(row * keys + column)] == 0) == sees, what);
            }
            if (!isWeights) {
                continue;
            }
            const RowMatrix state = result.hiddenStates.row(row);
            QVERIFY2(seesSome ? state.allFinite() : !state.array().isFinite().any(), what);
            if (seesSome) {
                errors.join({0.0, 0.0, largestDifference(state, plain.hidden.row(row))});
            }
        }
    }
}

/// A backend in single precision may be twice as far from the truth as the same attention written out in
/// single precision, each at its worst over all problems; a slow backend is asked for some of them.
void compareWithPlain(const TestedBackend& tested, const std::vector<Problem>& problems, const char* what) {
    AttentionErrors ours, plain;
    for (std::size_t at = 0; at < problems.size(); ++at) {
        const Problem& problem = problems[at];
        if (at < tested.mostProblems) {
            measure(*tested.backend, problem, what, ours);
        }
        if (tested.precision == Precision::single) {
            plain.join(singlePrecisionErrors(*problem));
        }
    }
    const auto isAllowed = [&](double error, double ofPlain) {
        return error <= (tested.precision == Precision::single ? 2.0 * ofPlain : tolerance);
    };
    QVERIFY2(isAllowed(ours.weights, plain.weights), what);
    QVERIFY2(isAllowed(ours.logits, plain.logits), what);
    QVERIFY2(isAllowed(ours.hidden, plain.hidden), what);
}

}  // namespace

/// What every attention backend owes to every encoding, and to every slot of a plan.
class BackendContractTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyEncodingIsAttentionWrittenOut() {
        for (const TestedBackend& backend : testedBackends()) {
            for (const auto& encoding : encodings()) {
                for (const bool causal : {false, true}) {
                    Scene scene = manyWords(encoding.id);
                    scene.causal = causal;
                    scene.scaling.method = "yarn";
                    scene.scaling.softmaxMultiplier = 1.3;
                    compareWithPlain(backend, problemsOf(scene), encoding.id.c_str());
                }
            }
        }
    }

    void everySlotOfAPlanIsHonoured() {
        const std::vector<std::pair<const char*, std::function<void(Scene&)>>> ways{
            {"concatenated rows",
             [](Scene& scene) {
                 scene.encoding = "sinusoidal";
                 scene.join = AbsoluteJoin::concatenate;
             }},
            {"undefined tokens",
             [](Scene& scene) {
                 scene.encoding = "learned";
                 scene.learned.rows = 43;
             }},
            {"relative values",
             [](Scene& scene) {
                 scene.encoding = "shaw";
                 scene.shaw.valueVectors = true;
             }},
            {"clamped distances",
             [](Scene& scene) {
                 scene.encoding = "transformer_xl";
                 scene.transformerXlClamp = 5;
             }},
            {"axes of an image",
             [](Scene& scene) {
                 scene.rope.axes = RopeAxes::mrope_interleaved;
                 scene.rope.gridStart = 7;
                 scene.rope.gridRows = 5;
                 scene.rope.gridColumns = 6;
             }},
            {"a grid", [](Scene& scene) { scene.rope.axes = RopeAxes::vision_2d; }},
            {"part of the channels", [](Scene& scene) { scene.rope.partial = 0.5; }},
            {"growth",
             [](Scene& scene) {
                 scene.encoding = "xpos";
                 scene.xpos.scaleBase = 40.0;
             }},
            {"turned hands", [](Scene& scene) { scene.content = {0, 3, 0, 2, 4.0, -3.0}; }}};
        for (const TestedBackend& backend : testedBackends()) {
            for (const auto& [what, change] : ways) {
                for (const bool causal : {false, true}) {
                    Scene scene = manyWords("rope");
                    change(scene);
                    scene.causal = causal;
                    compareWithPlain(backend, problemsOf(scene), what);
                }
            }
        }
    }

    void slotsAddUp() {
        // No encoding asks for all of them at once; a backend must still know what to do.
        const Scene scene = manyWords("transformer_xl");
        Scene growing = scene;
        growing.encoding = "xpos";
        std::vector<Problem> problems;
        for (const Problem& one : problemsOf(scene)) {
            auto problem = std::make_shared<AttentionProblem>(*one);
            problem->plan.rotation = makePlan(growing, words)->rotation;
            problem->plan.scoreBias = ScoreBias{2, {0.5, -1.0, 3.0, 0.0, -2.0}};
            problem->plan.relativeValues = RelativeVectors{1, std::vector<double>(3 * 24, 0.25)};
            problem->plan.definedTokens = 60;
            problem->plan.scaleByRootWidth = false;
            problem->plan.softmaxMultiplier = 0.1;
            problems.push_back(problem);
        }
        for (const TestedBackend& backend : testedBackends()) {
            compareWithPlain(backend, problems, "all slots");
        }
    }

    void aPartOfATextStandsAtItsPositions() {
        for (const TestedBackend& backend : testedBackends()) {
            for (const auto& encoding : encodings()) {
                for (const Place& place : places) {
                    for (const bool causal : {false, true}) {
                        Scene scene = manyWords(encoding.id);
                        scene.causal = causal;
                        scene.shaw.valueVectors = true;
                        scene.xpos.scaleBase = 40.0;
                        const auto problems = problemsAt(place, scene);
                        if (hasRows(problems.front()->plan)) {
                            continue;  // rows are added before there are queries and keys
                        }
                        compareWithPlain(backend, {problems.begin(), problems.end()},
                                         (encoding.id + ", " + place.what).c_str());
                    }
                }
            }
        }
    }

    void slotsAddUpInAPartOfAText() {
        for (const TestedBackend& backend : testedBackends()) {
            for (const Place& place : places) {
                Scene growing = manyWords("xpos");
                const auto problems = problemsAt(place, manyWords("transformer_xl"));
                for (const auto& problem : problems) {
                    problem->plan.rotation = makePlan(growing, place.at.positions())->rotation;
                    problem->plan.scoreBias = ScoreBias{2, {0.5, -1.0, 3.0, 0.0, -2.0}};
                    problem->plan.relativeValues = RelativeVectors{1, std::vector<double>(3 * 24, 0.25)};
                    problem->plan.definedTokens = place.at.positions() - 5;
                }
                compareWithPlain(backend, {problems.begin(), problems.end()}, place.what);
            }
        }
    }

    void noTokenDefinedIsAllHidden() {
        Scene scene = manyWords("none");
        auto problem =
            std::make_shared<AttentionProblem>(*makeProblem(scene, makePlan(scene, words).value()));
        problem->plan.definedTokens = 0;
        for (const TestedBackend& backend : testedBackends()) {
            compareWithPlain(backend, {problem}, "nothing defined");
        }
    }
};

QTEST_GUILESS_MAIN(BackendContractTest)
#include "backend_contract_test.moc"
