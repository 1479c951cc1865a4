#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include <QTest>

#include "core/attention/backend.h"
#include "core/attention/pooled_map.h"
#include "core/index.h"
#include "core/random.h"
#include "core/threads.h"
#include "tests/core/plain_attention.h"
#include "tests/core/word_scene.h"

namespace phaseladder::test {
namespace {

using Problem = std::shared_ptr<const AttentionProblem>;

Scene manyWords(int count, const std::string& encoding) {
    Scene scene;
    scene.tokens = numberedWords(count);
    scene.encoding = encoding;
    scene.headDim = 24;
    return scene;
}

Problem problemOf(const Scene& scene) {
    return makeProblem(scene, makePlan(scene, sequenceLength(scene)).value());
}

FloatRows randomRows(Eigen::Index rows, Eigen::Index width, std::uint64_t seed) {
    Random random(seed);
    return FloatRows::NullaryExpr(rows, width, [&random] { return static_cast<float>(random.normal()); });
}

/// A text of `tokens` words of its own, turned by RoPE.
std::shared_ptr<AttentionProblem> longText(Eigen::Index tokens, Eigen::Index width) {
    auto problem = std::make_shared<AttentionProblem>();
    problem->queries = randomRows(tokens, width, 1);
    problem->keys = randomRows(tokens, width, 2);
    problem->causal = true;
    Scene scene;
    scene.headDim = static_cast<int>(width);
    problem->plan = makePlan(scene, tokens).value();
    return problem;
}

AttentionResult run(Backend& backend, const Problem& problem, std::optional<MapRequest> map,
                    bool hiddenStates = false) {
    return backend.run({.problem = problem, .map = map, .hiddenStates = hiddenStates}, {}).value();
}

AttentionResult run(const Problem& problem, std::optional<MapRequest> map, bool hiddenStates = false) {
    return run(*makeCpuBackend(), problem, map, hiddenStates);
}

/// Rows begin .. end-1 of the whole map.
MapRequest rowsOf(std::int64_t begin, std::int64_t end, std::int64_t keys) {
    return {.window = {begin, end, 0, keys}, .pixelRows = end - begin, .pixelColumns = keys};
}

double largestDifference(const std::vector<double>& first, const std::vector<double>& second) {
    double largest = first.size() == second.size() ? 0.0 : HUGE_VAL;
    for (std::size_t at = 0; at < std::min(first.size(), second.size()); ++at) {
        if (!(std::isnan(first[at]) && std::isnan(second[at]))) {
            // Not max(): a difference that is no number counts.
            const double difference = first[at] == second[at] ? 0.0 : std::abs(first[at] - second[at]);
            largest = difference <= largest ? largest : difference;
        }
    }
    return largest;
}

bool areSameBits(const AttentionResult& first, const AttentionResult& second) {
    return first.map == second.map && first.masked == second.masked &&
           (first.hiddenStates.array() == second.hiddenStates.array() ||
            (first.hiddenStates.array().isNaN() && second.hiddenStates.array().isNaN()))
               .all() &&
           first.largestRowSumError == second.largestRowSumError;
}

/// Of the whole map and of a window, both pools, against the reference.
void joinPooledErrors(const Problem& problem, tests::AttentionErrors& errors) {
    const auto backend = makeCpuBackend(), reference = makeReferenceBackend();
    for (const CellWindow window : {CellWindow{0, 211, 0, 211}, CellWindow{17, 190, 40, 201}}) {
        for (const auto pooling : {Pooling::mean, Pooling::max}) {
            for (const auto values : {ViewValues::weights, ViewValues::logits}) {
                const MapRequest map{.window = window,
                                     .pixelRows = 71,
                                     .pixelColumns = 59,
                                     .pooling = pooling,
                                     .values = values};
                const AttentionResult ours = run(*backend, problem, map);
                const AttentionResult truth = run(*reference, problem, map);
                QVERIFY(ours.masked == truth.masked);
                QCOMPARE(ours.computedRows, truth.computedRows);
                double& largest = values == ViewValues::weights ? errors.weights : errors.logits;
                largest = std::max(largest, largestDifference(ours.map, truth.map));
            }
        }
    }
}

}  // namespace

/// Laws of attention in tiles; that each encoding is what it says is in backend_contract_test.
class CpuBackendTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void pooledWindowsAreThoseOfTheReference() {
        for (const auto& encoding : encodings()) {
            for (const bool causal : {false, true}) {
                tests::AttentionErrors ours, plain;
                Scene scene = manyWords(211, encoding.id);
                scene.causal = causal;
                for (scene.seed = 1; scene.seed <= 6; ++scene.seed) {
                    const Problem problem = problemOf(scene);
                    plain.join(tests::singlePrecisionErrors(*problem));
                    joinPooledErrors(problem, ours);
                }
                QVERIFY2(ours.weights <= 2.0 * plain.weights, encoding.id.c_str());
                QVERIFY2(ours.logits <= 2.0 * plain.logits, encoding.id.c_str());
            }
        }
    }

