#include <QTest>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "core/attention/captured.h"
#include "core/attention/rotate.h"
#include "tests/core/capture_test_parts.h"
#include "tests/core/plain_attention.h"

using std::string_literals::operator""s;

namespace phaseladder::tests {
namespace {

CaptureTensor tensorOf(std::vector<std::int64_t> shape) {
    return {"array", NumberLayout{std::move(shape), NumberType::float32, NumberOrder::rowMajor, 0}};
}

/// "4/2 heads, 10/12 rows, 8 channels", with the notes, or the refusal.
std::string axesOf(std::vector<std::int64_t> queries, std::vector<std::int64_t> keys,
                   CaptureAxes axes = CaptureAxes::by_shape) {
    const Result<CaptureArrays> arrays =
        nameAxes(tensorOf(std::move(queries)), tensorOf(std::move(keys)), std::nullopt, axes);
    if (!arrays) {
        return arrays.error().message;
    }
    const auto number = [](std::int64_t value) { return std::to_string(value); };
    const CaptureArray& q = arrays->queries;
    const CaptureArray& k = arrays->keys;
    return number(q.heads) + "/" + number(k.heads) + " heads, " + number(q.tokens) + "/" + number(k.tokens) +
           " rows, " + number(q.channels) + " channels" + (arrays->notes.empty() ? "" : ", ambiguous");
}

}  // namespace

/// Queries, keys and values as files hold them: shapes, names, number formats, rotations, sizes.
class CaptureTest : public QObject, private CaptureFixture {
    Q_OBJECT

private Q_SLOTS:
    void dimensionsAreNamedByWhatFits() {
        QCOMPARE(axesOf({10, 8}, {12, 8}), "1/1 heads, 10/12 rows, 8 channels"s);
        QCOMPARE(axesOf({1, 4, 10, 8}, {1, 2, 10, 8}), "4/2 heads, 10/10 rows, 8 channels"s);
        QCOMPARE(axesOf({4, 10, 8}, {2, 10, 8}), "4/2 heads, 10/10 rows, 8 channels"s);
        QCOMPARE(axesOf({10, 4, 8}, {10, 2, 8}), "4/2 heads, 10/10 rows, 8 channels"s);
        QCOMPARE(axesOf({1, 32, 8}, {500, 8, 8}), "32/8 heads, 1/500 rows, 8 channels"s);
        QCOMPARE(axesOf({4, 10, 8}, {4, 13, 8}), "4/4 heads, 10/13 rows, 8 channels"s);
        QCOMPARE(axesOf({1, 10, 8}, {1, 10, 8}), "1/1 heads, 10/10 rows, 8 channels"s);
        QCOMPARE(axesOf({10, 1, 8}, {10, 1, 8}), "1/1 heads, 10/10 rows, 8 channels"s);
        QCOMPARE(axesOf({4, 10, 8}, {4, 10, 8}), "4/4 heads, 10/10 rows, 8 channels, ambiguous"s);
        QCOMPARE(axesOf({4, 10, 8}, {4, 10, 8}, CaptureAxes::tokens_heads_dim),
                 "10/10 heads, 4/4 rows, 8 channels"s);
        QCOMPARE(axesOf({4, 10, 8}, {4, 10, 8}, CaptureAxes::heads_tokens_dim),
                 "4/4 heads, 10/10 rows, 8 channels"s);
    }

    void anAmbiguousShapeIsSaidWithBothReadings() {
        const auto arrays =
            nameAxes(tensorOf({4, 10, 8}), tensorOf({4, 10, 8}), std::nullopt, CaptureAxes::by_shape);
        QCOMPARE(
            arrays->notes.front(),
            "Q [4, 10, 8] is read as heads × tokens × channels: 4 heads of 10 tokens; as tokens × heads × "
            "channels it would be 10 heads of 4 tokens (capture.axes)."s);
    }

