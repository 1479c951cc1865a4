#include <QTest>

#include <cmath>

#include "core/export/figure_text.h"
#include "core/figures/figure_parts.h"
#include "core/figures/map_tiles.h"
#include "core/number_text.h"
#include "core/parameter.h"
#include "tests/core/figure_test_parts.h"
#include "tests/core/painted_backend.h"

namespace phaseladder::test {
namespace {

Scene manyHeads(int heads, std::int64_t tokens) {
    Scene scene;
    scene.heads = heads;
    scene.headDim = 16;
    scene.textLength = tokens;
    return scene;
}

FigureRequest requestOf(const char* id, int pixels) {
    FigureRequest request;
    request.id = id;
    request.pixelRows = request.pixelColumns = pixels;
    return request;
}

Heatmap stackOf(const Figure& figure) {
    return layersOf<Heatmap>(figure.panels.at(0)).at(0);
}

/// Largest difference of two lists, cells without a number and masked ones in the same places.
double largestDifference(const std::vector<double>& left, const std::vector<double>& right) {
    double largest = left.size() == right.size() ? 0.0 : INFINITY;
    for (std::size_t at = 0; at < std::min(left.size(), right.size()); ++at) {
        const bool isSame = left[at] == right[at] || (std::isnan(left[at]) && std::isnan(right[at]));
        largest = isSame ? largest : std::max(largest, std::abs(left[at] - right[at]));
    }
    return largest;
}

std::string refusalOf(std::vector<std::pair<std::string, std::string>> settings) {
    const Result<Scene> scene = applySettings(Scene{}, settings);
    return scene ? std::string() : scene.error().message;
}

/// Texts, masks, values, encodings and orders whose maps are averaged.
std::vector<Scene> averagedScenes() {
    std::vector<Scene> scenes;
    for (const char* encoding : {"rope", "alibi", "learned", "t5"}) {
        for (const ViewValues values : {ViewValues::weights, ViewValues::logits}) {
            for (const std::int64_t tokens : {0, 50}) {
                Scene scene = manyHeads(8, tokens);
                scene.encoding = encoding;
                scene.learned.rows = 40;  // the last ten of fifty tokens have none
                scene.causal = tokens == 0;
                scene.view.values = values;
                scene.order = {2, 0, 1};
                scene.view.by = ViewBy::token;
                scenes.push_back(scene);
            }
        }
    }
    Scene layers = manyHeads(8, 5);
    layers.layers = 2;
    scenes.push_back(layers);
    return scenes;
}

}  // namespace

class HeadsFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void eachMapIsTheAttentionFigureOfItsHead() {
        for (Scene scene : averagedScenes()) {
            const Heatmap stack = stackOf(figureOf(scene, requestOf("heads", 64)));
            const auto side = static_cast<int>(stack.tiles->rows);
            QCOMPARE(tileCount(stack), std::int64_t(8));
            const std::vector<Heatmap> maps = placedMaps(stack);
            for (int head = 0; head < scene.heads; ++head) {
                scene.head = head;
                const Figure own = figureOf(scene, requestOf("attention", side));
                const Heatmap map = stackOf(own);
                QVERIFY(largestDifference(maps.at(static_cast<std::size_t>(head)).values, map.values) == 0.0);
                QCOMPARE(maps.at(static_cast<std::size_t>(head)).states, map.states);
                QCOMPARE(stack.valueTitle, map.valueTitle);
            }
        }
    }

    void allMapsShareOneRangeOfColoursThatHoldsEachOfThem() {
        Scene scene = manyHeads(8, 50);
        const Heatmap stack = stackOf(figureOf(scene, requestOf("heads", 64)));
        for (const Heatmap& map : placedMaps(stack)) {
            QCOMPARE(map.low, stack.low);
            QCOMPARE(map.high, stack.high);
        }
        QVERIFY(std::ranges::max(stack.values) <= stack.high);
    }

    void theMeanOfHeadsIsTheMeanOfTheirMaps() {
        const std::vector<int> heads{1, 4, 6};
        for (Scene scene : averagedScenes()) {
            std::vector<double> mean;
            for (const int head : heads) {
                scene.head = head;
                scene.view.heads.clear();
                const Figure own = figureOf(scene, requestOf("attention", 20));
                mean.resize(own.matrix->values.size(), 0.0);
                for (std::size_t cell = 0; cell < mean.size(); ++cell) {
                    mean[cell] += own.matrix->values[cell] / 3.0;
                }
            }
            scene.head = 0;
            scene.view.heads = {6, 1, 4, 1};  // in any order, each counts once
            const Figure figure = figureOf(scene, requestOf("attention", 20));
            QVERIFY(largestDifference(figure.matrix->values, mean) < 1e-15 * 64.0);
            QCOMPARE(std::get<std::string>(findReadout(figure, "heads")->value),
                     std::string("heads 1, 4, 6"));
            QVERIFY(stackOf(figure).valueTitle.ends_with("mean of heads"));
        }
    }

