#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/captured.h"
#include "core/attention/rotate.h"
#include "core/export/figure_text.h"
#include "tests/core/capture_test_parts.h"
#include "tests/core/figure_test_parts.h"
#include "tests/core/plain_attention.h"

using phaseladder::test::findReadout;
using std::string_literals::operator""s;

namespace phaseladder::tests {

/// What a scene with captured heads means: settings act on them, places have names, what is no number is
/// located.
class CapturedSceneTest : public QObject, private CaptureFixture {
    Q_OBJECT

private Q_SLOTS:
    void everyEncodingAndScalingActsOnTheNumbers_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("value");
        QTest::newRow("plain") << "seed"
                               << "1";
        QTest::newRow("theta") << "rope.theta"
                               << "500";
        for (const char* method : {"linear", "ntk", "dynamic_ntk", "yarn", "llama3"}) {
            QTest::newRow(method) << "scaling" << method;
        }
        for (const char* encoding :
             {"none", "alibi", "t5", "relative_bias", "shaw", "transformer_xl", "xpos"}) {
            QTest::newRow(encoding) << "encoding" << encoding;
        }
    }

    void everyEncodingAndScalingActsOnTheNumbers() {
        QFETCH(const QString, id);
        QFETCH(const QString, value);
        const Numbers q = normalNumbers({2, 12, 8}, 4), k = normalNumbers({1, 12, 8}, 5);
        const std::string path = write("acts.safetensors", safetensorsFile({{"q", q}, {"k", k}}));
        for (const char* causal : {"off", "on"}) {
            const Scene scene = opened({{"capture.queries", path},
                                        {"head", "1"},
                                        {"causal", causal},
                                        {id.toStdString(), value.toStdString()}})
                                    .value();
            AttentionProblem problem;
            problem.queries = headOf(q, 1);
            problem.keys = headOf(k, 0);
            problem.values = headOf(k, 0);
            problem.plan = makePlan(scene, 12).value();
            problem.causal = scene.causal;
            const Figure figure = drawn(scene).value();
            const RowMatrix weights = plainAttention(problem).weights;
            const Matrix& matrix = *figure.matrix;
            QCOMPARE(matrix.rows, 12);
            QVERIFY(largestDifference(Eigen::Map<const RowMatrix>(matrix.values.data(), 12, 12), weights) <
                    1e-9);
        }
    }