    void oddSizesAndSamplesAreThoseOfTheReference() {
        Scene scene = manyWords(577, "rope");
        scene.causal = true;
        const Problem problem = problemOf(scene);
        const double allowed = 2.0 * tests::singlePrecisionErrors(*problem).weights;
        const MapRequest whole{.window = {0, 577, 0, 577}, .pixelRows = 71, .pixelColumns = 71};
        MapRequest part = whole;
        part.firstPixelRow = 30;
        part.endPixelRow = 41;
        MapRequest sampled = whole;
        sampled.sampledRows = 50;  // some rows of pixels have none of their own
        MapRequest strip{.window = {100, 500, 3, 570}, .pixelRows = 1, .pixelColumns = 567};
        MapRequest column{.window = {0, 577, 5, 570}, .pixelRows = 577, .pixelColumns = 1};
        for (MapRequest map : {whole, part, sampled, strip, column}) {
            for (const auto pooling : {Pooling::mean, Pooling::max}) {
                map.pooling = pooling;
                const AttentionResult ours = run(problem, map);
                const AttentionResult truth = run(*makeReferenceBackend(), problem, map);
                QVERIFY(ours.masked == truth.masked);
                QCOMPARE(ours.computedRows, truth.computedRows);
                QVERIFY(largestDifference(ours.map, truth.map) <= allowed);
            }
        }
    }

    void meanTimesCellsSumsToOneAlongARow() {
        const Problem problem = longText(1500, 16);
        const MapRequest map{.window = {0, 1500, 0, 1500}, .pixelRows = 97, .pixelColumns = 131};
        const AttentionResult result = run(problem, map);
        const std::vector<std::int64_t> edges = pixelEdges(0, 1500, 131);
        for (std::size_t row = 0; row < 97; ++row) {
            double sum = 0.0;
            for (std::size_t column = 0; column < 131; ++column) {
                sum += result.map[row * 131 + column] * double(edges[column + 1] - edges[column]);
            }
            QVERIFY(std::abs(sum - 1.0) <= 1e-6);
        }
        // Measured, so hardly ever exactly 0, and of single precision.
        QVERIFY(result.largestRowSumError > 0.0 && result.largestRowSumError <= 1e-6);
    }

    void whatIsKnownOfRowsChangesNoBit() {
        const Problem problem = longText(900, 16);
        for (const auto pooling : {Pooling::mean, Pooling::max}) {
            const MapRequest window{
                .window = {300, 620, 150, 555}, .pixelRows = 160, .pixelColumns = 405, .pooling = pooling};
            const AttentionResult cold = run(problem, window);
            const auto backend = makeCpuBackend();
            (void)run(*backend, problem,
                      MapRequest{.window = {0, 900, 0, 900}, .pixelRows = 90, .pixelColumns = 90});
            QVERIFY(areSameBits(run(*backend, problem, window), cold));
            QVERIFY(areSameBits(run(*backend, problem, window), cold));
            const auto afterStates = makeCpuBackend();
            auto withValues = std::make_shared<AttentionProblem>(*problem);
            withValues->values = randomRows(900, 16, 3);
            (void)run(*afterStates, withValues, std::nullopt, true);
            QVERIFY(run(*afterStates, withValues, window).map == cold.map);
        }
    }

