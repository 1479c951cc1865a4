#include <string>

#include <QTest>

#include <fmt/format.h>

#include "tests/core/config_reading.h"

using phaseladder::looksLikeModelConfig;
using phaseladder::ModelConfig;
using phaseladder::tests::config;
using phaseladder::tests::contains;
using phaseladder::tests::read;
using phaseladder::tests::refusal;

class ModelConfigRefusalTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // D03
    void oddRotaryWidthIsRefusedWithItsSourceFields() {
        QCOMPARE(
            refusal(
                R"({"model_type": "gpt_neox", "hidden_size": 32, "num_attention_heads": 8, "rotary_pct": 0.75})"),
            "Rotary width must be even (hidden_size / num_attention_heads 4 × rotary_pct 0.75 is 3, cut to "
            "3); "
            "2 or 4 channels can rotate.");
    }

    // D09
    void oddHeadDimIsRefusedWithTheNearestEvenOnes() {
        QCOMPARE(refusal(R"({"d_model": 12, "n_heads": 4})"),
                 "Head dimension must be even (d_model / n_heads = 12 / 4 is 3); try 2 or 4.");
        QCOMPARE(refusal(R"({"head_dim": 63})"),
                 "Head dimension must be even (head_dim is 63); try 62 or 64.");
        QVERIFY(refusal(R"({"head_dim": 0})").find("(got 0)") != std::string::npos);
        QVERIFY(refusal(R"({"head_dim": 1026})").find("(got 1026)") != std::string::npos);
    }

    void missingLayerTypeIsNamedWithThoseOfTheFile() {
        QCOMPARE(refusal(R"({"head_dim": 16, "rope_parameters": {"full_attention": {"rope_type": "default"},
                             "sliding_attention": {"rope_type": "default"}}})",
                         "chunked_attention"),
                 "No layer type 'chunked_attention' in rope_parameters; it has: full_attention, "
                 "sliding_attention.");
    }

    void lengthsBeyondAllIntegersAreRefused() {
        for (const char* fields :
             {R"("model_type": "gpt2", "n_positions": 1e92)",
              R"("model_type": "roberta", "max_position_embeddings": 1e92)",
              R"("model_type": "roberta", "max_position_embeddings": 514, "pad_token_id": 1e92)"}) {
            const std::string refused =
                refusal(fmt::format(R"({{{}, "hidden_size": 768, "num_attention_heads": 12}})", fields));
            QVERIFY2(refused.find("1e+92") != std::string::npos, refused.c_str());
        }
    }

    void namesOfLayerTypesAreShownInOneShortSentence() {
        QCOMPARE(refusal(R"({"head_dim": 16, "rope_parameters": {"a\tb": {}, "full": {}}})", "x\ny"),
                 "No layer type 'x\\ny' in rope_parameters; it has: 'a\\tb', full.");
        std::string layers;
        for (int layer = 0; layer < 500; ++layer) {
            layers += fmt::format(R"({}"layer_{}": {{}})", layer == 0 ? "" : ", ", layer);
        }
        const std::string many = refusal(R"({"head_dim": 16, "rope_parameters": {)" + layers + "}}", "other");
        QVERIFY2(many.ends_with("layer_9 and 490 more."), many.c_str());
    }

    // Bad input 37.
    void unknownRopeTypeListsTheKnownOnes() {
        QCOMPARE(refusal(config(R"("rope_scaling": {"rope_type": "spiral", "factor": 2})")),
                 "Unknown rope type 'spiral'; known: default, linear, dynamic, yarn, longrope, llama3, "
                 "proportional.");
        QVERIFY(refusal(config(R"("rope_scaling": {"type": "ntk_yarn", "factor": 4.0})"))
                    .starts_with("Unknown rope type"));
    }

    // Bad inputs 12 to 14 and 19 in a file, and values of another kind.
    void badValuesAreRefusedByNameAndValue_data() {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("message");
        QTest::newRow("text") << R"("rope_theta": "ten")"
                              << R"(rope_theta must be a finite number (got "ten").)";
        QTest::newRow("number in quotes")
            << R"("rope_parameters": {"rope_theta": "10000"})"
            << R"(rope_parameters.rope_theta must be a finite number (got "10000").)";
        QTest::newRow("switch for a number") << R"("rope_scaling": {"type": "linear", "factor": true})"
                                             << "rope_scaling.factor must be a finite number (got true).";
        QTest::newRow("number for a switch")
            << R"("rope_scaling": {"type": "yarn", "factor": 2, "truncate": 1})"
            << "rope_scaling.truncate must be true or false (got 1).";
        QTest::newRow("type that is no text") << R"("rope_scaling": {"type": 3})"
                                              << "rope_scaling.type must be text (got 3).";
        QTest::newRow("dictionary that is a list") << R"("rope_scaling": [1, 2])"
                                                   << "rope_scaling must be an object (got [1,2]).";
        QTest::newRow("half a token") << R"("max_position_embeddings": 2048.5)"
                                      << "max_position_embeddings must be a whole number (got 2048.5).";
        QTest::newRow("text in a list")
            << R"("rope_scaling": {"type": "longrope", "factor": 2, "short_factor": [1, "a"]})"
            << R"(rope_scaling.short_factor must hold finite numbers only (got "a" at place 2).)";
    }

    void badValuesAreRefusedByNameAndValue() {
        QFETCH(const QString, fields);
        QFETCH(const QString, message);
        QCOMPARE(QString::fromStdString(refusal(config(fields.toStdString()))), message);
    }

    void valuesOutsideTheirLimitsAreRefusedByName_data() {
        QTest::addColumn<QString>("fields");
        QTest::addColumn<QString>("beginning");
        QTest::addColumn<QString>("value");
        QTest::newRow("theta 0") << R"("rope_theta": 0)"
                                 << "rope_theta: "
                                 << "(got 0)";
        QTest::newRow("theta below 0") << R"("rope_theta": -10000)"
                                       << "rope_theta: "
                                       << "(got -10000)";
        QTest::newRow("factor below 1") << R"("rope_scaling": {"type": "linear", "factor": 0.25})"
                                        << "rope_scaling.factor: "
                                        << "enter 4";
        QTest::newRow("beta 0") << R"("rope_scaling": {"type": "yarn", "factor": 2, "beta_slow": 0})"
                                << "rope_scaling.beta_slow: "
                                << "(got 0)";
        QTest::newRow("no heads") << R"("head_dim": 64, "num_attention_heads": 0)"
                                  << "num_attention_heads: "
                                  << "(got 0)";
        QTest::newRow("no length") << R"("max_position_embeddings": 0)"
                                   << "max_position_embeddings: "
                                   << "(got 0)";
        QTest::newRow("share above 1") << R"("partial_rotary_factor": 1.5)"
                                       << "partial_rotary_factor: "
                                       << "(got 1.5)";
        QTest::newRow("original of 0")
            << R"("rope_scaling": {"type": "yarn", "factor": 2, "original_max_position_embeddings": 0})"
            << "rope_scaling.original_max_position_embeddings: "
            << "(got 0)";
    }

    void valuesOutsideTheirLimitsAreRefusedByName() {
        QFETCH(const QString, fields);
        QFETCH(const QString, beginning);
        QFETCH(const QString, value);
        const std::string start = fields.contains(QLatin1StringView("num_attention_heads"))
                                      ? "{"
                                      : R"({"hidden_size": 4096, "num_attention_heads": 32, )";
        const QString message = QString::fromStdString(refusal(start + fields.toStdString() + "}"));
        QVERIFY2(message.startsWith(beginning), qPrintable(message));
        QVERIFY2(message.contains(value), qPrintable(message));
    }

    void integersAndNullsAreAccepted() {
        const ModelConfig model = read(config(R"("rope_theta": 10000, "sliding_window": null, "rope_scaling":
            {"rope_type": "yarn", "factor": 40, "attention_factor": null, "beta_fast": null,
             "original_max_position_embeddings": 4096})"));
        QCOMPARE(model.scene.scaling.factor, 40.0);
        QCOMPARE(model.scene.scaling.betaFast, 32.0);
        QVERIFY(model.warnings.empty());
    }

    void unknownKeyIsWarnedAboutWithTheNearestKnownOne() {
        const ModelConfig model = read(
            config(R"("rope_tehta": 1e6, "rope_scaling": {"type": "linear", "factro": 3, "factor": 2})"));
        QVERIFY(contains(model.warnings, "rope_scaling.factro"));
        QVERIFY(contains(model.warnings, "did you mean 'factor'?"));
        QVERIFY(contains(model.warnings, "did you mean 'rope_theta'?"));
    }

    void keyOfAnotherTypeIsNoted() {
        const ModelConfig model = read(
            config(R"("n_ctx": 2048, "rope_scaling": {"type": "linear", "factor": 2, "beta_fast": 32})"));
        QVERIFY(contains(model.notes, "rope_scaling.beta_fast is not read by rope type linear."));
        QVERIFY(model.warnings.empty());
    }

    void modelsWithAnotherEncodingAreRefusedByItsName_data() {
        QTest::addColumn<QString>("json");
        QTest::addColumn<QString>("encoding");
        QTest::newRow("DeBERTa") << R"({"model_type": "deberta-v2", "hidden_size": 768})"
                                 << "disentangled";
        QTest::newRow("SpeechT5") << R"({"model_type": "speecht5", "hidden_size": 768})"
                                  << "Shaw";
        QTest::newRow("Whisper") << R"({"model_type": "whisper", "d_model": 512})"
                                 << "sinusoidal positions in";
    }

    void modelsWithAnotherEncodingAreRefusedByItsName() {
        QFETCH(const QString, json);
        QFETCH(const QString, encoding);
        const QString message = QString::fromStdString(refusal(json.toStdString()));
        QVERIFY2(message.contains(encoding) &&
                     message.contains(QLatin1StringView("none of the encodings here: none, learned")),
                 qPrintable(message));
    }

    void filesThatAreNoConfigAreRefused() {
        QVERIFY(refusal("[1, 2]").starts_with("Not a model's config"));
        QVERIFY(refusal("{}").starts_with("The head dimension is missing"));
        QVERIFY(refusal(R"({"phaseladder": 1})").starts_with("This is a Phaseladder scene"));
        QVERIFY(refusal("{\"head_dim\": 64, \"head").find("JSON ends at byte") != std::string::npos);
        QVERIFY(refusal("{\"head_dim\": 64,\n\"head_dim\": 64}").find("lines 1, 2") != std::string::npos);
        QVERIFY(refusal(R"({"head_dim": 64, "rope_theta": 1e400})").find("rope_theta") != std::string::npos);
        QVERIFY(refusal(R"({"head_dim": 64, "rope_theta": NaN})") != "accepted");
    }

    void configIsToldFromScene() {
        QVERIFY(looksLikeModelConfig(R"( {"model_type": "llama"})"));
        QVERIFY(looksLikeModelConfig(R"({"_name_or_path": "phaseladder", )"));
        QVERIFY(!looksLikeModelConfig(R"({"phaseladder" : 1, "rope.theta": 10000)"));
        QVERIFY(!looksLikeModelConfig(R"(["dog", "bites"])"));
        QVERIFY(!looksLikeModelConfig(""));
    }
};

QTEST_APPLESS_MAIN(ModelConfigRefusalTest)
#include "model_config_refusal_test.moc"