    void shapesThatDoNotFitAreRefusedWithTheirNumbers() {
        QCOMPARE(axesOf({10, 128}, {10, 64}), "Q has 128 channels, K has 64."s);
        QVERIFY(says(axesOf({6, 11, 8}, {4, 11, 8}, CaptureAxes::heads_tokens_dim),
                     "Q has 6 heads, K has 4: 6 is not a multiple of 4"));
        QVERIFY(says(axesOf({2, 4, 10, 8}, {2, 4, 10, 8}), "first dimension of 2"));
        QVERIFY(says(axesOf({8}, {8}), "1 dimensions"));
        QVERIFY(says(axesOf({0, 8}, {4, 8}), "is empty"));
        QVERIFY(says(axesOf({std::int64_t{1} << 21, 8}, {4, 8}), "2 097 152 rows; the limit is 1 048 576"));
    }

    void namesTellQueriesKeysAndValues() {
        for (const char* name : {"q", "Q", "query", "queries", "layers.3.q",
                                 "model/layers/3/self_attn/q_proj", "q.3", "q_3", "query_states"}) {
            QVERIFY2(looksLikeSide(name, CaptureSide::queries), name);
        }
        for (const char* name : {"k", "q_proj.weight", "q_norm", "quality", "qkv", "layers.3", "wq"}) {
            QVERIFY2(!looksLikeSide(name, CaptureSide::queries), name);
        }
        QVERIFY(looksLikeSide("layers.3.k", CaptureSide::keys));
        QVERIFY(looksLikeSide("v_proj", CaptureSide::values));
    }

    void severalCandidatesAreNamedAndOneIsChosenByName() {
        const Numbers few = normalNumbers({2, 5, 4}, 1);
        const std::string path =
            write("layers.safetensors",
                  safetensorsFile(
                      {{"layers.3.q", few}, {"layers.3.k", few}, {"layers.7.q", few}, {"layers.7.k", few}}));
        const std::string message = refusal({{"capture.queries", path}});
        QVERIFY2(says(message,
                      "2 tensors look like queries; choose one with capture.query_tensor: "
                      "'layers.3.q' [2, 5, 4], 'layers.7.q' [2, 5, 4]"),
                 message.c_str());
        // The keys that stand beside the queries are theirs.
        QCOMPARE(refusal({{"capture.queries", path}, {"capture.query_tensor", "layers.7.q"}}), "accepted"s);
        QVERIFY(says(refusal({{"capture.queries", path}, {"capture.query_tensor", "layers.7.p"}}),
                     "No tensor 'layers.7.p' in the file (did you mean 'layers.7."));
    }

    void weightsOfAModelAreNoCapture() {
        const Numbers matrix = normalNumbers({4, 4}, 1);
        const std::string path =
            write("model.safetensors",
                  safetensorsFile({{"h.0.q_proj.weight", matrix}, {"h.0.k_proj.weight", matrix}}));
        QVERIFY(says(refusal({{"capture.queries", path}}),
                     "'h.0.q_proj.weight' holds weights of a model, no captured queries"));
        const std::string other = write("other.safetensors", safetensorsFile({{"a", matrix}}));
        QVERIFY(says(refusal({{"capture.queries", other}}), "No tensor's name looks like queries"));
        QVERIFY(says(refusal({{"capture.queries", write("q.npy", npyFile(matrix))}}),
                     "name the file of the keys"));
    }

