#include <QRegularExpression>
#include <QTest>

#include <cmath>
#include <limits>

#include "core/figures/figure_parts.h"
#include "core/memory.h"
#include "core/threads.h"
#include "tests/core/figure_test_parts.h"
#include "tests/core/painted_backend.h"
#include "tests/core/word_scene.h"

namespace phaseladder::test {
namespace {

Scene wordScene(const std::string& encoding, bool causal, std::vector<int> order = {}) {
    Scene scene;
    scene.encoding = encoding;
    scene.causal = causal;
    scene.order = std::move(order);
    return scene;
}

Scene longScene(std::int64_t tokens) {
    Scene scene;
    scene.tokens = numberedWords(tokens);
    return scene;
}

FigureRequest attentionAt(int rows, int columns) {
    FigureRequest request;
    request.id = "attention";
    request.pixelRows = rows;
    request.pixelColumns = columns;
    return request;
}

double cell(const Matrix& matrix, std::int64_t row, std::int64_t column) {
    return matrix.values[static_cast<std::size_t>(row * matrix.columns + column)];
}

/// Largest difference of A[i][j] and B[order[i]][order[j]].
double permutedDifference(const Matrix& permuted, const Matrix& original, const std::vector<int>& order) {
    double largest = 0.0;
    for (std::size_t row = 0; row < order.size(); ++row) {
        for (std::size_t column = 0; column < order.size(); ++column) {
            largest = std::max(largest, std::abs(cell(permuted, static_cast<std::int64_t>(row),
                                                      static_cast<std::int64_t>(column)) -
                                                 cell(original, order[row], order[column])));
        }
    }
    return largest;
}

std::string refusal(const Scene& scene, const FigureRequest& request) {
    Engine engine;
    const Result<Figure> figure = engine.figure(scene, request);
    return figure ? std::string() : figure.error().message;
}

bool hasNote(const Figure& figure, const std::string& part) {
    return std::ranges::any_of(figure.notes,
                               [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

class AttentionFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anotherOrderOnlyPermutesTheMapWithoutPositions() {
        const std::vector<int> order{2, 0, 1};
        const Matrix original = *figureOf(wordScene("none", false), "attention").matrix;
        const Matrix permuted = *figureOf(wordScene("none", false, order), "attention").matrix;
        QCOMPARE(original.rows, 3);
        QCOMPARE(original.columns, 3);
        QVERIFY(permutedDifference(permuted, original, order) < 1e-12);
    }

    void anotherOrderChangesTheMapUnderRope() {
        const std::vector<int> order{2, 0, 1};
        const Matrix original = *figureOf(wordScene("rope", false), "attention").matrix;
        const Matrix permuted = *figureOf(wordScene("rope", false, order), "attention").matrix;
        QVERIFY(permutedDifference(permuted, original, order) > 1e-3);
    }

    void byTokenIsTheMapWithPermutedRowsAndColumns() {
        for (const char* encoding : {"none", "sinusoidal", "rope"}) {
            const std::vector<int> order{2, 0, 1};
            Scene scene = wordScene(encoding, false, order);
            const Matrix byPosition = *figureOf(scene, "attention").matrix;
            scene.view.by = ViewBy::token;
            const Figure figure = figureOf(scene, "attention");
            QCOMPARE(permutedDifference(byPosition, *figure.matrix, order), 0.0);
            QCOMPARE(figure.panels.at(0).x.labels, tokenLabels(scene));
        }
    }

    void byTokenCutsItsWindowAfterReordering() {
        Scene scene = wordScene("rope", true, {2, 0, 1});
        scene.view.by = ViewBy::token;
        const Matrix whole = *figureOf(scene, "attention").matrix;
        FigureRequest request = attentionAt(1024, 1024);
        request.window = CellWindow{1, 3, 0, 2};
        const Matrix part = *figureOf(scene, request).matrix;
        QCOMPARE(part.rows, 2);
        QCOMPARE(part.columns, 2);
        QCOMPARE(cell(part, 0, 0), cell(whole, 1, 0));
        QCOMPARE(cell(part, 1, 1), cell(whole, 2, 1));
    }

    void labelsFollowTheOrder() {
        const Figure figure = figureOf(wordScene("rope", false, {2, 0, 1}), "attention");
        const std::vector<std::string> expected{"man", "dog", "bites"};
        QCOMPARE(figure.panels.at(0).x.labels, expected);
        QCOMPARE(figure.panels.at(0).y.labels, expected);
        QCOMPARE(figure.panels.at(0).x.meaning, AxisMeaning::keyToken);
        QCOMPARE(figure.panels.at(0).y.meaning, AxisMeaning::queryToken);
        QVERIFY(figure.panels.at(0).y.reversed);
        QVERIFY(layersOf<Heatmap>(figure.panels.at(0)).at(0).writeValues);
    }

    void withoutPositionsTheModelIsOrderBlind() {
        const Figure figure = figureOf(wordScene("none", false, {2, 0, 1}), "attention");
        QCOMPARE(std::get<std::string>(findReadout(figure, "order_verdict")->value),
                 std::string("order-blind"));
        QVERIFY(findReadout(figure, "order_difference")->chip.starts_with("order-blind · |Δh| "));
    }

    void positionsOrAMaskMakeItOrderAware() {
        for (const Scene& scene : {wordScene("rope", false), wordScene("sinusoidal", false),
                                   wordScene("none", true), wordScene("rope", true, {1, 0, 2})}) {
            const Figure figure = figureOf(scene, "attention");
            QCOMPARE(std::get<std::string>(findReadout(figure, "order_verdict")->value),
                     std::string("order-aware"));
            QVERIFY(readoutNumber(figure, "order_difference") >
                    *findReadout(figure, "order_difference")->tolerance);
        }
    }

    void theOtherOrderIsNamed() {
        QVERIFY(findReadout(figureOf(wordScene("rope", false), "attention"), "order_difference")
                    ->label.find("rotated") != std::string::npos);
        QVERIFY(findReadout(figureOf(wordScene("rope", false, {1, 0, 2}), "attention"), "order_difference")
                    ->label.find("original") != std::string::npos);
    }

    void ordersOfDifferentTokensAreNotCompared() {
        Scene scene = wordScene("rope", false);
        scene.textLength = 7;
        const Figure figure = figureOf(scene, "attention");
        QVERIFY(findReadout(figure, "order_difference") == nullptr);
        QVERIFY(hasNote(figure, "multiple of the token count"));
    }

    void repeatedTokensAreComparedOneByOne() {
        Scene scene = wordScene("none", false, {2, 1, 0});
        scene.textLength = 12;
        const Figure figure = figureOf(scene, "attention");
        QCOMPARE(std::get<std::string>(findReadout(figure, "order_verdict")->value),
                 std::string("order-blind"));
    }

    void rowsSumToOneAfterPooling() {
        for (const bool causal : {false, true}) {
            Scene scene = longScene(50);
            scene.causal = causal;
            const Figure figure = figureOf(scene, attentionAt(50, 7));
            QVERIFY(readoutNumber(figure, "largest_row_sum_error") < 1e-5);
            QCOMPARE(findReadout(figure, "largest_row_sum_error")->chip, std::string("rows sum to 1"));
            // The mean of a pixel times its number of cells, summed over a row, is 1.
            const Matrix& map = *figure.matrix;
            QCOMPARE(map.rows, 50);
            QCOMPARE(map.columns, 7);
            for (std::int64_t row = 0; row < 50; ++row) {
                double sum = 0.0;
                for (std::int64_t column = 0; column < 7; ++column) {
                    sum +=
                        cell(map, row, column) * static_cast<double>((column + 1) * 50 / 7 - column * 50 / 7);
                }
                QVERIFY(std::abs(sum - 1.0) < 1e-5);
            }
        }
    }

    void aMapIsPooledNeverEnlarged() {
        const Figure figure = figureOf(wordScene("rope", false), attentionAt(1024, 1024));
        QCOMPARE(figure.matrix->rows, 3);
        const Figure pooled = figureOf(longScene(40), attentionAt(8, 10));
        QCOMPARE(pooled.matrix->rows, 8);
        QCOMPARE(pooled.matrix->columns, 10);
        const Heatmap map = layersOf<Heatmap>(pooled.panels.at(0)).at(0);
        QCOMPARE(map.rowStep, 5.0);
        QCOMPARE(map.columnStep, 4.0);
        QVERIFY(pooled.panels.at(0).x.labels.empty());
        QVERIFY(hasNote(pooled, "pooled to 8 × 10"));
    }

    void aPooledMapSaysThatItCannotBeByToken() {
        Scene scene = longScene(40);
        scene.view.by = ViewBy::token;
        QVERIFY(hasNote(figureOf(scene, attentionAt(8, 8)), "Shown by position"));
    }

    void aWindowIsAPartOfTheWholeMap() {
        const Scene scene = longScene(40);
        const Matrix whole = *figureOf(scene, "attention").matrix;
        FigureRequest request = attentionAt(1024, 1024);
        request.window = CellWindow{10, 20, 30, 35};
        const Figure figure = figureOf(scene, request);
        QCOMPARE(figure.matrix->rows, 10);
        QCOMPARE(figure.matrix->columns, 5);
        for (std::int64_t row = 0; row < 10; ++row) {
            for (std::int64_t column = 0; column < 5; ++column) {
                QVERIFY(std::abs(cell(*figure.matrix, row, column) - cell(whole, 10 + row, 30 + column)) <
                        1e-15);
            }
        }
        QCOMPARE(figure.panels.at(0).y.minimum, 9.5);
        QCOMPARE(figure.panels.at(0).x.maximum, 34.5);
    }

    void aWindowOutsideTheMapIsRefused() {
        FigureRequest request = attentionAt(1024, 1024);
        request.window = CellWindow{0, 4, 0, 3};
        QCOMPARE(refusal(wordScene("rope", false), request),
                 std::string("The window 0:4,0:3 is not inside the map; rows and columns are 0:3."));
    }

    void maskedCellsAreMarkedAndHaveNoWeight() {
        const Figure figure = figureOf(wordScene("rope", true), "attention");
        const Heatmap map = layersOf<Heatmap>(figure.panels.at(0)).at(0);
        QCOMPARE(map.states[1], CellState::masked);
        QCOMPARE(map.states[3], CellState::shown);
        QCOMPARE(cell(*figure.matrix, 0, 0), 1.0);
        QCOMPARE(cell(*figure.matrix, 0, 2), 0.0);
        QVERIFY(hasNote(figure, "Row 0 is always 1"));
    }

    void maskedLogitsAreMinusInfinity() {
        Scene scene = wordScene("rope", true);
        scene.view.values = ViewValues::logits;
        const Matrix logits = *figureOf(scene, "attention").matrix;
        QCOMPARE(cell(logits, 0, 1), -std::numeric_limits<double>::infinity());
        QVERIFY(std::isfinite(cell(logits, 1, 1)));
    }

    void weightsAreTheSoftmaxOfTheLogits() {
        Scene scene = wordScene("rope", false);
        const Matrix weights = *figureOf(scene, "attention").matrix;
        scene.view.values = ViewValues::logits;
        const Matrix logits = *figureOf(scene, "attention").matrix;
        for (std::int64_t row = 0; row < 3; ++row) {
            double sum = 0.0;
            for (std::int64_t column = 0; column < 3; ++column) {
                sum += std::exp(cell(logits, row, column));
            }
            for (std::int64_t column = 0; column < 3; ++column) {
                QVERIFY(std::abs(cell(weights, row, column) - std::exp(cell(logits, row, column)) / sum) <
                        1e-12);
            }
        }
    }

    void noTokensIsAnEmptyState() {
        Scene scene;
        scene.tokens.clear();
        const Figure figure = figureOf(scene, "attention");
        QCOMPARE(figure.emptyState, std::string("Type words or drop a text file here."));
        QVERIFY(figure.panels.empty());
    }

    void oneTokenIsAOneByOneMapAndHasOneOrder() {
        Scene scene;
        scene.tokens = {"dog"};
        const Figure figure = figureOf(scene, "attention");
        QCOMPARE(figure.matrix->rows, 1);
        QCOMPARE(figure.matrix->values.front(), 1.0);
        QVERIFY(hasNote(figure, "One token has one order"));
        QVERIFY(findReadout(figure, "order_difference") == nullptr);
    }

    void tooManyTokensAreRefusedWithTheLimit() {
        Scene scene;
        scene.textLength = (1 << 20) + 1;
        QCOMPARE(refusal(scene, attentionAt(1024, 1024)),
                 std::string("text.length 1048577 is above 1 048 576, the limit of attention maps."));
    }

    void moreThanHalfOfTheFreeMemoryIsRefusedWithThreeNumbers() {
        constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
        QVERIFY(checkFigureMemory(0.25 * gibibyte, 3072.0, "n").has_value());
        QVERIFY(checkFigureMemory(0.4 * availableMemoryBytes(), 3072.0, "n").has_value());
        const Result<void> refused = checkFigureMemory(1e6 * gibibyte, gibibyte, "n");
        QVERIFY(!refused.has_value());
        const QRegularExpression form(QStringLiteral(
            "^Needs 1000000\\.0 GiB, (\\d+\\.\\d) GiB allowed; largest n that fits is ([\\d,]+)\\.$"));
        const QRegularExpressionMatch numbers = form.match(QString::fromStdString(refused.error().message));
        QVERIFY2(numbers.hasMatch(), refused.error().message.c_str());
        const double allowed = numbers.captured(1).toDouble();
        QVERIFY(allowed <= 0.55 * availableMemoryBytes() / gibibyte || allowed <= 0.5);
        QVERIFY(std::abs(numbers.captured(2).remove(QLatin1Char(',')).toDouble() - allowed) <= 1.0);
    }

    void aFewLargeWeightsDoNotTakeTheColoursOfALargeMap() {
        Scene scene = longScene(100);
        scene.causal = true;
        const Figure figure = figureOf(scene, "attention");
        const Heatmap map = layersOf<Heatmap>(figure.panels.at(0)).at(0);
        QVERIFY(map.high < 1.0);
        QCOMPARE(map.values.front(), 1.0);
        const auto shown = std::ranges::count(map.states, CellState::shown);
        const auto above = std::ranges::count_if(map.values, [&](double value) { return value > map.high; });
        QVERIFY(static_cast<double>(above) <= 0.005 * static_cast<double>(shown));
        QVERIFY(hasNote(figure, "Colours end at"));
    }

    void colourRangeHoldsEveryShownCell() {
        for (const ViewValues values : {ViewValues::weights, ViewValues::logits}) {
            Scene scene = longScene(30);
            scene.causal = true;
            scene.view.values = values;
            const Heatmap map = layersOf<Heatmap>(figureOf(scene, "attention").panels.at(0)).at(0);
            for (std::size_t index = 0; index < map.values.size(); ++index) {
                if (map.states[index] == CellState::shown) {
                    QVERIFY(map.values[index] >= map.low && map.values[index] <= map.high);
                }
            }
        }
    }

    void aLongTextIsAPreviewThatSaysHowManyRowsItIsMadeOf() {
        PaintedBackend::Log log;
        const auto engine = paintedEngine(log);
        const Scene scene = longText();
        FigureRequest request = mapOfLongText(Effort::quick);
        const std::int64_t sampled = 256 * threadCount();
        const std::string rows = groupedNumber(sampled) + " of 131,072 rows";
        Figure figure = engine->figure(scene, request).value();
        QVERIFY(figure.isPartial);
        QCOMPARE(findReadout(figure, "preview_rows")->chip, "preview, " + rows);
        QVERIFY(hasNote(figure, "Preview: the map is made of " + rows + "."));
        QCOMPARE(figure.ranOn, std::string("painted · float32"));
        request.effort = Effort::more;
        double before = static_cast<double>(sampled);
        while (figure.isPartial) {
            figure = engine->figure(scene, request).value();
            const Readout* preview = findReadout(figure, "preview_rows");
            QCOMPARE(preview != nullptr, figure.isPartial);
            if (preview != nullptr) {
                QVERIFY(std::get<double>(preview->value) > before);
                before = std::get<double>(preview->value);
            }
        }
        QVERIFY(!hasNote(figure, "Preview"));
        QVERIFY(std::ranges::all_of(figure.matrix->values, [](double value) { return value == 2.0; }));
        // What is whole is kept.
        const std::size_t runs = log.size();
        request.effort = Effort::quick;
        QVERIFY(!engine->figure(scene, request)->isPartial);
        QCOMPARE(log.size(), runs);
    }

    /// A backend forgets: what was drawn once does not make a window cheap.
    void aWindowCostsWhatTheBackendKnowsNow() {
        PaintedBackend::Log log;
        Engine engine(std::make_unique<PaintedBackend>(log));
        Scene scene;
        scene.textLength = 131072;
        FigureRequest request = attentionAt(64, 64);
        QVERIFY(engine.figure(scene, request).has_value());
        request.effort = Effort::quick;
        request.window = CellWindow{0, 131072, 0, 64};
        QVERIFY(engine.figure(scene, request)->isPartial);
        log.knownRows = 131072;
        request.window = CellWindow{0, 131072, 64, 128};
        QVERIFY(!engine.figure(scene, request)->isPartial);
    }

    void aPreviewOfMaximaIsALowerBound() {
        PaintedBackend::Log log;
        const auto engine = paintedEngine(log);
        const Scene scene = longText();
        FigureRequest request = mapOfLongText(Effort::quick);
        request.pooling = Pooling::max;
        const Figure figure = engine->figure(scene, request).value();
        QVERIFY(findReadout(figure, "preview_rows")->chip.ends_with(" rows, a lower bound"));
        QVERIFY(hasNote(figure, "a maximum can only grow"));
    }

    void aShortTextIsExactAtOnce() {
        FigureRequest request = attentionAt(256, 256);
        request.effort = Effort::quick;
        for (const std::int64_t tokens : {3, 300, 1200}) {
            Scene scene;
            scene.textLength = tokens;
            const Figure figure = figureOf(scene, request);
            QVERIFY(!figure.isPartial);
            QVERIFY(findReadout(figure, "preview_rows") == nullptr);
        }
    }

    void aChangeOfThetaProjectsNothingAnew() {
        PaintedBackend::Log log;
        const auto engine = paintedEngine(log);
        Scene scene = longText();
        FigureRequest request = mapOfLongText(Effort::quick);
        for (int tick = 0; tick < 10; ++tick) {
            scene.rope.theta = 1e4 + tick;
            QVERIFY(engine->figure(scene, request).has_value());
            QVERIFY(log.problems.back() != log.problems.front() || tick == 0);
            QVERIFY(log.problems.back()->keys.sharesWith(log.problems.front()->keys));
            QVERIFY(log.problems.back()->queries.sharesWith(log.problems.front()->queries));
        }
    }

    void windowsOfOneTextAreOfOneProblem() {
        PaintedBackend::Log log;
        const auto engine = paintedEngine(log);
        const Scene scene = longText();
        FigureRequest request = mapOfLongText(Effort::whole);
        for (const std::int64_t begin : {0, 7, 70000}) {
            request.window = CellWindow{begin, begin + 64, 0, 64};
            QVERIFY(engine->figure(scene, request).has_value());
            QCOMPARE(log.problems.back(), log.problems.front());
        }
    }

    void aWindowOfALongTextNamesItsOwnTokens() {
        PaintedBackend::Log log;
        const auto engine = paintedEngine(log);
        const Scene scene = longText();
        FigureRequest request = mapOfLongText(Effort::whole);
        request.window = CellWindow{70000, 70064, 69000, 69064};
        const Figure figure = engine->figure(scene, request).value();
        const Axis& keys = figure.panels.at(0).x;
        const Axis& queries = figure.panels.at(0).y;
        QCOMPARE(keys.labels.size(), std::size_t(64));
        QCOMPARE(keys.firstLabel, std::int64_t(69000));
        QCOMPARE(*keys.labelAt(69000.0), std::string("dog"));       // 69,000 = 3 · 23,000
        QCOMPARE(*queries.labelAt(70000.0), std::string("bites"));  // 70,000 = 3 · 23,333 + 1
        QVERIFY(keys.labelAt(68999.0) == nullptr && keys.labelAt(69064.0) == nullptr);
        QVERIFY(keys.namesRepeat);
        request.window.reset();
        QVERIFY(engine->figure(scene, request)->panels.at(0).x.labels.empty());
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::AttentionFigureTest)
#include "attention_figure_test.moc"