    void itSaysOfWhichRowsItKnowsTheSum() {
        const auto backend = makeCpuBackend();
        const Problem problem = longText(300, 16);
        const auto knownOf = [&](std::int64_t begin, std::int64_t end) {
            return backend->forecast({.problem = problem, .map = rowsOf(begin, end, 300)}).knownRows;
        };
        QCOMPARE(knownOf(0, 300), 0);
        MapRequest logits = rowsOf(0, 300, 300);
        logits.values = ViewValues::logits;
        (void)run(*backend, problem, logits);
        QCOMPARE(knownOf(0, 300), 0);  // no row was summed
        (void)run(*backend, problem, rowsOf(100, 148, 300));
        QCOMPARE(knownOf(0, 300), 48);
        QCOMPARE(knownOf(140, 200), 8);
        (void)run(*backend, problem, rowsOf(0, 300, 300));
        QCOMPARE(knownOf(0, 300), 300);
        QCOMPARE(backend->forecast({.problem = problem}).knownRows, 0);  // no map, no rows
        // Another mask has other sums; what shares the scores has the same ones.
        auto masked = std::make_shared<AttentionProblem>(*problem);
        masked->causal = false;
        QCOMPARE(backend->forecast({.problem = masked, .map = rowsOf(0, 300, 300)}).knownRows, 0);
        auto same = std::make_shared<AttentionProblem>(*problem);
        QCOMPARE(backend->forecast({.problem = same, .map = rowsOf(0, 300, 300)}).knownRows, 300);
        // What it has forgotten it does not know.
        for (int other = 0; other < 4; ++other) {
            (void)run(*backend, longText(300, 16), rowsOf(0, 1, 1));
        }
        QCOMPARE(knownOf(0, 300), 0);
    }

    void whatItLeavesToTheReferenceItSays() {
        Scene scene = manyWords(400, "xpos");
        const auto backend = makeCpuBackend();
        for (const bool fits : {true, false}) {
            scene.xpos.scaleBase = fits ? 512.0 : 2.0;
            const AttentionRequest request{.problem = problemOf(scene), .map = rowsOf(0, 400, 400)};
            const AttentionResult result = backend->run(request, {}).value();
            QCOMPARE(result.ranOn.isDouble, !fits);
            QCOMPARE(result.ranOn.id, std::string(fits ? "cpu" : "reference"));
            QCOMPARE(backend->forecast(request).ranOn.id, result.ranOn.id);
        }
    }

    void numberOfThreadsChangesNoBit() {
        const int threads = threadCount();
        auto problem = longText(700, 16);
        problem->values = randomRows(700, 16, 3);
        for (const auto pooling : {Pooling::mean, Pooling::max}) {
            for (const std::int64_t pixelRows : {1, 3, 64, 700}) {
                const MapRequest map{.window = {0, 700, 0, 700},
                                     .pixelRows = pixelRows,
                                     .pixelColumns = 97,
                                     .pooling = pooling};
                limitThreads(1);
                const AttentionResult alone = run(problem, map, true);
                limitThreads(std::max(threads, 2));
                QVERIFY(areSameBits(run(problem, map, true), alone));
            }
        }
        limitThreads(threads);
    }

    void partsOfTheRowsHaveTheBitsOfTheWhole() {
        // Blocks and tasks cut the rows of a part in other places than those of the whole.
        const Problem problem = longText(1700, 16);
        for (const std::int64_t pixelRows : {2, 5, 11, 170}) {
            for (const auto pooling : {Pooling::mean, Pooling::max}) {
                MapRequest map{.window = {0, 1700, 0, 1700},
                               .pixelRows = pixelRows,
                               .pixelColumns = 31,
                               .pooling = pooling};
                const AttentionResult whole = run(problem, map);
                for (const std::int64_t first : {pixelRows / 3, pixelRows / 2}) {
                    const std::int64_t last = first == pixelRows / 3 ? pixelRows : first + 1;
                    map.firstPixelRow = first;
                    map.endPixelRow = last;
                    const AttentionResult part = run(problem, map);
                    QVERIFY(std::ranges::equal(part.map, std::span(whole.map).subspan(
                                                             static_cast<std::size_t>(31 * first),
                                                             static_cast<std::size_t>(31 * (last - first)))));
                }
            }
        }
    }

