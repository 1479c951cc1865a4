#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numbers>
#include <numeric>
#include <vector>

#include <QTest>

#include "core/attention/backend.h"
#include "core/attention/order_table.h"
#include "core/attention/permutations.h"
#include "core/attention/pooled_map.h"
#include "core/phase/phase_turns.h"
#include "core/random.h"
#include "gpu/emulation/thread_blocks.h"
#include "gpu/kernels.cuh"
#include "tests/core/word_scene.h"

namespace phaseladder::gpu {
namespace {

constexpr int tokens = 200;  // two tiles of rows and of keys, the second ones partial
constexpr int width = 24, stride = 32;
constexpr int pixelRows = 37, pixelColumns = 41;

/// Seeded, normal queries, keys and values of one head, turned by RoPE at theta = 10000.
std::shared_ptr<const AttentionProblem> rotatedProblem(bool isCausal) {
    Random random(3);
    const auto rows = [&random] {
        return RowMatrix::NullaryExpr(tokens, width, [&random] { return random.normal(); }).eval();
    };
    auto problem = std::make_shared<AttentionProblem>();
    problem->queries = rows();
    problem->keys = rows();
    problem->values = rows();
    Scene scene;
    scene.headDim = width;
    scene.textLength = tokens;
    problem->plan = makePlan(scene, tokens).value();
    problem->causal = isCausal;
    return problem;
}

unsigned blocksFor(std::int64_t things, std::int64_t each) {
    return static_cast<unsigned>((things + each - 1) / each);
}

std::vector<float> turned(const HeadRows& rows, const PairRotation* rotation, BlockOrder order) {
    std::vector<float> distinct(tokens * width), to(tokens * stride, -1.0f);
    rows.copyRows(0, tokens, distinct.data());
    TurnRowsArguments turn{};
    turn.distinct = distinct.data();
    turn.rows = tokens;
    turn.width = width;
    turn.stride = stride;
    if (rotation != nullptr) {
        turn.rotation.turnsPerToken = rotation->turnsPerToken.data();
        turn.rotation.pairs = static_cast<int>(rotation->turnsPerToken.size());
        turn.rotation.attentionFactor = 1.0f;
        turn.rotation.axes = 1;
    }
    turn.turned = to.data();
    runBlocks({blocksFor(tokens * stride / 2, plainThreads)}, plainThreads, order, [&] { turnRows(turn); });
    return to;
}

/// What the kernels leave of a problem.
struct KernelResult {
    std::vector<float> map, hidden;

    friend bool operator==(const KernelResult&, const KernelResult&) = default;
};

KernelResult runKernels(const AttentionProblem& problem, const MapRequest& request, BlockOrder order) {
    const std::vector<float> queries = turned(problem.queries, &*problem.plan.rotation, order);
    const std::vector<float> keys = turned(problem.keys, &*problem.plan.rotation, order);
    const std::vector<float> values = turned(problem.values, nullptr, order);
    std::vector<std::int32_t> rows(tokens), edges, begins;
    std::iota(rows.begin(), rows.end(), 0);
    for (const std::int64_t edge : pixelEdges(0, tokens, pixelColumns)) {
        edges.push_back(static_cast<std::int32_t>(edge));
    }
    for (const std::int64_t edge : pixelEdges(0, tokens, pixelRows)) {
        begins.push_back(static_cast<std::int32_t>(edge));
    }
    const std::vector<std::int32_t> groups{0, 7, 30, pixelColumns};
    std::vector<Part> parts(tokens * pixelColumns), sums(tokens);
    std::vector<float> errors(tokens);
    KernelResult result{std::vector<float>(pixelRows * pixelColumns), std::vector<float>(tokens * stride)};

    ScoreColumnsArguments scores{};
    scores.queries = queries.data();
    scores.keys = keys.data();
    scores.width = width;
    scores.stride = stride;
    scores.rows = rows.data();
    scores.rowCount = tokens;
    scores.edges = edges.data();
    scores.columns = pixelColumns;
    scores.groups = groups.data();
    scores.seen = {0, 0, tokens, tokens, problem.causal};
    scores.terms.scale = static_cast<float>(logitScale(problem.plan, width));
    const bool isMax = request.pooling == Pooling::max, isLogits = request.values == ViewValues::logits;
    scores.statistic = !isLogits ? Statistic::weights
                       : isMax   ? Statistic::largestLogits
                                 : Statistic::sumOfLogits;
    scores.parts = parts.data();
    runBlocks({blocksFor(tokens, tileRows), 3}, tileThreads, order, [&] { scoreColumns(scores); });

    if (!isLogits) {
        const SumRowsArguments sum{parts.data(), rows.data(), tokens,      edges.data(),
                                   pixelColumns, scores.seen, sums.data(), errors.data()};
        runBlocks({blocksFor(tokens, plainThreads / warpThreads)}, plainThreads, order,
                  [&] { sumRows(sum); });
    }
    PoolColumnsArguments pool{};
    pool.parts = parts.data();
    pool.rows = rows.data();
    pool.edges = edges.data();
    pool.columns = pool.pixelColumns = pixelColumns;
    pool.pixelBegins = begins.data();
    pool.endPixel = pixelRows;
    pool.chunkEnd = tokens;
    pool.seen = scores.seen;
    pool.sums = sums.data();
    pool.isMax = isMax;
    pool.isLogits = isLogits;
    pool.map = result.map.data();
    runBlocks({blocksFor(pixelColumns, plainThreads), pixelRows}, plainThreads, order,
              [&] { poolColumns(pool); });

    HiddenStatesArguments hidden{};
    hidden.scores = scores;
    hidden.values = values.data();
    hidden.hidden = result.hidden.data();
    hidden.sums = sums.data();
    runBlocks({blocksFor(tokens, tileRows), 1}, tileThreads, order, [&] { hiddenStates(hidden); });
    return result;
}

}  // namespace

/// The kernels, each of their threads a thread of the processor.
class EmulatedKernelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void emulatedPhasesAreExactAtEveryPosition() {
        // One radian a token, of which W is 2^64 / 2π; the truth is the library's own long double.
        const auto turns =
            static_cast<std::uint64_t>(std::llroundl(0x1p61L / std::numbers::pi_v<long double> * 2.0L) * 2LL);
        const std::int64_t positions[] = {0, 1, 511, 512, 131071, 1000003};
        for (const std::int64_t position : positions) {
            float cosine = 0.0f, sine = 0.0f;
            PhaseTableArguments table{};
            table.rotation = {&turns, 1, false, 1.0f, 1, nullptr, nullptr};
            table.rows = 1;
            table.start = position;
            table.step = 1;
            table.cosine = &cosine;
            table.sine = &sine;
            runBlocks({1}, plainThreads, BlockOrder::forward, [&] { fillPhaseTable(table); });
            const auto angle = static_cast<long double>(position);
            QVERIFY(std::abs(static_cast<long double>(cosine) - std::cos(angle)) < 1e-7L);
            QVERIFY(std::abs(static_cast<long double>(sine) - std::sin(angle)) < 1e-7L);
        }
    }

