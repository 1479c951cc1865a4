#include <QTest>

#include <algorithm>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "core/attention/backends.h"
#include "core/attention/progressive_map.h"
#include "core/index.h"
#include "tests/core/word_scene.h"

namespace phaseladder::test {
namespace {

constexpr int tokens = 96;
constexpr std::int64_t width = 16;

/// Costs of the whole map below: 80 rows × 96 keys × 16.
constexpr double wholeCost = 80.0 * tokens * width;

std::shared_ptr<const AttentionProblem> problemOf(bool causal) {
    Scene scene;
    scene.tokens = numberedWords(tokens);
    scene.headDim = static_cast<int>(width);
    scene.causal = causal;
    return makeProblem(scene, makePlan(scene, tokens).value());
}

AttentionRequest requestOf(bool causal, Pooling pooling) {
    return {problemOf(causal), MapRequest{{7, 87, 3, 90}, 23, 19, pooling, ViewValues::weights}, false};
}

MapBudget smallBudget() {
    return {.quick = wholeCost / 4.0, .block = wholeCost / 8.0, .more = std::chrono::milliseconds(0)};
}

/// Notes what it is asked for, and how far a progress has come by then.
class WatchedBackend final : public Backend {
public:
    explicit WatchedBackend(std::unique_ptr<Backend> inner, const Progress* progress = nullptr)
        : m_inner(std::move(inner)), m_progress(progress) {}

    BackendInfo info() const override { return m_inner->info(); }
    Result<AttentionResult> run(const AttentionRequest& request, std::stop_token stop) override {
        requests.push_back(*request.map);
        if (m_progress != nullptr) {
            shares.push_back(m_progress->share());
        }
        return m_inner->run(request, std::move(stop));
    }

    std::vector<MapRequest> requests;
    std::vector<double> shares;  ///< one for each request

private:
    std::unique_ptr<Backend> m_inner;
    const Progress* m_progress;
};

bool isSame(const AttentionResult& a, const AttentionResult& b) {
    return a.pixelRows == b.pixelRows && a.pixelColumns == b.pixelColumns && a.map == b.map &&
           a.masked == b.masked && a.definedTokens == b.definedTokens;
}

/// Bit for bit where a backend's rows do not depend on their neighbours; the products of the reference are
/// summed in another order in a block of another size.
bool isWholeOf(const AttentionResult& grown, const AttentionResult& whole, const Backend& backend) {
    if (!backend.info().isDouble) {
        return isSame(grown, whole);
    }
    const double most = *std::ranges::max_element(whole.map);
    for (std::size_t at = 0; at < whole.map.size(); ++at) {
        if (std::abs(grown.map[at] - whole.map[at]) > 1e-14 * most) {
            return false;
        }
    }
    return grown.masked == whole.masked && grown.definedTokens == whole.definedTokens;
}

}  // namespace

class ProgressiveMapTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void blocksComeInTheOrderOfVanDerCorput() {
        QCOMPARE(vanDerCorputOrder(8), (std::vector<std::int64_t>{0, 4, 2, 6, 1, 5, 3, 7}));
        QCOMPARE(vanDerCorputOrder(5), (std::vector<std::int64_t>{0, 4, 2, 1, 3}));
        QCOMPARE(vanDerCorputOrder(1), (std::vector<std::int64_t>{0}));
        QVERIFY(vanDerCorputOrder(0).empty());
        for (std::int64_t count = 1; count < 200; ++count) {
            std::vector<std::int64_t> order = vanDerCorputOrder(count);
            std::ranges::sort(order);
            std::vector<std::int64_t> all(index(count));
            std::iota(all.begin(), all.end(), std::int64_t{0});
            QCOMPARE(order, all);
        }
    }

    void aQuickMapIsExactAtOnce() {
        const auto backend = makeReferenceBackend();
        const AttentionRequest request = requestOf(false, Pooling::mean);
        MapBudget budget = smallBudget();
        budget.quick = wholeCost;
        ProgressiveMap map(request, budget, 80);
        QVERIFY(map.advance(Effort::quick, *backend, nullptr, {}).has_value());
        QVERIFY(map.isWhole());
        QCOMPARE(map.result().computedRows, std::int64_t(80));
        QVERIFY(isSame(map.result(), backend->run(request, {}).value()));
    }

    void rowsWhoseSumsAreKnownCostTheWindowOnly() {
        WatchedBackend backend(makeReferenceBackend());
        AttentionRequest request = requestOf(false, Pooling::mean);
        request.map->window = {7, 87, 3, 13};
        request.map->pixelColumns = 10;
        MapBudget budget = smallBudget();
        budget.quick = 80.0 * 10.0 * width;  // a tenth of what cold rows cost
        ProgressiveMap cold(request, budget, 80);
        QVERIFY(cold.advance(Effort::quick, backend, nullptr, {}).has_value());
        QVERIFY(!cold.isWhole());
        ProgressiveMap warm(request, budget, 0);
        QVERIFY(warm.advance(Effort::quick, backend, nullptr, {}).has_value());
        QVERIFY(warm.isWhole());
    }

    void aSlowMapBeginsWithAPreviewOfSoManyRows() {
        WatchedBackend backend(makeReferenceBackend());
        const AttentionRequest request = requestOf(false, Pooling::mean);
        ProgressiveMap map(request, smallBudget(), 80);
        QVERIFY(map.advance(Effort::quick, backend, nullptr, {}).has_value());
        QVERIFY(!map.isWhole());
        QCOMPARE(map.result().computedRows, std::int64_t(20));  // a quarter of the cost
        QCOMPARE(backend.requests.size(), std::size_t(1));
        QCOMPARE(backend.requests[0].sampledRows, std::int64_t(20));
        // Asked again it costs nothing.
        QVERIFY(map.advance(Effort::quick, backend, nullptr, {}).has_value());
        QCOMPARE(backend.requests.size(), std::size_t(1));
    }