    void settingsOfTheSameRowsAreToldApart() {
        // The backend keeps what it has turned: neither another setting nor another mask may meet it.
        const auto backend = makeCpuBackend();
        const auto first = longText(200, 16);
        const MapRequest map = rowsOf(0, 200, 200);
        const AttentionResult before = run(*backend, first, map);
        const auto changed = [&](auto change) {
            auto problem = std::make_shared<AttentionProblem>(*first);
            change(*problem);
            const AttentionResult result = run(*backend, problem, map);
            return result.map != before.map && areSameBits(result, run(problem, map));
        };
        QVERIFY(changed([](AttentionProblem& problem) { problem.causal = false; }));
        QVERIFY(changed([](AttentionProblem& problem) { problem.plan.softmaxMultiplier = 2.0; }));
        QVERIFY(changed([](AttentionProblem& problem) { problem.plan.rotation.reset(); }));
        QVERIFY(changed([](AttentionProblem& problem) { problem.queryStart = 3; }));
        QVERIFY(changed([](AttentionProblem& problem) { problem.plan.definedTokens = 100; }));
        QVERIFY(changed([](AttentionProblem& problem) { problem.keys = randomRows(200, 16, 9); }));
        QVERIFY(areSameBits(run(*backend, first, map), before));
    }

    void everySingleHotCellIsVisible() {
        constexpr std::int64_t tokens = 16384;
        FloatRows queries = randomRows(tokens, 8, 1) * 0.1f, keys = randomRows(tokens, 8, 2) * 0.1f;
        Random random(5);
        std::vector<std::pair<std::int64_t, std::int64_t>> hot;
        for (std::int64_t spot = 0; spot < 100; ++spot) {
            const std::int64_t row = 163 * spot + 100 + static_cast<std::int64_t>(random.below(63));
            const std::int64_t key = 100 * spot + static_cast<std::int64_t>(random.below(100));
            keys.row(key) = randomRows(1, 8, 100 + index(spot)).rowwise().normalized() * 9.0f;
            queries.row(row) = keys.row(key);
            hot.emplace_back(row, key);
        }
        auto problem = std::make_shared<AttentionProblem>();
        problem->queries = queries;
        problem->keys = keys;
        problem->causal = true;
        const MapRequest map{.window = {0, tokens, 0, tokens},
                             .pixelRows = 1024,
                             .pixelColumns = 1024,
                             .pooling = Pooling::max};
        const AttentionResult result = run(problem, map);
        for (const auto& [row, key] : hot) {
            Eigen::RowVectorXd weights =
                (queries.row(row) * keys.topRows(row + 1).transpose()).cast<double>() / std::sqrt(8.0);
            weights = (weights.array() - weights.maxCoeff()).exp();
            weights /= weights.sum();
            QVERIFY(weights(key) > 0.2);
            QVERIFY(result.map[index(row / 16 * 1024 + key / 16)] >= weights(key) * (1.0 - 1e-5));
        }
    }

