#include <QTest>

#include "core/attention/backend.h"
#include "core/attention/permutations.h"
#include "core/attention/rotate.h"

using phaseladder::AttentionProblem;
using phaseladder::AttentionRequest;
using phaseladder::AttentionResult;
using phaseladder::Backend;
using phaseladder::CellWindow;
using phaseladder::encodings;
using phaseladder::ErrorKind;
using phaseladder::inverseOrder;
using phaseladder::makePlan;
using phaseladder::makeProblem;
using phaseladder::makeReferenceBackend;
using phaseladder::MapRequest;
using phaseladder::Pooling;
using phaseladder::RelativeVectors;
using phaseladder::Result;
using phaseladder::rotateKey;
using phaseladder::rotateQuery;
using phaseladder::RowMatrix;
using phaseladder::Scene;
using phaseladder::sequenceLength;
using phaseladder::shuffledOrder;
using phaseladder::ViewValues;

namespace {

constexpr double tolerance = 1e-12;

using Problem = std::shared_ptr<const AttentionProblem>;

Scene textOf(std::vector<std::string> tokens, const std::string& encoding = "rope") {
    Scene scene;
    scene.tokens = std::move(tokens);
    scene.encoding = encoding;
    return scene;
}

Scene manyWords(int count, const std::string& encoding = "rope") {
    std::vector<std::string> tokens;
    for (int word = 0; word < count; ++word) {
        tokens.push_back("word" + std::to_string(word));
    }
    return textOf(std::move(tokens), encoding);
}

Problem problemOf(const Scene& scene) {
    return makeProblem(scene, makePlan(scene, sequenceLength(scene)).value());
}

AttentionResult run(const Problem& problem, std::optional<MapRequest> map) {
    return makeReferenceBackend()->run({.problem = problem, .map = map, .hiddenStates = true}, {}).value();
}

MapRequest wholeMap(std::int64_t tokens, ViewValues values = ViewValues::weights) {
    return {.window = {0, tokens, 0, tokens}, .pixelRows = tokens, .pixelColumns = tokens, .values = values};
}

RowMatrix mapOf(const Scene& scene, ViewValues values = ViewValues::weights) {
    const std::int64_t tokens = sequenceLength(scene);
    const AttentionResult result = run(problemOf(scene), wholeMap(tokens, values));
    return Eigen::Map<const RowMatrix>(result.map.data(), tokens, tokens);
}

double largestDifference(const RowMatrix& first, const RowMatrix& second) {
    return (first - second).cwiseAbs().maxCoeff();
}

}  // namespace

class AttentionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void rowsSumToOne() {
        for (const auto& encoding : encodings()) {
            for (const bool causal : {false, true}) {
                Scene scene = manyWords(100, encoding.id);
                scene.causal = causal;
                const RowMatrix map = mapOf(scene);
                QVERIFY((map.rowwise().sum().array() - 1.0).abs().maxCoeff() <= tolerance);
                QVERIFY(run(problemOf(scene), std::nullopt).largestRowSumError <= tolerance);
            }
        }
    }

    void causalMaskHidesTheFuture() {
        Scene scene = manyWords(40);
        scene.causal = true;
        const AttentionResult result = run(problemOf(scene), wholeMap(40));
        for (std::size_t row = 0; row < 40; ++row) {
            for (std::size_t column = 0; column < 40; ++column) {
                const std::size_t at = row * 40 + column;
                QCOMPARE(result.masked[at] == 1, column > row);
                QCOMPARE(result.map[at] > 0.0, column <= row);
            }
        }
        QCOMPARE(result.map[0], 1.0);  // the first token sees only itself
    }

    void withoutPositionsReorderingOnlyReordersTheMap() {
        // The issue's own check: order 2,0,1 of "dog bites man".
        Scene scene = textOf({"dog", "bites", "man"}, "none");
        const RowMatrix before = mapOf(scene);
        scene.order = {2, 0, 1};
        const RowMatrix after = mapOf(scene);
        scene.encoding = "rope";
        const RowMatrix rotatedAfter = mapOf(scene);
        scene.order.clear();
        const RowMatrix rotatedBefore = mapOf(scene);
        const std::vector<int> order{2, 0, 1};
        QVERIFY(largestDifference(after, before(order, order)) <= tolerance);
        QVERIFY(largestDifference(rotatedAfter, rotatedBefore(order, order)) > 1e-3);
    }

    void fullShuffleKeepsHiddenStatesWithoutPositions() {
        for (const auto& encoding : encodings()) {
            Scene scene = manyWords(30, encoding.id);
            const RowMatrix before = run(problemOf(scene), std::nullopt).hiddenStates;
            scene.order = shuffledOrder(30, 7);
            const RowMatrix after = run(problemOf(scene), std::nullopt).hiddenStates;
            const double difference = largestDifference(after(inverseOrder(scene.order), Eigen::all), before);
            QVERIFY2((difference <= tolerance) == (encoding.id == "none"), encoding.id.c_str());
        }
    }

    void causalMaskAloneTellsOrdersApart() {
        Scene scene = textOf({"dog", "bites", "man"}, "none");
        scene.causal = true;
        const RowMatrix before = run(problemOf(scene), std::nullopt).hiddenStates;
        scene.order = {1, 0, 2};
        const RowMatrix after = run(problemOf(scene), std::nullopt).hiddenStates;
        QVERIFY((after.row(2) - before.row(2)).cwiseAbs().maxCoeff() <=
                tolerance);  // the last sees the same set
        QVERIFY((after.row(1) - before.row(0)).cwiseAbs().maxCoeff() > 1e-3);
    }

    void ropeLogitsOfOneWordDependOnTheDistanceOnly() {
        Scene scene = textOf({"the"});
        scene.textLength = 50;
        const RowMatrix logits = mapOf(scene, ViewValues::logits);
        for (Eigen::Index row = 1; row < 50; ++row) {
            for (Eigen::Index column = 1; column < 50; ++column) {
                QVERIFY(std::abs(logits(row, column) - logits(row - 1, column - 1)) <= tolerance);
            }
        }
        scene.encoding = "sinusoidal";
        const RowMatrix absolute = mapOf(scene, ViewValues::logits);
        QVERIFY(std::abs(absolute(1, 1) - absolute(0, 0)) > 1e-6);
    }

    void sameWordGetsTheSameVectors() {
        const Problem problem = problemOf(textOf({"the", "dog", "the", "man"}, "none"));
        QVERIFY(problem->queries.matrix().row(0) == problem->queries.matrix().row(2));
        QVERIFY(problem->values.matrix().row(0) == problem->values.matrix().row(2));
        QVERIFY(problem->keys.matrix().row(0) != problem->keys.matrix().row(1));
        const Problem alone = problemOf(textOf({"man"}, "none"));
        QVERIFY(largestDifference(alone->keys.matrix(), problem->keys.matrix().row(3)) <= tolerance);
    }

    void seedAndHeadChooseTheContent() {
        Scene scene = textOf({"dog", "bites", "man"});
        scene.heads = 2;
        const Problem first = problemOf(scene);
        QVERIFY(first->queries.matrix() == problemOf(scene)->queries.matrix());
        QVERIFY(first->queries.matrix() != first->keys.matrix());
        scene.head = 1;
        QVERIFY(first->queries.matrix() != problemOf(scene)->queries.matrix());
        scene.head = 0;
        scene.seed = 2;
        QVERIFY(first->queries.matrix() != problemOf(scene)->queries.matrix());
    }

    void logitsHaveTheSpreadOfAFreshModel() {
        const RowMatrix logits = mapOf(manyWords(120, "none"), ViewValues::logits);
        const double variance = logits.array().square().mean();
        QVERIFY(variance > 0.5 && variance < 2.0);
    }

    void meanTimesCellsSumsToOneAlongARow() {
        Scene scene = manyWords(100);
        for (const bool causal : {false, true}) {
            scene.causal = causal;
            const MapRequest request{.window = {0, 100, 0, 100}, .pixelRows = 7, .pixelColumns = 13};
            const AttentionResult result = run(problemOf(scene), request);
            for (std::int64_t row = 0; row < 7; ++row) {
                double sum = 0.0;
                for (std::int64_t column = 0; column < 13; ++column) {
                    const std::int64_t cells = (column + 1) * 100 / 13 - column * 100 / 13;
                    sum +=
                        result.map[static_cast<std::size_t>(row * 13 + column)] * static_cast<double>(cells);
                }
                QVERIFY(std::abs(sum - 1.0) <= tolerance);
            }
        }
    }

    void poolingIsMeanOrMaxOfTheCellsThatCanBeSeen() {
        Scene scene = manyWords(90);
        scene.causal = true;
        const CellWindow window{13, 83, 20, 61};
        for (const auto values : {ViewValues::weights, ViewValues::logits}) {
            const RowMatrix cells = mapOf(scene, values);
            for (const auto pooling : {Pooling::mean, Pooling::max}) {
                const MapRequest request{.window = window,
                                         .pixelRows = 11,
                                         .pixelColumns = 9,
                                         .pooling = pooling,
                                         .values = values};
                const AttentionResult result = run(problemOf(scene), request);
                for (std::int64_t row = 0; row < 11; ++row) {
                    for (std::int64_t column = 0; column < 9; ++column) {
                        double sum = 0.0, largest = -1e300;
                        int visible = 0, all = 0;
                        for (std::int64_t i = 13 + row * 70 / 11; i < 13 + (row + 1) * 70 / 11; ++i) {
                            for (std::int64_t j = 20 + column * 41 / 9; j < 20 + (column + 1) * 41 / 9;
                                 ++j, ++all) {
                                if (j <= i) {
                                    sum += cells(i, j);
                                    largest = std::max(largest, cells(i, j));
                                    ++visible;
                                }
                            }
                        }
                        const auto at = static_cast<std::size_t>(row * 9 + column);
                        const double mean =
                            sum / (values == ViewValues::weights ? all : std::max(visible, 1));
                        const double expected = visible == 0               ? 0.0
                                                : pooling == Pooling::mean ? mean
                                                                           : largest;
                        QCOMPARE(result.masked[at] == 1, visible == 0);
                        QVERIFY(std::abs(result.map[at] - expected) <= tolerance);
                    }
                }
            }
        }
    }

    void windowIsAPartOfTheWholeMap() {
        const Scene scene = manyWords(60);
        const RowMatrix whole = mapOf(scene);
        const MapRequest request{.window = {10, 30, 40, 45}, .pixelRows = 20, .pixelColumns = 5};
        const auto result = makeReferenceBackend()->run({.problem = problemOf(scene), .map = request}, {});
        QVERIFY(result.has_value());
        const Eigen::Map<const RowMatrix> window(result->map.data(), 20, 5);
        QVERIFY(largestDifference(window, whole.block(10, 40, 20, 5)) <= tolerance);
        QCOMPARE(result->hiddenStates.size(), Eigen::Index{0});
    }

    void queriesOfAPartSeeWhatTheWholeTextShowsThem() {
        // Rows 40 .. 59 and keys 10 .. 64 of a text, where they stand: its logits, cut out.
        for (const char* encoding : {"rope", "alibi", "shaw", "transformer_xl", "xpos"}) {
            Scene scene = manyWords(65, encoding);
            scene.causal = true;
            const Problem whole = problemOf(scene);
            auto part = std::make_shared<AttentionProblem>(*whole);
            part->queries = RowMatrix(whole->queries.matrix().middleRows(40, 20));
            part->keys = RowMatrix(whole->keys.matrix().middleRows(10, 55));
            part->queryStart = 40;
            part->keyStart = 10;
            const MapRequest all{
                .window = {0, 20, 0, 55}, .pixelRows = 20, .pixelColumns = 55, .values = ViewValues::logits};
            const AttentionResult result = run(part, all);
            const Eigen::Map<const RowMatrix> logits(result.map.data(), 20, 55);
            QVERIFY(largestDifference(logits, mapOf(scene, ViewValues::logits).block(40, 10, 20, 55)) <=
                    tolerance);
        }
    }

    void rowsOfPixelsAreThoseOfTheWholeMap() {
        Scene scene = manyWords(65);
        scene.causal = true;
        MapRequest request{.window = {3, 62, 0, 65}, .pixelRows = 13, .pixelColumns = 17};
        const AttentionResult whole = run(problemOf(scene), request);
        QCOMPARE(whole.computedRows, std::int64_t{59});
        request.firstPixelRow = 4;
        request.endPixelRow = 9;
        const AttentionResult part = run(problemOf(scene), request);
        QCOMPARE(part.pixelRows, std::int64_t{5});
        QVERIFY(std::equal(part.map.begin(), part.map.end(), whole.map.begin() + 4 * 17));
        QVERIFY(std::equal(part.masked.begin(), part.masked.end(), whole.masked.begin() + 4 * 17));
    }

    void previewIsMadeOfEvenlySpreadRows() {
        const Scene scene = manyWords(64);
        const RowMatrix whole = mapOf(scene);
        const MapRequest request{
            .window = {0, 64, 0, 64}, .pixelRows = 8, .pixelColumns = 64, .sampledRows = 4};
        const AttentionResult result = run(problemOf(scene), request);
        QCOMPARE(result.computedRows, std::int64_t{4});
        // Samples 8, 24, 40, 56 fall into rows of pixels 1, 3, 5, 7; the others show their neighbour's.
        const Eigen::Map<const RowMatrix> preview(result.map.data(), 8, 64);
        for (Eigen::Index sample = 0; sample < 4; ++sample) {
            QVERIFY(largestDifference(preview.row(2 * sample + 1), whole.row(16 * sample + 8)) <= tolerance);
        }
        QVERIFY(preview.row(0) == preview.row(1));
    }

    void hugeLogitsStayFinite() {
        auto problem = std::make_shared<AttentionProblem>();
        problem->queries = RowMatrix(RowMatrix::Random(20, 8) * 1e4);
        problem->keys = RowMatrix(RowMatrix::Random(20, 8) * 1e4);
        problem->values = RowMatrix(RowMatrix::Random(20, 8));
        const AttentionResult result = run(problem, wholeMap(20));
        QVERIFY(result.hiddenStates.allFinite());
        QVERIFY(result.largestRowSumError <= tolerance);
    }

    void sameRequestGivesTheSameBits() {
        Scene scene = manyWords(65);
        scene.causal = true;
        const AttentionResult first = run(problemOf(scene), wholeMap(65));
        const AttentionResult second = run(problemOf(scene), wholeMap(65));
        QVERIFY(first.map == second.map && first.hiddenStates == second.hiddenStates);
    }

    void stopIsHeard() {
        std::stop_source source;
        source.request_stop();
        const AttentionRequest request{.problem = problemOf(manyWords(10)), .map = {}, .hiddenStates = true};
        const auto result = makeReferenceBackend()->run(request, source.get_token());
        QVERIFY(!result && result.error().kind == ErrorKind::cancelled);
    }

    void edgesOfLengthAreDefined() {
        const auto nothing =
            makeReferenceBackend()->run({.problem = problemOf(textOf({})), .hiddenStates = true}, {});
        QVERIFY(nothing && nothing->map.empty());

        const AttentionResult one = run(problemOf(textOf({"alone"})), wholeMap(1));
        QVERIFY(one.map == std::vector<double>{1.0});

        Scene unknown = textOf({"a"}, "spiral");
        QVERIFY(!makePlan(unknown, 1));
    }

    void windowOutsideTheMapIsRefused() {
        const Problem problem = problemOf(manyWords(5));
        const auto refuses = [&](CellWindow window, std::int64_t rows, std::int64_t columns) {
            const MapRequest map{.window = window, .pixelRows = rows, .pixelColumns = columns};
            return !makeReferenceBackend()->run({.problem = problem, .map = map}, {}).has_value();
        };
        QVERIFY(refuses({0, 6, 0, 5}, 5, 5));
        QVERIFY(refuses({-1, 5, 0, 5}, 5, 5));
        QVERIFY(refuses({3, 3, 0, 5}, 1, 5));
        QVERIFY(refuses({0, 5, 0, 5}, 0, 5));
        QVERIFY(refuses({0, 5, 0, 5}, 5, 6));
    }
};

QTEST_GUILESS_MAIN(AttentionTest)
#include "attention_test.moc"