    void aHeadIsTheSameInEveryOrderOfTheFile() {
        const Numbers q = normalNumbers({3, 7, 4}, 1), k = normalNumbers({3, 9, 4}, 2);
        const std::vector<std::pair<std::string, Settings>> files{
            {"rows",
             {{"capture.queries", write("q.npy", npyFile(q))}, {"capture.keys", write("k.npy", npyFile(k))}}},
            {"columns",
             {{"capture.queries", write("qf.npy", npyFile(q, true))},
              {"capture.keys", write("kf.npy", npyFile(k, true))}}},
            {"tokens first",
             {{"capture.queries", write("qt.npy", npyFile(exchanged(q)))},
              {"capture.keys", write("kt.npy", npyFile(exchanged(k)))},
              {"capture.axes", "tokens_heads_dim"}}},
            {"tokens first, columns",
             {{"capture.queries", write("qtf.npy", npyFile(exchanged(q), true))},
              {"capture.keys", write("ktf.npy", npyFile(exchanged(k), true))},
              {"capture.axes", "tokens_heads_dim"}}}};
        for (auto [name, settings] : files) {
            settings.emplace_back("head", "2");
            const Result<Scene> scene = opened(settings);
            QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
            QCOMPARE(scene->heads, 3);
            QCOMPARE(scene->headDim, 4);
            const Result<CapturedHead> head = readCapturedHead(*scene);
            QVERIFY2(head, name.c_str());
            QVERIFY2(head->queries->rows.matrix() == headOf(q, 2), name.c_str());
            QVERIFY2(head->keys->rows.matrix() == headOf(k, 2), name.c_str());
        }
    }

    void groupedHeadsReadTheirKeyHead() {
        const Numbers q = normalNumbers({4, 6, 4}, 1), k = normalNumbers({2, 6, 4}, 2),
                      v = normalNumbers({2, 6, 4}, 3);
        const std::string path = write("gqa.safetensors", safetensorsFile({{"q", q}, {"k", k}, {"v", v}}));
        for (int head = 0; head < 4; ++head) {
            const Scene scene = opened({{"capture.queries", path}, {"head", std::to_string(head)}}).value();
            const CapturedHead read = readCapturedHead(scene).value();
            QVERIFY(read.queries->rows.matrix() == headOf(q, head));
            QVERIFY(read.keys->rows.matrix() == headOf(k, head / 2));
            QVERIFY(read.values->rows.matrix() == headOf(v, head / 2));
        }
        const Scene first = opened({{"capture.queries", path}, {"head", "2"}}).value();
        const Scene second = opened({{"capture.queries", path}, {"head", "3"}}).value();
        QVERIFY(readCapturedHead(first)->keys == readCapturedHead(second)->keys);
    }

    void halfPrecisionIsReadExactly() {
        Numbers q = normalNumbers({5, 4}, 1);
        for (double& value : q.values) {
            value = std::round(value * 16.0) / 16.0;  // a bfloat16 number
        }
        const std::string path = write("bf16.safetensors", safetensorsFile({{"q", q}, {"k", q}}, "BF16"));
        const CapturedHead head = readCapturedHead(opened({{"capture.queries", path}}).value()).value();
        const RowMatrix rows = head.queries->rows.matrix();
        QVERIFY(std::equal(q.values.begin(), q.values.end(), rows.data()));
    }