    void eachBlockIsExactAndTheRestStaysThePreview() {
        for (const bool causal : {false, true}) {
            for (const Pooling pooling : {Pooling::mean, Pooling::max}) {
                for (const bool isCpu : {false, true}) {
                    WatchedBackend backend(isCpu ? makeCpuBackend() : makeReferenceBackend());
                    const AttentionRequest request = requestOf(causal, pooling);
                    const AttentionResult whole = backend.run(request, {}).value();
                    ProgressiveMap map(request, smallBudget(), 80);
                    QVERIFY(map.advance(Effort::quick, backend, nullptr, {}).has_value());
                    AttentionResult expected = map.result();
                    std::int64_t rowsBefore = map.result().computedRows;
                    while (!map.isWhole()) {
                        QVERIFY(map.advance(Effort::more, backend, nullptr, {}).has_value());
                        const MapRequest& block = backend.requests.back();
                        const std::int64_t begin = block.firstPixelRow * 19, end = block.endPixelRow * 19;
                        std::copy(whole.map.begin() + begin, whole.map.begin() + end,
                                  expected.map.begin() + begin);
                        std::copy(whole.masked.begin() + begin, whole.masked.begin() + end,
                                  expected.masked.begin() + begin);
                        for (std::size_t at = 0; at < expected.map.size(); ++at) {
                            QVERIFY(std::abs(map.result().map[at] - expected.map[at]) <= 1e-6);
                        }
                        QCOMPARE(map.result().masked, expected.masked);
                        QVERIFY(map.result().computedRows > rowsBefore);
                        rowsBefore = map.result().computedRows;
                    }
                    QVERIFY(isWholeOf(map.result(), whole, backend));
                    QCOMPARE(map.result().computedRows, std::int64_t(80));
                    QVERIFY(map.result().largestRowSumError < 1e-5);
                }
            }
        }
    }

    void aStoppedMapGoesOnWhereItStood() {
        WatchedBackend backend(makeReferenceBackend());
        const AttentionRequest request = requestOf(true, Pooling::mean);
        ProgressiveMap map(request, smallBudget(), 80);
        QVERIFY(map.advance(Effort::quick, backend, nullptr, {}).has_value());
        QVERIFY(map.advance(Effort::more, backend, nullptr, {}).has_value());
        const AttentionResult before = map.result();
        std::stop_source source;
        source.request_stop();
        const std::size_t runs = backend.requests.size();
        const Result<void> stopped = map.advance(Effort::more, backend, nullptr, source.get_token());
        QVERIFY(!stopped.has_value());
        QCOMPARE(stopped.error().kind, ErrorKind::cancelled);
        QVERIFY(isSame(map.result(), before) && map.result().computedRows == before.computedRows);
        QVERIFY(map.advance(Effort::whole, backend, nullptr, {}).has_value());
        QVERIFY(map.isWhole());
        std::int64_t pixelRows = 0;
        for (std::size_t run = 1; run < backend.requests.size(); ++run) {
            pixelRows += backend.requests[run].endPixelRow - backend.requests[run].firstPixelRow;
        }
        QVERIFY(backend.requests.size() > runs);
        QCOMPARE(pixelRows, std::int64_t(23));  // none was asked for twice
        QVERIFY(isWholeOf(map.result(), backend.run(request, {}).value(), backend));
    }

    void aMapThatIsAskedToGrowBeforeItHasAPictureBeginsWithAPreview() {
        WatchedBackend backend(makeReferenceBackend());
        ProgressiveMap map(requestOf(false, Pooling::mean), smallBudget(), 80);
        QVERIFY(map.advance(Effort::more, backend, nullptr, {}).has_value());
        QVERIFY(backend.requests.front().sampledRows > 0);
        QVERIFY(std::ranges::find(map.result().masked, 1) == map.result().masked.end());
    }

    void aStoppedPreviewLeavesNothing() {
        const auto backend = makeReferenceBackend();
        std::stop_source source;
        source.request_stop();
        ProgressiveMap map(requestOf(false, Pooling::mean), smallBudget(), 80);
        QVERIFY(!map.advance(Effort::quick, *backend, nullptr, source.get_token()).has_value());
        QVERIFY(!map.hasPicture());
    }

    void itTellsItsProgress() {
        Progress progress;
        WatchedBackend backend(makeReferenceBackend(), &progress);
        ProgressiveMap map(requestOf(false, Pooling::mean), smallBudget(), 80);
        QVERIFY(map.advance(Effort::quick, backend, &progress, {}).has_value());
        QVERIFY(backend.shares == std::vector<double>{-1.0});  // a first picture is there at once
        for (const Effort effort : {Effort::more, Effort::more, Effort::whole}) {
            QVERIFY(map.advance(effort, backend, &progress, {}).has_value());
            QVERIFY(progress.share() < 0.0);  // between two portions nothing is being done
        }
        QVERIFY(map.isWhole());
        QVERIFY(!std::string(progress.what()).empty());
        // Each block began where the ones before it, of all portions, had ended.
        std::int64_t rows = 0;
        for (std::size_t run = 1; run < backend.requests.size(); ++run) {
            QCOMPARE(backend.shares.at(run), static_cast<double>(rows) / 80.0);
            const auto firstRow = [](std::int64_t pixelRow) { return pixelRow * 80 / 23; };
            rows +=
                firstRow(backend.requests[run].endPixelRow) - firstRow(backend.requests[run].firstPixelRow);
        }
        QCOMPARE(rows, std::int64_t(80));
        QVERIFY(backend.requests.size() > 5);
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::ProgressiveMapTest)
#include "progressive_map_test.moc"