    /// Not a softmax of weights: that would pull them towards 1/n.
    void rowsOfTheMeanSumToOne() {
        Scene scene = manyHeads(8, 0);
        scene.view.heads = {0, 1, 2, 3, 4, 5, 6, 7};
        const Figure figure = figureOf(scene, requestOf("attention", 3));
        for (std::size_t row = 0; row < 3; ++row) {
            double sum = 0.0;
            for (std::size_t column = 0; column < 3; ++column) {
                sum += figure.matrix->values[3 * row + column];
            }
            QVERIFY(std::abs(sum - 1.0) < 1e-12);
        }
        QVERIFY(readoutNumber(figure, "largest_row_sum_error") < 1e-12);
    }

    void aPartOfALongMapIsAveragedToo() {
        Scene scene = manyHeads(4, 60);
        FigureRequest request = requestOf("attention", 8);
        request.window = CellWindow{20, 44, 10, 34};
        request.pooling = Pooling::max;
        std::vector<double> mean(64, 0.0);
        for (const int head : {0, 3}) {
            scene.head = head;
            const Figure own = figureOf(scene, request);
            for (std::size_t cell = 0; cell < mean.size(); ++cell) {
                mean[cell] += own.matrix->values.at(cell) / 2.0;
            }
        }
        scene.view.heads = {0, 3};
        const Figure figure = figureOf(scene, request);
        QVERIFY(largestDifference(figure.matrix->values, mean) < 1e-15);
        QCOMPARE(stackOf(figure).valueTitle, std::string("mean over heads of the weight, maximum"));
    }

    void aHeadThatIsNotThereIsRefused() {
        const std::string refusal = refusalOf({{"heads", "4"}, {"view.heads", "0,7"}});
        for (const char* part : {"view.heads", "0..3", "7"}) {
            QVERIFY2(refusal.find(part) != refusal.npos, refusal.c_str());
        }
        QVERIFY(!refusalOf({{"heads", "4"}, {"view.heads", "1.5"}}).empty());
        QVERIFY(!refusalOf({{"heads", "4"}, {"view.heads", "-1"}}).empty());
        QVERIFY(refusalOf({{"heads", "4"}, {"view.heads", "0,3"}}).empty());
    }

    void rangesNameManyHeadsAtOnce() {
        const Parameter& row = *findParameter("view.heads");
        const auto parsed = [&](const char* text) {
            const Result<ParameterValue> value = parseValue(row, text);
            return value ? std::get<std::vector<double>>(*value) : std::vector<double>{-1.0};
        };
        QCOMPARE(parsed("0..3"), (std::vector<double>{0, 1, 2, 3}));
        QCOMPARE(parsed("[0..1, 5]"), (std::vector<double>{0, 1, 5}));
        QCOMPARE(parsed(""), std::vector<double>());
        for (const char* text : {"3..0", "0..", "..3", "0...3", "0..3,", "0..1e9", "0.5..3"}) {
            QCOMPARE(parsed(text), std::vector<double>{-1.0});
        }
        QCOMPARE(headsText({0, 1, 2, 3, 7, 9, 10}), std::string("heads 0–3, 7, 9, 10"));
        QCOMPARE(headsText({5}), std::string("head 5"));
    }

    void headsAreChosenAsInAnyList() {
        MapTiles tiles;
        tiles.shown = 2;
        tiles.chosen = {2};
        QCOMPARE(toggledList(tiles, 5), (std::vector<double>{2, 5}));
        QCOMPARE(toggledList(tiles, 2), std::vector<double>());  // one head stays
        QCOMPARE(rangeList(tiles, 0), (std::vector<double>{0, 1, 2}));
        QCOMPARE(rangeList(tiles, 2), std::vector<double>());
        tiles.chosen = {2, 5};
        QCOMPARE(toggledList(tiles, 5), std::vector<double>());  // the shown head alone needs no list
        QCOMPARE(toggledList(tiles, 2), std::vector<double>{5});
        QCOMPARE(toggledList(tiles, 4), (std::vector<double>{2, 4, 5}));
    }