    void aRotationOfTheFileIsUndone_data() {
        QTest::addColumn<QString>("config");
        QTest::addColumn<QString>("layout");  // of the file
        QTest::addColumn<QString>("asked");   // capture.layout
        QTest::newRow("plain ladder") << QString() << "half"
                                      << "by_config";
        QTest::newRow("plain ladder, half-split") << QString() << "half"
                                                  << "half";
        QTest::newRow("plain ladder, interleaved") << QString() << "interleaved"
                                                   << "interleaved";
        QTest::newRow("YaRN of a config, with its attention factor")
            << R"({"model_type": "qwen2", "head_dim": 16, "rope_theta": 500000, "max_position_embeddings": 32768,
                   "rope_scaling": {"rope_type": "yarn", "factor": 4.0,
                                    "original_max_position_embeddings": 8192}})"
            << "half"
            << "by_config";
        const QString cohere =
            QStringLiteral(R"({"model_type": "cohere", "head_dim": 16, "rope_theta": 500000,
                                                  "max_position_embeddings": 8192})");
        QTest::newRow("a config's family") << cohere << "interleaved"
                                           << "by_config";
        QTest::newRow("other than a config's family") << cohere << "half"
                                                      << "half";
    }

    void aRotationOfTheFileIsUndone() {
        QFETCH(const QString, config);
        QFETCH(const QString, layout);
        QFETCH(const QString, asked);
        const Numbers q = normalNumbers({2, 40, 16}, 1), k = normalNumbers({2, 50, 16}, 2);
        Scene turning;
        turning.headDim = 16;
        turning.rope.theta = 500000.0;
        turning.rope.layout = layout == QStringLiteral("half") ? RopeLayout::half : RopeLayout::interleaved;
        if (config.contains(QStringLiteral("yarn"))) {
            turning.scaling.method = "yarn";
            turning.scaling.factor = 4.0;
            turning.scaling.originalLength = 8192;
        }
        const PairRotation rotation = *makePlan(turning, 100)->rotation;
        const auto turned = [&](Numbers numbers, std::int64_t start) {
            for (std::int64_t head = 0; head < 2; ++head) {
                const std::int64_t tokens = numbers.shape[1];
                RowMatrix rows = RowMatrix::Zero(start + tokens, 16);
                rows.bottomRows(tokens) = headOf(numbers, head);
                for (std::int64_t row = 0; row < tokens; ++row) {
                    turnPlainly(rows, start + row, start + row, rotation, 1.0);
                }
                std::copy(rows.data() + start * 16, rows.data() + rows.size(),
                          numbers.values.begin() + head * tokens * 16);
            }
            return numbers;
        };
        const std::string path =
            write("turned.safetensors", safetensorsFile({{"q", turned(q, 10)}, {"k", turned(k, 0)}}, "F64"));
        Settings settings{{"capture.queries", path},
                          {"capture.axes", "heads_tokens_dim"},
                          {"capture.rotation", "after"},
                          {"capture.theta", "500000"},
                          {"capture.layout", asked.toStdString()},
                          {"capture.row_offset", "10"},
                          {"head", "1"}};
        if (!config.isEmpty()) {
            settings.emplace_back("capture.config", write("config.json", config.toStdString()));
            settings.emplace_back("capture.theta", "10000");  // not read
        }
        const Result<Scene> scene = opened(settings);
        QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
        const CapturedHead head = readCapturedHead(*scene).value();
        QVERIFY(largestDifference(head.queries->rows.matrix(), headOf(q, 1)) < 1e-6);
        QVERIFY(largestDifference(head.keys->rows.matrix(), headOf(k, 1)) < 1e-6);
        // How the scene's own encoding pairs channels has nothing to do with the file.
        for (const char* ofScene : {"half", "interleaved"}) {
            Settings paired = settings;
            paired.emplace_back("rope.layout", ofScene);
            QVERIFY(readCapturedHead(opened(paired).value())->queries == head.queries);
        }
        // Another ladder does not undo it.
        settings.emplace_back(config.isEmpty() ? "capture.theta" : "capture.config",
                              config.isEmpty() ? "10000" : "");
        const CapturedHead other = readCapturedHead(opened(settings).value()).value();
        QVERIFY(largestDifference(other.queries->rows.matrix(), headOf(q, 1)) > 0.1);
    }

    void filesChosenTogetherAreToldApart() {
        const auto sides = [](const std::vector<std::filesystem::path>& paths) {
            const Result<CaptureSettings> settings = captureOfFiles(paths);
            if (!settings) {
                return settings.error().message;
            }
            const auto name = [](const std::string& path) {
                return std::filesystem::path(path).filename().string();
            };
            return name(settings->queries) + "|" + name(settings->keys) + "|" + name(settings->values) + "|" +
                   name(settings->labels);
        };
        QCOMPARE(sides({"k.npy", "labels.txt", "q.npy", "v.npy"}), "q.npy|k.npy|v.npy|labels.txt"s);
        QCOMPARE(sides({"first.npy", "second.npy"}), "first.npy|second.npy||"s);
        QVERIFY(says(sides({"k.npy", "key.npy"}), "Two files are keys"));
        QVERIFY(says(sides({"labels.json"}), "None of the files holds queries"));
        const std::string capture =
            write("beside.safetensors",
                  safetensorsFile({{"q", normalNumbers({2, 4}, 1)}, {"k", normalNumbers({2, 4}, 2)}}));
        write("beside.tokens.json", "[\"a\", \"b\"]");
        QCOMPARE(sides({capture}), "beside.safetensors|||beside.tokens.json"s);
    }

    void valuesOfAnotherWidthAreLeftAside() {
        const Numbers q = normalNumbers({2, 6, 4}, 1), v = normalNumbers({2, 6, 3}, 2);
        const std::string path = write("wide.safetensors", safetensorsFile({{"q", q}, {"k", q}, {"v", v}}));
        const Scene scene = opened({{"capture.queries", path}}).value();
        QVERIFY(hasSentence(
            drawn(scene)->notes,
            "V 'v' has the shape [2, 6, 3]; [2, 6, 4], that of K, is wanted: the values are not used."));
        QVERIFY(readCapturedHead(scene)->values == nullptr);
    }

    void valuesThatNobodyAskedForRefuseNothing() {
        const Numbers q = normalNumbers({2, 6, 4}, 1);
        for (const std::vector<std::int64_t>& shape :
             std::vector<std::vector<std::int64_t>>{{2, 5, 4}, {3, 6, 4}, {4}, {2, 2, 6, 4}}) {
            const std::string path = write(
                "odd.safetensors", safetensorsFile({{"q", q}, {"k", q}, {"v", normalNumbers(shape, 2)}}));
            for (const char* axes : {"by_shape", "heads_tokens_dim"}) {
                const Result<Scene> scene = opened({{"capture.queries", path}, {"capture.axes", axes}});
                QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
                const Figure figure = drawn(*scene).value();
                QCOMPARE(figure.matrix->rows, 6);
                QVERIFY(hasSentence(figure.notes, "V 'v' has the shape " + shapeText(shape) +
                                                      "; [2, 6, 4], that of K, is wanted: the values are not "
                                                      "used."));
                QVERIFY(readCapturedHead(*scene)->values == nullptr);
            }
            // Those that a person named are.
            QVERIFY(refusal({{"capture.queries", path}, {"capture.value_tensor", "v"}}) != "accepted");
        }
    }

    void valuesInANumberFormatThatIsNotReadRefuseNothing() {
        const std::string part = "\"dtype\": \"F32\", \"shape\": [2, 2], \"data_offsets\": ";
        const std::string header = "{\"q\": {" + part + "[0, 16]}, \"k\": {" + part +
                                   "[16, 32]}, \"v\": {\"dtype\": \"F8_E4M3\", \"shape\": [2, 2], "
                                   "\"data_offsets\": [32, 36]}}";
        const std::string path =
            write("f8.safetensors", littleEndianBytes(header.size(), 8) + header + std::string(36, '\0'));
        const Result<Scene> scene = opened({{"capture.queries", path}});
        QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
        QVERIFY(hasSentence(drawn(*scene)->notes,
                            "Type 'F8_E4M3' of 'v' is not supported; F32, F16, BF16, F64 "
                            "are. The values are not used."));
        QVERIFY(says(refusal({{"capture.queries", path}, {"capture.value_tensor", "v"}}), "'F8_E4M3'"));
    }

    void aFileThatChangesIsReadAgain() {
        const Numbers before = normalNumbers({6, 4}, 1), after = normalNumbers({6, 4}, 2);
        const std::string path =
            write("changes.safetensors", safetensorsFile({{"q", before}, {"k", before}}));
        const Scene scene = opened({{"capture.queries", path}}).value();
        Engine engine;
        FigureRequest request;
        request.id = "attention";
        const Matrix first = *engine.figure(scene, request)->matrix;
        const auto capture = openCapture(scene.capture).value();
        write("changes.safetensors", safetensorsFile({{"q", after}, {"k", after}}));
        std::filesystem::last_write_time(path, capture->queryFile.changedAt + std::chrono::seconds(1));
        QVERIFY(engine.figure(scene, request)->matrix->values != first.values);
        // What was asked of the file as it was is refused.
        const auto rows = readCaptureRows(capture->queryFile, capture->arrays.keys, 0,
                                          TurnedBy{*makePlan(scene, 6)->rotation, 0});
        QVERIFY(!rows);
        QCOMPARE(rows.error().message, "File changed while reading; try again."s);
        write("changes.safetensors",
              safetensorsFile({{"q", normalNumbers({7, 4}, 2)}, {"k", normalNumbers({7, 4}, 2)}}));
        QVERIFY(says(engine.figure(scene, request).error().message, "open the file again"));
    }

    void theNewestAnswerWillDoWithoutALookAtTheFiles() {
        const Numbers q = normalNumbers({2, 6, 4}, 1);
        const std::string file = safetensorsFile({{"q", q}, {"k", q}});
        const std::string path = write("remembered.safetensors", file);
        const Scene scene = opened({{"capture.queries", path}}).value();
        const auto first = openCapture(scene.capture).value();
        std::filesystem::remove(path);
        // What a window asks at each step of a slider.
        QVERIFY(openCapture(scene.capture, FileLook::remembered).value() == first);
        QCOMPARE(mapShape(scene, FileLook::remembered)->queries, std::int64_t{6});
        QVERIFY(sceneNotes(scene).warnings.empty());
        // The engine looks, and what it finds is remembered.
        QVERIFY(!mapShape(scene));
        write("remembered.safetensors", file);
        QVERIFY(!mapShape(scene, FileLook::remembered));
        QVERIFY(mapShape(scene).has_value());
        QVERIFY(mapShape(scene, FileLook::remembered).has_value());
    }

    void aHugeFileCostsItsHeaderAndOneHead() {
        // 40 GB of zeros that take no room: 512 heads of 163,840 tokens of 64 channels, twice.
        constexpr std::uint64_t tensorBytes = std::uint64_t{512} * 163'840 * 64 * 4;
        const std::string shape = "{\"dtype\": \"F32\", \"shape\": [512, 163840, 64], \"data_offsets\": [";
        const std::string header = "{\"q\": " + shape + "0, " + std::to_string(tensorBytes) +
                                   "]}, \"k\": " + shape + std::to_string(tensorBytes) + ", " +
                                   std::to_string(2 * tensorBytes) + "]}}";
        const std::string path = write("huge.safetensors", littleEndianBytes(header.size(), 8) + header);
        std::error_code error;
        std::filesystem::resize_file(path, 8 + header.size() + 2 * tensorBytes, error);
        if (error) {
            QSKIP("This file system has no sparse files.");
        }
        const std::uint64_t before = bytesReadSoFar();
        if (before == 0) {
            QSKIP("The system does not count what is read.");
        }
        const Result<Scene> scene = opened({{"capture.queries", path}, {"capture.axes", "heads_tokens_dim"}});
        QVERIFY2(scene, scene ? "" : scene.error().message.c_str());
        QVERIFY(bytesReadSoFar() - before < (1u << 20));
        QVERIFY(readCapturedHead(*scene));
        const std::uint64_t oneHead = std::uint64_t{163'840} * 64 * 4;
        QVERIFY(bytesReadSoFar() - before < 2 * oneHead + (2u << 20));
    }

private:
    /// Bytes that this process has asked the system for by reading, or 0 where it does not say.
    static std::uint64_t bytesReadSoFar() {
        std::ifstream file("/proc/self/io");
        std::string label;
        std::uint64_t bytes = 0;
        return file >> label >> bytes && label == "rchar:" ? bytes : 0;
    }
};

}  // namespace phaseladder::tests

QTEST_APPLESS_MAIN(phaseladder::tests::CaptureTest)
#include "capture_test.moc"