    void rowsThatMeetNoNumberShowNoneAndOthersAreExact() {
        for (const float odd :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
              -std::numeric_limits<float>::infinity()}) {
            const auto clean = longText(300, 16);
            auto problem = std::make_shared<AttentionProblem>(*clean);
            FloatRows queries = randomRows(300, 16, 1), keys = randomRows(300, 16, 2);
            queries(40, 3) = odd;
            keys(150, 7) = odd;  // only rows from 150 on see it
            problem->queries = queries;
            problem->keys = keys;
            for (const auto pooling : {Pooling::mean, Pooling::max}) {
                MapRequest map = rowsOf(0, 300, 300);
                map.pooling = pooling;
                const AttentionResult ours = run(problem, map), exact = run(clean, map);
                const AttentionResult truth = run(*makeReferenceBackend(), problem, map);
                QVERIFY(ours.masked == truth.masked);
                QVERIFY(largestDifference(ours.map, truth.map) <= 1e-5);
                for (std::int64_t row = 0; row < 300; ++row) {
                    const double first = ours.map[index(row * 300)];
                    QCOMPARE(std::isnan(first), row == 40 || std::isnan(truth.map[index(row * 300)]));
                    QVERIFY(std::isnan(first) == (row == 40 || (row >= 150 && std::isnan(first))));
                    QVERIFY(row >= 150 || row == 40 || first == exact.map[index(row * 300)]);
                }
                // A pixel of several rows is no number where one of them sees it and is none.
                map.pixelRows = map.pixelColumns = 30;
                const AttentionResult pooled = run(problem, map);
                QVERIFY(largestDifference(pooled.map, run(*makeReferenceBackend(), problem, map).map) <=
                        1e-5);
                QVERIFY(std::isnan(pooled.map[4 * 30]) && !std::isnan(pooled.map[3 * 30]));
            }
        }
    }

    void rowsThatSeeNothingAreMasked() {
        // Queries before all keys, and tokens without a code.
        auto problem = longText(120, 16);
        problem->values = randomRows(120, 16, 3);
        problem->keyStart = 50;
        problem->plan.definedTokens = 100;
        const AttentionResult ours = run(problem, rowsOf(0, 120, 120), true);
        const AttentionResult truth = run(*makeReferenceBackend(), problem, rowsOf(0, 120, 120), true);
        QVERIFY(ours.masked == truth.masked);
        QVERIFY(largestDifference(ours.map, truth.map) <= 1e-6);
        QCOMPARE(ours.definedTokens, std::int64_t{100});
        QVERIFY(ours.largestRowSumError <= 1e-6);
        for (Eigen::Index row = 0; row < 120; ++row) {
            const bool seesNothing = row < 50 || row >= 100;
            QCOMPARE(ours.hiddenStates.row(row).array().isNaN().all(), seesNothing);
            QCOMPARE(ours.masked[index(row * 120)] == 1, seesNothing);
        }
    }

    void logitsOfTensOfThousandsStayExact() {
        double largestError = 0.0, allowed = 0.0;
        for (std::uint64_t seed = 0; seed < 8; ++seed) {
            auto problem = std::make_shared<AttentionProblem>();
            problem->queries = FloatRows(randomRows(250, 8, 10 + seed) * 60.0f);
            problem->keys = FloatRows(randomRows(250, 8, 20 + seed) * 60.0f);
            problem->values = randomRows(250, 8, 30 + seed);
            const AttentionResult ours = run(problem, rowsOf(0, 250, 250), true);
            const AttentionResult truth = run(*makeReferenceBackend(), problem, rowsOf(0, 250, 250));
            QVERIFY(ours.hiddenStates.allFinite());
            largestError = std::max(largestError, largestDifference(ours.map, truth.map));
            allowed = std::max(allowed, 2.0 * tests::singlePrecisionErrors(*problem).weights);
        }
        QVERIFY(largestError <= allowed);
    }

    void growthBeyondSinglePrecisionIsExact() {
        for (const bool causal : {false, true}) {
            Scene scene = manyWords(400, "xpos");
            scene.xpos.scaleBase = 2.0;
            scene.causal = causal;
            const Problem problem = problemOf(scene);
            const AttentionResult ours = run(problem, rowsOf(0, 400, 400));
            const AttentionResult truth = run(*makeReferenceBackend(), problem, rowsOf(0, 400, 400));
            QVERIFY(largestDifference(ours.map, truth.map) <= 1e-5);
        }
    }

    void stopIsHeardWhileTurningAndWhileSumming() {
        const auto problem = longText(20000, 64);
        const auto backend = makeCpuBackend();
        for (const int milliseconds : {0, 1, 20}) {
            std::stop_source stop;
            const std::jthread stopper([&stop, milliseconds] {
                std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
                stop.request_stop();
            });
            const auto result = backend->run(
                {.problem = problem,
                 .map = MapRequest{.window = {0, 20000, 0, 20000}, .pixelRows = 100, .pixelColumns = 100}},
                stop.get_token());
            QVERIFY(!result && result.error().kind == ErrorKind::cancelled);
        }
        // What was stopped leaves nothing that is wrong.
        const MapRequest window = rowsOf(1000, 1010, 2000);
        QVERIFY(areSameBits(run(*backend, problem, window), run(problem, window)));
    }

    void windowOutsideTheMapIsRefused() {
        const auto problem = longText(5, 4);
        QVERIFY(!makeCpuBackend()->run({.problem = problem, .map = rowsOf(0, 6, 5)}, {}));
        QVERIFY(run(std::make_shared<AttentionProblem>(), std::nullopt).map.empty());
    }

    void rowsOfAVeryLongTextAreThoseOfTheReference() {
        const auto problem = longText(131072, 16);
        const MapRequest map{.window = {70000, 70064, 69000, 69064}, .pixelRows = 64, .pixelColumns = 64};
        const AttentionResult ours = run(problem, map);
        const AttentionResult truth = run(*makeReferenceBackend(), problem, map);
        QVERIFY(*std::ranges::max_element(truth.map) > 1e-4);
        QVERIFY(largestDifference(ours.map, truth.map) <= 1e-5 * *std::ranges::max_element(truth.map));
    }
};

}  // namespace phaseladder::test

QTEST_GUILESS_MAIN(phaseladder::test::CpuBackendTest)
#include "cpu_backend_test.moc"