    void everyCellLiesWhereItIsFound() {
        for (const int heads : {1, 3, 8, 32, 128}) {
            Scene scene = manyHeads(heads, 0);
            const Figure figure = figureOf(scene, requestOf("heads", 400));
            const Panel& panel = figure.panels.at(0);
            const Heatmap stack = stackOf(figure);
            const std::vector<Heatmap> maps = placedMaps(stack);
            QCOMPARE(static_cast<int>(maps.size()), heads);
            for (std::size_t tile = 0; tile < maps.size(); ++tile) {
                const Heatmap& map = maps[tile];
                const double right = map.columnStart + map.columnStep * 3.0;
                const double bottom = map.rowStart + map.rowStep * 3.0;
                QVERIFY(map.columnStart > panel.x.minimum && right < panel.x.maximum);
                QVERIFY(map.rowStart > panel.y.minimum && bottom < panel.y.maximum);
                const auto cell = tileCellAt(stack, map.columnStart + 2.5 * map.columnStep,
                                             map.rowStart + 1.5 * map.rowStep);
                QVERIFY(cell && cell->tile == static_cast<std::int64_t>(tile));
                QCOMPARE(std::pair(cell->row, cell->column), (std::pair<std::int64_t, std::int64_t>(1, 2)));
                QVERIFY(!tileCellAt(stack, map.columnStart + 0.5, map.rowStart - 0.01));
            }
        }
    }

    void mapsFillThePaneTheyAreAskedFor() {
        for (const int count : {2, 4, 32, 100, 128}) {
            for (const double width : {200.0, 500.0, 1300.0}) {
                const double height = 400.0, gap = 0.1, label = 0.2;
                const auto side = [&](std::int64_t across) {
                    const auto down = std::ceil(static_cast<double>(count) / static_cast<double>(across));
                    return std::min(width / (static_cast<double>(across) * (1 + gap) + gap),
                                    height / (down * (1 + gap + label) + gap));
                };
                double largest = 0.0;
                for (int across = 1; across <= count; ++across) {
                    largest = std::max(largest, side(across));
                }
                QVERIFY(side(bestAcross(count, width, height, gap, label)) >= 0.85 * largest);
            }
        }
    }

    void aLongTextIsAPreviewThatSaysSo() {
        Scene scene = manyHeads(4, 20000);
        FigureRequest request = requestOf("heads", 200);
        request.effort = Effort::quick;
        Engine engine(makeCpuBackend());
        const Result<Figure> figure = engine.figure(scene, request);
        QVERIFY(figure && figure->isPartial);
        const double rows = readoutNumber(*figure, "sampled_rows");
        QVERIFY(rows >= 16.0 && rows * 20000.0 * scene.headDim * 4.0 <= 1e9);
        QCOMPARE(figure->readouts.front().id, std::string("sampled_rows"));  // never cut off
        QVERIFY(figure->readouts.front().chip.starts_with("preview, "));
    }

    void aSheetOfSampledRowsSaysSoOnThePageToo() {
        PaintedBackend::Log log;
        const Scene scene = manyHeads(4, longTextTokens);
        const Result<Figure> figure = paintedEngine(log)->figure(scene, requestOf("heads", 100));
        QVERIFY(figure && !figure->isPartial);
        const std::string rows = groupedNumber(log.maps.front().sampledRows) + " of 131,072 rows";
        QCOMPARE(findReadout(*figure, "sampled_rows")->chip, "sampled, " + rows);
        QVERIFY(figure->warnings.at(0).starts_with("Each map is made of " + rows));
        QVERIFY(layersOf<Heatmap>(figure->panels.at(0)).at(0).valueTitle.ends_with(", sampled rows"));
    }

    void filesTellTheHeadsApart() {
        const Scene scene = manyHeads(4, 0);
        const Figure figure = figureOf(scene, requestOf("heads", 64));
        const std::string csv = writeCsv(figure);
        QVERIFY(csv.starts_with("head,row,column,value\n0,0,0,"));
        QVERIFY(csv.find("\n3,2,1,") != csv.npos);
        const std::vector<std::uint8_t> npy = writeNpy(figure);
        const std::string head(npy.begin(), npy.begin() + 128);
        QVERIFY2(head.find("'shape': (4, 3, 3)") != head.npos, head.c_str());
        QCOMPARE(npy.size(), std::size_t(128 + 8 * 36));
        QVERIFY(writeJson(figure, scene)
                    .find("\"stack\":{\"of\":\"head\",\"rows\":3,\"across\":2,\"chosen\":[0]}") !=
                std::string::npos);
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::HeadsFigureTest)
#include "heads_figure_test.moc"
