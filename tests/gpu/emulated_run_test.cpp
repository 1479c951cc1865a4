#include <QTest>

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>

#include "core/attention/backend.h"
#include "core/attention/order_table.h"
#include "core/attention/permutations.h"
#include "core/index.h"
#include "gpu/helper/attention_run.h"
#include "gpu/helper/emulated_device.h"
#include "gpu/helper/faulty_device.h"
#include "gpu/helper/order_run.h"
#include "gpu/helper/problem_store.h"
#include "gpu/problem_messages.h"
#include "tests/core/placed_problem.h"
#include "tests/core/word_scene.h"

namespace phaseladder::gpu {
namespace {

constexpr std::int64_t tokens = 300;  // three tiles of rows, the last one partial
constexpr int width = 24;
constexpr std::uint64_t plenty = std::uint64_t{1} << 28U,
                        little = 1;  // bytes of a chunk: all rows, or a tile

constexpr RowKeys rowKeys{1, 2, 3};
constexpr std::uint64_t problemKey = 4;

/// Seeded, normal queries, keys and values of one head with an encoding's plan.
std::shared_ptr<AttentionProblem> problemOf(const std::string& encoding, bool isCausal) {
    Scene scene;
    scene.encoding = encoding;
    scene.headDim = width;
    scene.textLength = tokens;
    scene.causal = isCausal;
    return tests::problemAt({0, tokens, 0, tokens}, scene, 11);
}

RunWatch nobody() {
    return {[] { return false; }, [](std::int64_t, std::int64_t) {}};
}

/// A device in use, and a problem in its store.
struct Helper {
    explicit Helper(const AttentionProblem& problem,
                    DeviceCalls device = makeEmulatedDevice(BlockOrder::forward))
        : session(std::move(device)), store(session) {
        session.open();
        store.add(rowsMessage(problem.queries, rowKeys.queries));
        store.add(rowsMessage(problem.keys, rowKeys.keys));
        store.add(rowsMessage(problem.values, rowKeys.values));
        refusal = store.add(problemMessage(problem, problemKey, rowKeys));
    }

    ResultMessage run(const RunMessage& message, std::uint64_t chunkBytes = plenty) {
        DeviceProblem* problem = store.find(problemKey, [] {});
        return problem == nullptr ? ResultMessage{}
                                  : runAttention(session, *problem, message, nobody(), chunkBytes);
    }

    DeviceSession session;
    ProblemStore store;
    std::string refusal;
};

RunMessage runOf(const MapRequest& map) {
    RunMessage run;
    run.id = 1;
    run.problem = problemKey;
    run.map = mapMessage(map);
    return run;
}

AttentionResult truthOf(const std::shared_ptr<AttentionProblem>& problem, const MapRequest& map) {
    return makeReferenceBackend()->run({problem, map}, {}).value();
}

double largestDifference(const std::vector<float>& ours, const std::vector<double>& truth) {
    if (ours.size() != truth.size()) {
        return HUGE_VAL;
    }
    double largest = 0.0;
    for (std::size_t at = 0; at < truth.size(); ++at) {
        const double difference = std::abs(double(ours[at]) - truth[at]);
        largest = difference <= largest ? largest : difference;
    }
    return largest;
}

/// log Σ exp of every row's logits, added up one by one.
std::vector<double> logSums(const AttentionProblem& problem) {
    const RowMatrix queries = problem.queries.matrix(), keys = problem.keys.matrix();
    std::vector<double> sums;
    for (std::int64_t row = 0; row < tokens; ++row) {
        double sum = 0.0;
        for (std::int64_t key = 0; key < (problem.causal ? row + 1 : tokens); ++key) {
            sum += std::exp(pairLogit(problem.plan, logitScale(problem.plan, width), queries.row(row), row,
                                      keys.row(key), key));
        }
        sums.push_back(std::log(sum));
    }
    return sums;
}

}  // namespace

/// The helper's runs, on emulated devices.
class EmulatedRunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void chunksChangeNoBitOfAMap() {
        // Two rows of pixels of 150 rows each: a chunk of 128 rows ends inside of one.
        for (const char* encoding : {"rope", "transformer_xl"}) {
            const auto problem = problemOf(encoding, true);
            for (const Pooling pooling : {Pooling::mean, Pooling::max}) {
                for (const ViewValues values : {ViewValues::weights, ViewValues::logits}) {
                    const MapRequest map{.window = {0, tokens, 0, tokens},
                                         .pixelRows = 2,
                                         .pixelColumns = 37,
                                         .pooling = pooling,
                                         .values = values};
                    const ResultMessage whole = Helper(*problem).run(runOf(map));
                    QVERIFY(largestDifference(whole.map, truthOf(problem, map).map) < 1e-5);
                    const ResultMessage cut = Helper(*problem).run(runOf(map), little);
                    QVERIFY(cut.map == whole.map);
                    QCOMPARE(cut.computedRows, tokens);
                }
            }
        }
    }