    void orderAndLengthActWhereTheMapIsOfOneText() {
        const Numbers q = normalNumbers({3, 8}, 6);
        const std::string path = write("order.safetensors", safetensorsFile({{"q", q}, {"k", q}}));
        const Settings start{{"capture.queries", path}, {"encoding", "none"}};
        Settings permuted = start, longer = start;
        permuted.emplace_back("order", "2,0,1");
        longer.emplace_back("text.length", "5");
        const Matrix plain = *drawn(opened(start).value())->matrix;
        const Matrix moved = *drawn(opened(permuted).value())->matrix;
        const int order[] = {2, 0, 1};
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t column = 0; column < 3; ++column) {
                QVERIFY(std::abs(moved.values[row * 3 + column] -
                                 plain.values[static_cast<std::size_t>(order[row] * 3 + order[column])]) <
                        1e-12);
            }
        }
        const Matrix repeated = *drawn(opened(longer).value())->matrix;
        QCOMPARE(repeated.rows, 5);
        QCOMPARE(repeated.values[0], repeated.values[3]);
        // Where queries and keys are parts of a text, neither means anything.
        for (const auto& [id, value] : Settings{{"order", "1,0,2"}, {"text.length", "9"}}) {
            Settings apart = start;
            apart.emplace_back("capture.keys", write("five.npy", npyFile(normalNumbers({3, 8}, 7))));
            apart.emplace_back("capture.row_offset", "0");
            apart.emplace_back("capture.queries", write("two.npy", npyFile(normalNumbers({2, 8}, 8))));
            apart.emplace_back(id, value);
            QVERIFY(says(refusal(apart), id + " acts on captured heads only where"));
        }
    }

    void rowsAndColumnsHaveTheTokensOfTheirPositions() {  // case J04
        const std::string queries = write("part.npy", npyFile(normalNumbers({290, 8}, 9)));
        const std::string keys = write("all.npy", npyFile(normalNumbers({561, 8}, 10)));
        std::string labels;
        for (int token = 0; token < 850; ++token) {
            labels += "t" + std::to_string(token) + " ";
        }
        const Scene scene = opened({{"capture.queries", queries},
                                    {"capture.keys", keys},
                                    {"capture.row_offset", "560"},
                                    {"capture.labels", write("labels.txt", labels)}})
                                .value();
        QCOMPARE(scene.tokens.size(), std::size_t{850});
        const Figure figure = drawn(scene).value();
        const Panel& panel = figure.panels.front();
        QCOMPARE(figure.matrix->rows, 290);
        QCOMPARE(figure.matrix->columns, 561);
        QCOMPARE(panel.y.labels.front(), "t560"s);
        QCOMPARE(panel.y.labels.back(), "t849"s);
        QCOMPARE(panel.x.labels.front(), "t0"s);
        QCOMPARE(panel.x.labels.back(), "t560"s);
        QCOMPARE(panel.y.choice.valueAt(0.0), 560);
        QCOMPARE(panel.y.choice.count, std::int64_t{290});
        QVERIFY(
            std::ranges::all_of(figure.matrix->values, [](double value) { return std::isfinite(value); }));
        QVERIFY(figure.warnings.empty());
        // The token that is looked at is one that has a query.
        QCOMPARE(scene.view.token, 560);
        QVERIFY(drawn(scene, "pair-contribution")->emptyState.empty());
        Scene elsewhere = scene;
        elsewhere.view.token = 3;
        QVERIFY(says(drawn(elsewhere, "pair-contribution")->emptyState,
                     "Token 3 has no query in the file, which holds those of 560 .. 849"));
    }

    void fewerLabelsThanRowsLeaveBlankOnes() {  // case J03
        const std::string path =
            write("j03.safetensors",
                  safetensorsFile({{"q", normalNumbers({1024, 4}, 1)}, {"k", normalNumbers({1024, 4}, 2)}}));
        std::string labels = "[\"a b\"";
        for (int token = 1; token < 976; ++token) {
            labels += ", \"t\"";
        }
        const Scene scene =
            opened({{"capture.queries", path}, {"capture.labels", write("976.json", labels + "]")}}).value();
        const Figure figure = drawn(scene).value();
        QVERIFY(hasSentence(figure.warnings, "976 labels for 1024 rows: the last 48 are without a label."));
        QCOMPARE(figure.panels.front().x.labels.front(), "a b"s);
        QCOMPARE(figure.panels.front().x.labels[976], ""s);
        QVERIFY(!figure.panels.front().x.labels[975].empty());
        const Scene more =
            opened({{"capture.queries",
                     write("two.safetensors", safetensorsFile({{"q", normalNumbers({2, 4}, 1)},
                                                               {"k", normalNumbers({2, 4}, 2)}}))},
                    {"capture.labels", write("3.txt", "a b c")}})
                .value();
        QVERIFY(hasSentence(drawn(more)->notes, "3 labels for 2 rows: the last 1 is not used."));
    }

    void aNaNIsLocatedAndItsRowIsHatched() {
        Numbers q = normalNumbers({1024, 64}, 1), k = normalNumbers({1024, 64}, 2);
        q.values[3 * 64 + 17] = std::numeric_limits<double>::quiet_NaN();
        const std::string path = write("nan.safetensors", safetensorsFile({{"q", q}, {"k", k}}));
        for (const char* values : {"weights", "logits"}) {
            const Figure figure =
                drawn(opened({{"capture.queries", path}, {"view.values", values}}).value()).value();
            QVERIFY(
                hasSentence(figure.warnings,
                            "Query row 3 has a NaN at channel 17; row hatched; 1 of 1024 rows affected."));
            const auto& map = std::get<Heatmap>(figure.panels.front().layers.front());
            for (std::size_t cell = 0; cell < map.states.size(); ++cell) {
                QCOMPARE(map.states[cell] == CellState::undefined, cell / 1024 == 3);
                QCOMPARE(std::isnan(map.values[cell]), cell / 1024 == 3);
            }
        }
    }

    void aKeyThatIsNoNumberReachesTheQueriesThatSeeIt() {
        Numbers q = normalNumbers({6, 4}, 1), k = normalNumbers({6, 4}, 2);
        k.values[2 * 4 + 1] = std::numeric_limits<double>::infinity();
        const std::string path = write("inf.safetensors", safetensorsFile({{"q", q}, {"k", k}}));
        const Settings settings{{"capture.queries", path}, {"causal", "on"}};
        const Figure weights = drawn(opened(settings).value()).value();
        QVERIFY(hasSentence(weights.warnings, "Key row 2 has an infinity at channel 1"));
        const auto& map = std::get<Heatmap>(weights.panels.front().layers.front());
        for (std::size_t cell = 0; cell < map.states.size(); ++cell) {
            const std::size_t row = cell / 6, column = cell % 6;
            const CellState wanted = column > row ? CellState::masked
                                     : row >= 2   ? CellState::undefined
                                                  : CellState::shown;
            QCOMPARE(map.states[cell], wanted);
        }
        Settings logits = settings;
        logits.emplace_back("view.values", "logits");
        const Figure before = drawn(opened(logits).value()).value();
        const auto& scores = std::get<Heatmap>(before.panels.front().layers.front());
        QCOMPARE(scores.states[5 * 6 + 1], CellState::shown);
        QCOMPARE(scores.states[5 * 6 + 2], CellState::undefined);
    }

    void rowsThatAreNoNumbersAreLeftOutOfTheMeans() {
        Numbers q = normalNumbers({2, 6, 4}, 1), k = normalNumbers({1, 6, 4}, 2);
        q.values[6 * 4 + 3 * 4 + 1] = std::numeric_limits<double>::quiet_NaN();  // head 1, row 3
        k.values[5 * 4 + 2] = std::numeric_limits<double>::infinity();
        const std::string path = write("means.safetensors", safetensorsFile({{"q", q}, {"k", k}}));
        const Scene scene = opened({{"capture.queries", path}, {"head", "1"}}).value();
        const Figure figure = drawn(scene, "frequency-use").value();
        const auto meanOf = [](const Numbers& numbers, std::int64_t head, std::int64_t without,
                               std::int64_t pair) {
            double sum = 0.0;
            for (std::int64_t row = 0; row < 6; ++row) {
                sum += row == without
                           ? 0.0
                           : std::hypot(numbers.at(head, row, pair), numbers.at(head, row, pair + 2));
            }
            return sum / (without < 0 ? 6.0 : 5.0);
        };
        const auto column = [&](const char* name) {
            return std::ranges::find(figure.table, name, &TableColumn::name)->values;
        };
        for (std::int64_t head = 0; head < 2; ++head) {
            for (std::int64_t pair = 0; pair < 2; ++pair) {
                const auto at = static_cast<std::size_t>(2 * head + pair);
                QVERIFY(std::abs(column("q_norm").at(at) - meanOf(q, head, head == 1 ? 3 : -1, pair)) <
                        1e-12);
                QVERIFY(std::abs(column("k_norm").at(at) - meanOf(k, 0, 5, pair)) < 1e-12);
            }
        }
        const std::vector<std::string> wanted{
            "Head 0: Key row 5 has an infinity at channel 2; left out of the means; 1 of 6 rows affected.",
            "Head 1: Query row 3 has a NaN at channel 1; left out of the means; 1 of 6 rows affected.",
            "Head 1: Key row 5 has an infinity at channel 2; left out of the means; 1 of 6 rows affected."};
        QCOMPARE(figure.warnings, wanted);
    }

    void meansOfNoRowsAreNone() {
        Numbers q = normalNumbers({3, 4}, 1), k = normalNumbers({3, 4}, 2);
        for (std::size_t row = 0; row < 3; ++row) {
            q.values[row * 4] = std::numeric_limits<double>::quiet_NaN();
        }
        const std::string path = write("none.safetensors", safetensorsFile({{"q", q}, {"k", k}}));
        const Figure figure = drawn(opened({{"capture.queries", path}}).value(), "frequency-use").value();
        QVERIFY(hasSentence(figure.warnings, "left out of the means; 3 of 3 rows affected."));
        QVERIFY(std::isfinite(figure.panels.front().y.maximum));
        const auto& queries = std::get<Curve>(figure.panels.front().layers.at(0));
        QVERIFY(std::ranges::all_of(queries.y, [](double value) { return std::isnan(value); }));
        QVERIFY(std::ranges::find(figure.readouts, "longest_query_pair", &Readout::id) ==
                figure.readouts.end());
        QVERIFY(std::ranges::find(figure.readouts, "longest_key_pair", &Readout::id) !=
                figure.readouts.end());
    }

    void aTokenThatIsNoNumberHasNoLogitAndItIsSaid() {
        Numbers q = normalNumbers({6, 4}, 1), k = normalNumbers({6, 4}, 2);
        q.values[3 * 4 + 1] = std::numeric_limits<double>::quiet_NaN();
        k.values[5 * 4 + 2] = std::numeric_limits<double>::infinity();
        const std::string path = write("token.safetensors", safetensorsFile({{"q", q}, {"k", k}}));
        for (const char* id : {"pair-contribution", "clocks"}) {
            const auto warningsOf = [&](const char* token, const char* key) {
                return drawn(opened({{"capture.queries", path}, {"view.token", token}, {"view.key", key}})
                                 .value(),
                             id)
                    ->warnings;
            };
            QCOMPARE(warningsOf("3", "0"),
                     std::vector<std::string>{"The query of 3 at 3 has a NaN or an infinity (view.token): no "
                                              "logit, no weight."});
            QCOMPARE(
                warningsOf("2", "5"),
                std::vector<std::string>{"The key of 5 at 5 has a NaN or an infinity (view.key): no logit, "
                                         "no weight."});
            QVERIFY(warningsOf("2", "0").empty());
        }
        const Figure figure =
            drawn(opened({{"capture.queries", path}, {"view.token", "3"}}).value(), "pair-contribution")
                .value();
        for (const Panel& panel : figure.panels) {
            QVERIFY(std::isfinite(panel.y.minimum) && std::isfinite(panel.y.maximum));
        }
    }

    void inTokenOrderTheTokensOwnRowIsHatched() {
        Numbers q = normalNumbers({6, 4}, 1);
        const Numbers k = normalNumbers({6, 4}, 2);
        q.values[1 * 4 + 2] = std::numeric_limits<double>::quiet_NaN();
        const std::string path = write("order.safetensors", safetensorsFile({{"q", q}, {"k", k}}));
        const Figure figure =
            drawn(opened({{"capture.queries", path}, {"order", "5,4,3,2,1,0"}, {"view.by", "token"}}).value())
                .value();
        const auto& map = std::get<Heatmap>(figure.panels.front().layers.front());
        for (std::size_t cell = 0; cell < map.values.size(); ++cell) {
            QCOMPARE(std::isnan(map.values[cell]), cell / 6 == 1);
        }
    }

    void noRowSumIsClaimedWhereARowHasNoNumbers() {
        Numbers q = normalNumbers({2, 6, 4}, 1);
        q.values[1 * 24 + 2 * 4] = std::nan("");  // head 1, row 2
        const std::string path = write("sums.safetensors", safetensorsFile({{"q", q}, {"k", q}}));
        Scene scene = opened({{"capture.queries", path}}).value();
        for (const int head : {0, 1}) {
            scene.head = head;
            const Figure figure = drawn(scene).value();
            QCOMPARE(findReadout(figure, "largest_row_sum_error") == nullptr, head == 1);
        }
        QVERIFY(findReadout(drawn(scene, "heads").value(), "largest_row_sum_error") == nullptr);
    }

    void aCaptionNamesTheFilesWithoutTheirFolders() {
        const Numbers q = normalNumbers({2, 6, 4}, 1);
        const std::string path = write("caption.safetensors", safetensorsFile({{"q", q}, {"k", q}}));
        const Scene scene = opened({{"capture.queries", path}, {"view.heads", "0,1"}}).value();
        const std::string caption = writeCaption(drawn(scene).value(), scene, PanelLetters::hidden);
        for (const char* words :
             {"queries caption.safetensors", "mean of heads 0, 1", "head width 4 channels"}) {
            QVERIFY2(says(caption, words), caption.c_str());
        }
        QVERIFY(!says(caption, path));
    }

    void rowsBeforeTheFirstKeySaySo() {
        const Numbers q = normalNumbers({5, 4}, 1);
        const std::string path = write("late.safetensors", safetensorsFile({{"q", q}, {"k", q}}));
        const Figure figure =
            drawn(
                opened({{"capture.queries", path}, {"capture.column_offset", "2"}, {"causal", "on"}}).value())
                .value();
        QVERIFY(hasSentence(figure.warnings, "Rows 0 .. 1 have no visible keys"));
        QCOMPARE(figure.panels.front().y.labels[1], "1"s);
        const auto* row = std::get_if<Text>(&figure.panels.front().layers.at(2));
        QVERIFY(row != nullptr && row->text == "no visible keys" && row->y == 1.0);
        const Numbers many = normalNumbers({20, 4}, 1);
        const std::string larger = write("larger.safetensors", safetensorsFile({{"q", many}, {"k", many}}));
        const Figure unwritten =
            drawn(opened({{"capture.queries", larger}, {"capture.column_offset", "2"}, {"causal", "on"}})
                      .value())
                .value();
        QCOMPARE(unwritten.panels.front().y.labels[1], "1 (no visible keys)"s);
        QCOMPARE(unwritten.panels.front().y.labels[2], "2"s);
        QVERIFY(std::isnan(figure.matrix->values[0]));
        QCOMPARE(figure.matrix->values[2 * 5], 1.0);
        QCOMPARE(std::get<Heatmap>(figure.panels.front().layers.front()).states[0], CellState::noKeys);
    }

    void whatCannotActIsRefusedWithItsReason() {
        const Numbers q = normalNumbers({2, 6, 4}, 1);
        const std::string path = write("plain.safetensors", safetensorsFile({{"q", q}, {"k", q}}));
        const auto with = [&](const std::string& id, const std::string& value) {
            return refusal({{"capture.queries", path}, {id, value}});
        };
        QCOMPARE(with("causal", "on"), "accepted"s);
        QVERIFY(says(with("layers", "2"), "layers must be 1 with captured heads"));
        for (const char* encoding : {"learned", "sinusoidal"}) {
            QVERIFY(says(with("encoding", encoding), "past them"));
        }
        QVERIFY(says(with("head_dim", "8"), "head_dim is that of the captured heads, 4 (got 8)."));
        QVERIFY(says(with("heads", "8"), "heads is that of the captured heads, 2 (got 8)."));
        QVERIFY(says(with("tokens", "a b"), "name them in capture.labels"));
        QVERIFY(says(with("head", "2"), "head must be 0..1"));
        QVERIFY(says(with("capture.row_offset", "1048575"), "positions; the limit is 1 048 576"));
        QVERIFY(says(with("capture.labels", "/nowhere/labels.json"), "Cannot read '/nowhere/labels.json'"));
        const Scene scene = opened({{"capture.queries", path}}).value();
        for (const char* id : {"hidden-states", "invariance", "carry"}) {
            QVERIFY2(says(drawn(scene, id)->emptyState, "without token vectors"), id);
        }
        for (const FigureKind& kind : figureKinds()) {
            const Result<Figure> figure = drawn(scene, kind.id);
            QVERIFY2(figure, kind.id.c_str());
        }
    }

    void openedHeadsStartPlainly() {
        const Numbers few = normalNumbers({2, 5, 4}, 1);
        const std::string path =
            write("two.safetensors",
                  safetensorsFile(
                      {{"layers.3.q", few}, {"layers.3.k", few}, {"layers.7.q", few}, {"layers.7.k", few}}));
        Scene scene;
        scene.order = {2, 0, 1};
        scene.layers = 3;
        scene.encoding = "sinusoidal";
        scene.content = {0, 0, 0, 0, 1, 1};
        CaptureSettings settings;
        settings.queries = path;
        const OpenedCapture opened = openHeads(scene, settings).value();
        QCOMPARE(opened.scene.capture.queryTensor, "layers.3.q"s);
        QCOMPARE(opened.scene.encoding, "rope"s);
        QCOMPARE(opened.scene.tokens, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
        QVERIFY(hasSentence(opened.notes, "2 tensors look like queries: layers.3.q is shown"));
        QVERIFY(hasSentence(opened.notes, "RoPE is chosen"));
        QVERIFY(hasSentence(opened.notes, "is read as heads × tokens × channels"));
        QVERIFY(drawn(opened.scene).has_value());
    }

    void scoresAreThoseOfTheFilesRowsAndColumns() {
        const std::string queries = write("few.npy", npyFile(normalNumbers({10, 8}, 1)));
        const std::string keys = write("many.npy", npyFile(normalNumbers({300, 8}, 2)));
        const Engine engine;
        // 3,000 scores of 90,000 pairs of positions: double precision costs nothing.
        const Scene scene =
            opened({{"capture.queries", queries}, {"capture.keys", keys}, {"capture.row_offset", "290"}})
                .value();
        QVERIFY(engine.mapBackend(scene).isDouble);
        const Figure figure = drawn(scene).value();
        QVERIFY(!figure.matrix->isSingle && figure.ranOn.ends_with("double"));
        const std::string others = write("others.npy", npyFile(normalNumbers({300, 8}, 3)));
        const Scene square = opened({{"capture.queries", others}, {"capture.keys", keys}}).value();
        QVERIFY(!engine.mapBackend(square).isDouble);
    }

    /// Both cover nine positions; what is zoomed into one of them may lie outside the other.
    void aPinnedMapOfAnotherShapeIsNotZoomed() {
        const std::string nine = write("nine.npy", npyFile(normalNumbers({9, 8}, 1)));
        const std::string four = write("four.npy", npyFile(normalNumbers({4, 8}, 2)));
        const Scene part =
            opened({{"capture.queries", four}, {"capture.keys", nine}, {"capture.row_offset", "5"}}).value();
        const std::string others = write("others.npy", npyFile(normalNumbers({9, 8}, 3)));
        const Scene whole = opened({{"capture.queries", others}, {"capture.keys", nine}}).value();
        QCOMPARE(sequenceLength(part), sequenceLength(whole));
        Engine engine;
        FigureRequest request;
        request.id = "attention";
        request.window = CellWindow{6, 9, 0, 9};
        request.pinned = std::make_shared<const Scene>(part);
        request.compare = CompareMode::pinned;
        const Result<Figure> pinned = engine.figure(whole, request);
        QVERIFY2(pinned, pinned ? "" : pinned.error().message.c_str());
        QCOMPARE(pinned->matrix->rows, 4);
        // Of one shape both show the window.
        request.pinned = std::make_shared<const Scene>(whole);
        QCOMPARE(engine.figure(whole, request)->matrix->rows, 3);
    }

    void aSceneWithoutItsFilesTakesWhatNeedsNone() {
        Scene scene;
        scene.capture.queries = "/nowhere/qk.safetensors";
        const OpenedCapture reopened = reopenHeads(scene);
        QCOMPARE(reopened.scene, scene);
        QCOMPARE(reopened.notes,
                 std::vector<std::string>{"Cannot read '/nowhere/qk.safetensors' (no such file)."});
        const Result<Scene> turned = applySettings(scene, Settings{{"rope.theta", "5"}});
        QVERIFY2(turned, turned ? "" : turned.error().message.c_str());
        QCOMPARE(turned->rope.theta, 5.0);
        for (const char* id : {"capture.row_offset", "head_dim", "heads"}) {
            const Result<Scene> followed = applySettings(scene, Settings{{id, "4"}});
            QVERIFY2(!followed, id);
            QCOMPARE(followed.error().message, reopened.notes.front());
        }
        QVERIFY(applySettings(scene, Settings{{"capture.queries", ""}}).has_value());
        QVERIFY(drawn(scene, "ladder").has_value());
        QCOMPARE(drawn(scene).error().message, reopened.notes.front());
    }

    void aSavedSceneFollowsItsFilesAsTheyAreNow() {
        const std::string path =
            write("grows.safetensors",
                  safetensorsFile({{"q", normalNumbers({2, 6, 4}, 1)}, {"k", normalNumbers({2, 6, 4}, 2)}}));
        Scene saved = opened({{"capture.queries", path}, {"capture.axes", "heads_tokens_dim"}}).value();
        write("grows.safetensors",
              safetensorsFile({{"q", normalNumbers({3, 8, 4}, 1)}, {"k", normalNumbers({3, 8, 4}, 2)}}));
        const OpenedCapture reopened = reopenHeads(saved);
        QVERIFY(reopened.notes.empty());
        QCOMPARE(reopened.scene.heads, 3);
        QCOMPARE(reopened.scene.tokens.size(), std::size_t{8});
        // A head that is gone is said.
        saved.head = 1;
        write("grows.safetensors",
              safetensorsFile({{"q", normalNumbers({1, 6, 4}, 1)}, {"k", normalNumbers({1, 6, 4}, 2)}}));
        QCOMPARE(reopenHeads(saved).scene, saved);
        QVERIFY(hasSentence(reopenHeads(saved).notes, "head must be 0..0"));
    }

    void problemsOfOneHeadShareItsRows() {
        const Numbers q = normalNumbers({6, 4}, 1);
        const std::string path = write("share.safetensors", safetensorsFile({{"q", q}, {"k", q}}));
        const Scene scene = opened({{"capture.queries", path}}).value();
        const auto make = [&] {
            return makeCapturedProblem(scene, makePlan(scene, 6).value(), readCapturedHead(scene).value())
                .value();
        };
        QVERIFY(make()->queries.sharesWith(make()->queries));
    }
};

}  // namespace phaseladder::tests

QTEST_APPLESS_MAIN(phaseladder::tests::CapturedSceneTest)
#include "captured_scene_test.moc"