    void emulatedMapsAndHiddenStatesAreThoseOfTheReference() {
        for (const bool isCausal : {false, true}) {
            const auto problem = rotatedProblem(isCausal);
            for (const Pooling pooling : {Pooling::mean, Pooling::max}) {
                for (const ViewValues values : {ViewValues::weights, ViewValues::logits}) {
                    const MapRequest request{.window = {0, tokens, 0, tokens},
                                             .pixelRows = pixelRows,
                                             .pixelColumns = pixelColumns,
                                             .pooling = pooling,
                                             .values = values};
                    const AttentionResult truth =
                        makeReferenceBackend()->run({problem, request, true}, {}).value();
                    const KernelResult ours = runKernels(*problem, request, BlockOrder::forward);
                    double difference = 0.0;
                    for (std::size_t at = 0; at < truth.map.size(); ++at) {
                        difference = std::max(difference, std::abs(truth.map[at] - double(ours.map[at])));
                    }
                    QVERIFY2(difference < 1e-5, qPrintable(QString::number(difference)));
                    double ofStates = 0.0;
                    for (int row = 0; row < tokens; ++row) {
                        for (int channel = 0; channel < width; ++channel) {
                            const float state = ours.hidden[static_cast<std::size_t>(row * stride + channel)];
                            ofStates = std::max(ofStates,
                                                std::abs(truth.hiddenStates(row, channel) - double(state)));
                        }
                    }
                    QVERIFY2(ofStates < 1e-5, qPrintable(QString::number(ofStates)));
                }
            }
        }
    }