    void aWindowWhoseSumsAreThereIsComputedAlone() {
        const auto problem = problemOf("rope", false);
        Helper helper(*problem);
        const MapRequest all{.window = {0, tokens, 0, tokens}, .pixelRows = 10, .pixelColumns = 10};
        const MapRequest window{.window = {120, 200, 33, 190}, .pixelRows = 40, .pixelColumns = 157};
        (void)helper.run(runOf(all));
        const ResultMessage warm = helper.run(runOf(window));
        const ResultMessage cold = Helper(*problem).run(runOf(window));
        const std::vector<double> truth = truthOf(problem, window).map;
        QVERIFY(largestDifference(warm.map, truth) < 1e-5);
        QVERIFY(largestDifference(cold.map, truth) < 1e-5);
        QVERIFY(warm.largestRowSumError < 1e-5F);
    }

    void samplesOfAMapAreThoseOfTheReference() {
        const auto problem = problemOf("alibi", true);
        MapRequest map{.window = {10, 290, 5, 300}, .pixelRows = 70, .pixelColumns = 29};
        map.sampledRows = 9;  // fewer than rows of pixels: most show the nearest one's
        for (const bool isPart : {false, true}) {
            map.firstPixelRow = isPart ? 20 : 0;
            map.endPixelRow = isPart ? 55 : 0;
            const AttentionResult truth = truthOf(problem, map);
            const ResultMessage ours = Helper(*problem).run(runOf(map));
            QVERIFY(largestDifference(ours.map, truth.map) < 1e-5);
            QCOMPARE(ours.computedRows, truth.computedRows);
            for (std::size_t row = 0; row < ours.shownColumns.size(); ++row) {
                const auto begin = truth.masked.begin() + std::ptrdiff_t(row) * 29;
                QCOMPARE(std::ptrdiff_t(ours.shownColumns[row]),
                         std::find(begin, begin + 29, std::uint8_t{1}) - begin);
            }
        }
    }

    void sumsOfRowsAreThoseOfAllTheirLogits() {
        for (const char* encoding : {"alibi", "shaw"}) {
            const auto problem = problemOf(encoding, true);
            const std::vector<double> truth = logSums(*problem);
            RunMessage run;
            run.id = 1;
            run.problem = problemKey;
            run.rowLogSums = true;
            for (const std::uint64_t chunkBytes : {plenty, little}) {
                QVERIFY(largestDifference(Helper(*problem).run(run, chunkBytes).rowLogSums, truth) < 1e-5);
            }
        }
    }

    void aTableThatIsReadIsCountedInBytes() {
        const auto problem = problemOf("shaw", true);
        RunMessage run;
        run.id = 1;
        run.problem = problemKey;
        run.rowLogSums = run.readsRelativeTable = true;
        const ResultMessage result = Helper(*problem).run(run);
        QVERIFY(largestDifference(result.rowLogSums, logSums(*problem)) < 1e-5);
        QCOMPARE(result.bytesRead, std::uint64_t(tokens * (tokens + 1) / 2 * width * 4));
    }

