#include "ui/model_library.h"

#include <QRegularExpression>
#include <QTest>

#include "core/ladder/scaling.h"
#include "tests/core/golden.h"

using phaseladder::ErrorKind;
using phaseladder::ModelConfig;
using phaseladder::readModelConfig;
using phaseladder::Result;
using phaseladder::Scene;
using phaseladder::sceneLadders;
using phaseladder::SceneLadders;
using phaseladder::validate;
using phaseladder::tests::isRelativelyClose;
using phaseladder::tests::readGolden;
using phaseladder::ui::BuiltInModel;
using phaseladder::ui::builtInModels;
using phaseladder::ui::loadBuiltInModel;

namespace {

using Json = nlohmann::ordered_json;

/// The pointers of all values below a JSON value.
void collectPointers(const Json& value, const Json::json_pointer& at,
                     std::vector<Json::json_pointer>& pointers) {
    for (const auto& [key, inner] : value.items()) {
        const Json::json_pointer pointer = at / key;
        pointers.push_back(pointer);
        if (inner.is_object()) {
            collectPointers(inner, pointer, pointers);
        }
    }
}

Scene modelScene(const QString& id, const char* layerType = "full_attention") {
    Scene start;
    start.layerType = layerType;
    const Result<ModelConfig> model = loadBuiltInModel(id, start);
    return model ? model->scene : Scene{};
}

}  // namespace

class ModelLibraryTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyModelHasAPlainIdALabelAndASource() {
        static const QRegularExpression plainId(QStringLiteral("^[a-z0-9.-]+$"));
        QVERIFY(builtInModels().size() >= 25);
        QString previous;
        for (const BuiltInModel& model : builtInModels()) {
            QVERIFY2(plainId.match(model.id).hasMatch(), qPrintable(model.id));
            QVERIFY2(model.id > previous, qPrintable(model.id));
            QVERIFY2(!model.label.isEmpty() && !model.source.isEmpty(), qPrintable(model.id));
            previous = model.id;
        }
    }

    void everyModelLoadsAndMakesALadderInEachOfItsLayers() {
        for (const BuiltInModel& model : builtInModels()) {
            const Result<ModelConfig> config = loadBuiltInModel(model.id, Scene{});
            QVERIFY2(config.has_value(), qPrintable(model.id));
            QVERIFY(config->scene.model == model.label.toStdString());
            std::vector<std::string> layers = config->layerTypes;
            layers.emplace_back(config->scene.layerType);
            for (const std::string& layer : layers) {
                const Scene scene = modelScene(model.id, layer.c_str());
                QVERIFY2(validate(scene).has_value() && sceneLadders(scene).has_value(),
                         qPrintable(model.id));
                QVERIFY2(scene.length.target >= scene.length.trained, qPrintable(model.id));
            }
            for (const std::string& warning : config->warnings) {
                QVERIFY2(warning.find("Unknown") == std::string::npos, warning.c_str());
            }
        }
    }

    void laddersAgreeWithTheGoldenTables_data() {
        QTest::addColumn<QString>("id");
        QTest::addColumn<QString>("layerType");
        QTest::addColumn<QString>("row");
        QTest::addColumn<int>("length");  // 0 for the model's own target
        const auto add = [](const char* id, const char* row, int length = 0,
                            const char* layer = "full_attention") {
            QTest::newRow(row) << QString::fromLatin1(id) << QString::fromLatin1(layer)
                               << QString::fromLatin1(row) << length;
        };
        add("llama-2-7b", "default_llama2_d128");
        add("codellama-7b", "default_codellama_d128");
        add("yi-34b-200k", "default_yi200k_d128");
        add("gpt-neox-20b", "partial_neox20b_rot24_of_96");
        add("phi-2", "partial_phi2_rot32_of_80");
        add("gpt-j-6b", "partial_gptj_rot64_of_256");
        add("glm-4-9b-chat", "partial_glm4_rot64_of_128");
        add("llama-2-7b-32k-together", "linear_together32k_d128");
        add("gemma-3-4b-it", "linear_gemma3_4b_full_d256");
        add("gemma-3-4b-it", "default_gemma3_4b_sliding_d256", 0, "sliding_attention");
        add("internlm2.5-7b", "dynamic_internlm25_seq32768", 32768);
        add("internlm2.5-7b", "dynamic_internlm25_seq65536", 65536);
        add("internlm2.5-7b", "dynamic_internlm25_seq131072", 131072);
        add("yarn-llama-2-7b-64k", "yarn_llama2_64k");
        add("yarn-llama-2-13b-128k", "yarn_llama2_128k");
        add("yarn-mistral-7b-128k", "yarn_mistral_128k");
        add("qwen2.5-yarn-128k-recipe", "yarn_qwen25_128k");
        add("deepseek-v2-lite", "yarn_deepseek_v2_d64");
        add("deepseek-v3", "yarn_deepseek_v3_d64");
        add("kimi-k2.5-eagle3-draft", "yarn_kimi_k25_d64");
        add("gpt-oss-20b", "yarn_gptoss_truncate_false_d64");
        add("ministral-3-3b-2512", "yarn_ministral3_d128");
        add("phi-3.5-mini", "longrope_phi-3.5-mini_short", 4096);
        add("phi-3.5-mini", "longrope_phi-3.5-mini_long");
        add("phi-4-mini", "longrope_phi-4-mini_short", 4096);
        add("phi-4-mini", "longrope_phi-4-mini_long");
        add("llama-3.1-8b", "llama31_8b_d128");
        add("llama-3.2-1b", "llama32_1b_d64");
        add("llama-3.2-3b", "llama32_3b_d128");
        add("gemma-4-text-defaults", "proportional_gemma4_full_d512");
    }
    void laddersAgreeWithTheGoldenTables() {
        QFETCH(const QString, id);
        QFETCH(const QString, layerType);
        QFETCH(const QString, row);
        QFETCH(const int, length);
        Scene scene = modelScene(id, layerType.toStdString().c_str());
        if (length > 0) {
            scene.length.target = length;
        }
        const nlohmann::json golden = readGolden("golden.json").at("rope").at(row.toStdString());
        const nlohmann::json& expected = golden.at("inv_freq");
        const Result<SceneLadders> both = sceneLadders(scene);
        QVERIFY(both.has_value());
        const auto& ladder = both->scaled.ladder;
        const auto close = [&](std::size_t pair, const char* key) {
            return isRelativelyClose(static_cast<double>(ladder.inverseFrequency.at(pair)),
                                     expected.at(key).get<double>(), 1e-12);
        };
        QCOMPARE(ladder.inverseFrequency.size(), expected.at("n").get<std::size_t>());
        QVERIFY(close(0, "first"));
        QVERIFY(close(expected.at("middle_index").get<std::size_t>(), "middle"));
        QVERIFY(close(ladder.inverseFrequency.size() - 1, "last"));
        QVERIFY(isRelativelyClose(ladder.attentionFactor, golden.value("attention_factor", 1.0), 1e-9));
        QVERIFY(isRelativelyClose(scene.scaling.softmaxMultiplier, golden.value("softmax_multiplier", 1.0),
                                  1e-9));
    }

    void llama2WasTrainedAt4096() {
        QCOMPARE(modelScene(QStringLiteral("llama-2-7b")).length.trained, 4096);
        QCOMPARE(modelScene(QStringLiteral("llama-2-7b-32k-together")).length.target, 32768);
    }

    void unknownModelNamesTheNearestOne() {
        const Result<ModelConfig> model = loadBuiltInModel(QStringLiteral("lama-3.1-8b"), Scene{});
        QVERIFY(!model);
        QCOMPARE(model.error().kind, ErrorKind::usage);
        QVERIFY2(model.error().message.find("llama-3.1-8b") != std::string::npos,
                 model.error().message.c_str());
    }

    void anyValueInAnyFieldIsReadOrRefusedWithASentence() {
        const std::vector<Json> values{nullptr,
                                       true,
                                       "x",
                                       "",
                                       0,
                                       -1,
                                       3,
                                       0.5,
                                       1e300,
                                       Json::array(),
                                       Json::array({1, "a"}),
                                       Json::object(),
                                       Json::object({{"full_attention", Json::object()}})};
        for (const BuiltInModel& model : builtInModels()) {
            const Json original = Json::parse(model.config.toStdString());
            std::vector<Json::json_pointer> pointers;
            collectPointers(original, Json::json_pointer(), pointers);
            for (const Json::json_pointer& pointer : pointers) {
                for (const Json& value : values) {
                    Json changed = original;
                    changed[pointer] = value;
                    const Result<ModelConfig> config = readModelConfig(changed.dump(), Scene{});
                    const bool isFine = config ? sceneLadders(config->scene).has_value()
                                               : config.error().kind == ErrorKind::invalidInput &&
                                                     !config.error().message.empty();
                    QVERIFY2(isFine, (changed.dump() + (config ? "" : config.error().message)).c_str());
                }
            }
        }
    }

    void configOfAModelIsReadLikeAFile() {
        for (const BuiltInModel& model : builtInModels()) {
            QVERIFY2(readModelConfig(model.config.toStdString(), Scene{}).has_value(), qPrintable(model.id));
        }
    }
};

QTEST_MAIN(ModelLibraryTest)
#include "model_library_test.moc"