    void emulatedRelativeVectorsCountAsInTheReference() {
        // Looked up from products of a tile, and read one by one: both are log Σ exp of the same logits.
        constexpr std::int64_t reach = 9;
        Random random(5);
        auto problem = std::make_shared<AttentionProblem>(*rotatedProblem(true));
        RelativeVectors vectors{reach, {}};
        for (std::int64_t at = 0; at < (2 * reach + 1) * width; ++at) {
            vectors.rows.push_back(random.normal());
        }
        problem->plan.rotation.reset();
        problem->plan.relativeKeys = vectors;
        std::vector<float> table((2 * reach + 1) * stride);
        for (std::size_t at = 0; at < vectors.rows.size(); ++at) {
            table[at / width * stride + at % width] = static_cast<float>(vectors.rows[at]);
        }
        const std::vector<float> queries = turned(problem->queries, nullptr, BlockOrder::forward);
        const std::vector<float> keys = turned(problem->keys, nullptr, BlockOrder::forward);
        std::vector<std::int32_t> rows(tokens);
        std::iota(rows.begin(), rows.end(), 0);
        const std::vector<std::int32_t> edges{0, tokens}, groups{0, 1};
        std::vector<Part> parts(tokens), read(tokens), lookedUp(tokens);
        std::vector<float> errors(tokens), products(tokens * (2 * reach + 1));

        ScoreColumnsArguments scores{};
        scores.queries = queries.data();
        scores.keys = keys.data();
        scores.width = width;
        scores.stride = stride;
        scores.rows = rows.data();
        scores.rowCount = tokens;
        scores.edges = edges.data();
        scores.columns = 1;
        scores.groups = groups.data();
        scores.seen = {0, 0, tokens, tokens, true};
        scores.terms.scale = static_cast<float>(logitScale(problem->plan, width));
        scores.terms.relativeReach = reach;
        scores.terms.relativeLeast = -reach;
        scores.terms.relativeOffsets = 2 * reach + 1;
        scores.parts = parts.data();
        const RelativeTableArguments slow{scores, table.data(), read.data()};
        runBlocks({blocksFor(tokens, plainThreads / warpThreads)}, plainThreads, BlockOrder::forward,
                  [&] { relativeTable(slow); });

        const RelativeProductsArguments product{queries.data(), table.data(), width, stride,
                                                rows.data(),    tokens,       0,     scores.terms,
                                                products.data()};
        runBlocks({blocksFor(tokens, tileRows), 1}, tileThreads, BlockOrder::forward,
                  [&] { relativeProducts(product); });
        scores.terms.relative = products.data();
        runBlocks({blocksFor(tokens, tileRows), 1}, tileThreads, BlockOrder::forward,
                  [&] { scoreColumns(scores); });
        const SumRowsArguments sum{parts.data(), rows.data(),     tokens,       edges.data(), 1,
                                   scores.seen,  lookedUp.data(), errors.data()};
        runBlocks({blocksFor(tokens, plainThreads / warpThreads)}, plainThreads, BlockOrder::forward,
                  [&] { sumRows(sum); });

        const RowMatrix exactQueries = problem->queries.matrix(), exactKeys = problem->keys.matrix();
        for (int row = 0; row < tokens; ++row) {
            double exact = 0.0;
            for (int key = 0; key <= row; ++key) {
                exact += std::exp(pairLogit(problem->plan, logitScale(problem->plan, width),
                                            exactQueries.row(row), row, exactKeys.row(key), key));
            }
            for (const std::vector<Part>* sums : {&read, &lookedUp}) {
                const Part& part = (*sums)[static_cast<std::size_t>(row)];
                QVERIFY(std::abs(double(part.largest) + std::log(double(part.sum)) - std::log(exact)) < 1e-5);
            }
        }
    }

    void emulatedOrdersDifferAsInTheScoreTable() {
        constexpr int words = 5;
        for (const bool isCausal : {false, true}) {
            const OrderTable exact =
                OrderTable::create(test::wordScene(words, "sinusoidal", isCausal)).value();
            const auto channels = static_cast<int>(exact.width());
            std::vector<float> scores, values, present;
            for (int query = 0; query < words; ++query) {
                for (int at = 0; at < words; ++at) {
                    for (int cell = 0; cell < words * words; ++cell) {
                        scores.push_back(
                            static_cast<float>(exact.score(query, at, cell / words, cell % words)));
                    }
                    for (int channel = 0; channel < channels; ++channel) {
                        values.push_back(static_cast<float>(exact.value(query, at, 0)(channel)));
                    }
                }
            }
            const RowMatrix before = exact.states(identityOrder(words)).hidden;
            for (const double number : before.reshaped<Eigen::RowMajor>()) {
                present.push_back(static_cast<float>(number));
            }
            std::vector<std::int32_t> largest(words, 0);
            const OrdersArguments orders{words,         channels,       isCausal, scores.data(),
                                         values.data(), present.data(), 0,        orderCount(words),
                                         largest.data()};
            runBlocks({blocksFor(orderCount(words), plainThreads)}, plainThreads, BlockOrder::forward,
                      [&] { orderDifferences(orders); });

            std::vector<double> expected(words, 0.0);
            for (std::int64_t rank = 0; rank < orderCount(words); ++rank) {
                const RowMatrix states = exact.states(orderOfRank(words, rank)).hidden;
                for (int token = 0; token < words; ++token) {
                    double& most = expected[static_cast<std::size_t>(token)];
                    most = std::max(most, (states.row(token) - before.row(token)).cwiseAbs().maxCoeff());
                }
            }
            for (std::size_t token = 0; token < words; ++token) {
                const auto ours = double(std::bit_cast<float>(largest[token]));
                QVERIFY(expected[token] > 1e-3);  // the order counts
                QVERIFY(std::abs(ours - expected[token]) < 1e-5);
            }
        }
    }

    void emulatedBlocksMayRunInAnyOrder() {
        const auto problem = rotatedProblem(true);
        const MapRequest request{
            .window = {0, tokens, 0, tokens}, .pixelRows = pixelRows, .pixelColumns = pixelColumns};
        const KernelResult forward = runKernels(*problem, request, BlockOrder::forward);
        for (const BlockOrder order : {BlockOrder::reverse, BlockOrder::shuffled}) {
            QVERIFY(runKernels(*problem, request, order) == forward);
        }
    }
};

}  // namespace phaseladder::gpu

QTEST_GUILESS_MAIN(phaseladder::gpu::EmulatedKernelsTest)
#include "emulated_kernels_test.moc"