    void blocksRunInAnyOrder() {
        const auto problem = problemOf("xpos", true);
        const MapRequest map{.window = {0, tokens, 0, tokens}, .pixelRows = 20, .pixelColumns = 20};
        RunMessage run = runOf(map);
        run.hiddenStates = true;
        const ResultMessage forward = Helper(*problem).run(run);
        for (const BlockOrder order : {BlockOrder::reverse, BlockOrder::shuffled}) {
            const ResultMessage other = Helper(*problem, makeEmulatedDevice(order)).run(run);
            QVERIFY(other.map == forward.map);
            QVERIFY(other.hidden == forward.hidden);
        }
    }

    void tensorCoresErrByWhatBf16Means() {
        // Rounding to bf16 moves each of two factors by 2^-9 at most, so a logit by 2^-8 of the sum of
        // |q||k|.
        for (const char* encoding : {"rope", "alibi"}) {
            const auto problem = problemOf(encoding, true);
            const MapRequest map{.window = {0, tokens, 0, tokens},
                                 .pixelRows = tokens,
                                 .pixelColumns = tokens,
                                 .values = ViewValues::logits};
            RunMessage run = runOf(map);
            run.isTensor = true;
            const ResultMessage tensor = Helper(*problem).run(run);
            const double error = largestDifference(tensor.map, truthOf(problem, map).map);
            const double most = problem->queries.matrix().rowwise().norm().maxCoeff() *
                                problem->keys.matrix().rowwise().norm().maxCoeff() /
                                std::sqrt(double(width)) * 0x1p-8;
            QVERIFY2(error > 1e-4 && error < most, qPrintable(QString::number(error)));
        }
    }

    void whatTensorCoresCannotIsComputedInSinglePrecision() {
        for (const char* encoding : {"shaw", "transformer_xl", "xpos"}) {
            const auto problem = problemOf(encoding, true);
            const MapRequest map{.window = {0, tokens, 0, tokens}, .pixelRows = 9, .pixelColumns = 9};
            RunMessage run = runOf(map);
            run.isTensor = true;
            QVERIFY(Helper(*problem).run(run).map == Helper(*problem).run(runOf(map)).map);
        }
    }

    void allOrdersInPortionsAreAllOrders() {
        constexpr int words = 5;
        const OrderTable exact = OrderTable::create(test::wordScene(words, "sinusoidal", true)).value();
        const auto channels = static_cast<int>(exact.width());
        OrdersMessage orders{.id = 7, .tokens = words, .width = std::uint32_t(channels), .isCausal = true};
        for (int query = 0; query < words; ++query) {
            for (int at = 0; at < words; ++at) {
                for (int cell = 0; cell < words * words; ++cell) {
                    orders.scores.push_back(
                        static_cast<float>(exact.score(query, at, cell / words, cell % words)));
                }
                for (int channel = 0; channel < channels; ++channel) {
                    orders.values.push_back(static_cast<float>(exact.value(query, at, 0)(channel)));
                }
            }
        }
        const RowMatrix present = exact.states(identityOrder(words)).hidden;
        for (const double number : present.reshaped<Eigen::RowMajor>()) {
            orders.present.push_back(static_cast<float>(number));
        }
        std::vector<double> expected(words, 0.0);
        for (std::int64_t rank = 0; rank < orderCount(words); ++rank) {
            const RowMatrix states = exact.states(orderOfRank(words, rank)).hidden;
            for (int token = 0; token < words; ++token) {
                double& most = expected[index(token)];
                most = std::max(most, (states.row(token) - present.row(token)).cwiseAbs().maxCoeff());
            }
        }
        DeviceSession session(makeEmulatedDevice(BlockOrder::forward));
        session.open();
        std::vector<float> largest(words, 0.0F);
        for (const std::int64_t begin : {0, 50}) {
            orders.firstOrder = begin;
            orders.endOrder = begin == 0 ? 50 : orderCount(words);
            const ResultMessage part = runOrders(session, orders, nobody());
            for (std::size_t token = 0; token < words; ++token) {
                largest[token] = std::max(largest[token], part.orderDifferences[token]);
            }
        }
        QVERIFY(largestDifference(largest, expected) < 1e-5);
    }

    void whatIsCancelledStopsBetweenLaunches() {
        const auto problem = problemOf("rope", true);
        Helper helper(*problem);
        const MapRequest map{.window = {0, tokens, 0, tokens}, .pixelRows = 10, .pixelColumns = 10};
        int asked = 0;
        const RunWatch watch{[&asked] { return ++asked > 1; }, [](std::int64_t, std::int64_t) {}};
        (void)runAttention(helper.session, *helper.store.find(problemKey, [] {}), runOf(map), watch, little);
        QCOMPARE(helper.session.fault()->state, HelperState::cancelled);
        QCOMPARE(asked, 2);
        helper.session.goOn();
        QVERIFY(largestDifference(helper.run(runOf(map)).map, truthOf(problem, map).map) < 1e-5);
    }

    void whatHasNoRoomIsAFaultThatPasses() {
        const auto problem = problemOf("rope", true);
        const MapRequest map{.window = {0, tokens, 0, tokens}, .pixelRows = 10, .pixelColumns = 10};
        // Of the first request's allocations the first one fails: the problem is made once more.
        Helper helper(*problem, makeFaulty(makeEmulatedDevice(BlockOrder::forward),
                                           {readFault("allocate:2@1").value()}));
        helper.session.beginRequest();
        QVERIFY(largestDifference(helper.run(runOf(map)).map, truthOf(problem, map).map) < 1e-5);
    }

    void aLostDeviceIsNeverCalledAgain() {
        const auto problem = problemOf("rope", true);
        int calls = 0, releases = 0;
        DeviceCalls device = makeEmulatedDevice(BlockOrder::forward);
        const auto launch = device.launch;
        device.launch = [&, launch](const KernelArguments& kernel, Grid grid) {
            return ++calls < 4 ? launch(kernel, grid) : 700;
        };
        std::vector<void*> held;
        device.allocate = [&held, allocate = device.allocate](void*& at, std::size_t bytes) {
            const DeviceCode code = allocate(at, bytes);
            held.push_back(at);
            return code;
        };
        const auto release = device.release;
        device.release = [&](void*) {
            releases += calls >= 4 ? 1 : 0;
            return 0;
        };
        {
            Helper helper(*problem, device);
            const MapRequest map{.window = {0, tokens, 0, tokens}, .pixelRows = 10, .pixelColumns = 10};
            (void)helper.run(runOf(map));
            QCOMPARE(helper.session.fault()->state, HelperState::deviceLost);
            helper.session.goOn();
            QVERIFY(!helper.session.isGood());
            (void)helper.run(runOf(map));
        }
        QCOMPARE(calls, 4);
        QCOMPARE(releases, 0);  // what it held is left to the end of the process
        std::ranges::for_each(held, release);
    }

    void aProblemFitsItsMatrices() {
        const auto problem = problemOf("rope", true);
        Helper helper(*problem);
        QCOMPARE(helper.refusal, std::string());
        ProblemMessage message = problemMessage(*problem, problemKey + 1, rowKeys);
        message.keyRows -= 1;
        QVERIFY(helper.store.add(message).find("299 keys") != std::string::npos);
        message = problemMessage(*problem, problemKey + 1, {1, 2, 9});
        QCOMPARE(helper.store.add(message), std::string());
        QVERIFY(helper.store.find(problemKey + 1, [] {}) == nullptr);  // those values never came
        QVERIFY(helper.store.find(99, [] {}) == nullptr);
        QVERIFY(helper.session.isGood());
    }
};

}  // namespace phaseladder::gpu

QTEST_GUILESS_MAIN(phaseladder::gpu::EmulatedRunTest)
#include "emulated_run_test.moc"
