#include "core/import/model_family.h"

#include <string>

#include <QTest>

#include "tests/core/config_reading.h"

using phaseladder::defaultScaling;
using phaseladder::ModelConfig;
using phaseladder::modelFamily;
using phaseladder::RopeLayout;
using phaseladder::rotaryDim;
using phaseladder::tests::config;
using phaseladder::tests::contains;
using phaseladder::tests::read;
using phaseladder::tests::refusal;

namespace {

std::string typed(const std::string& modelType, const std::string& fields = "") {
    return config(R"("model_type": ")" + modelType + "\"" + (fields.empty() ? "" : ", " + fields));
}

}  // namespace

class ModelFamilyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What a bare file of a family (width 4096, 32 heads) is read as: the defaults of its class.
    void bareFileHasTheDefaultsOfItsClass_data() {
        QTest::addColumn<bool>("interleaved");
        QTest::addColumn<double>("theta");
        QTest::addColumn<int>("headDim");
        QTest::addColumn<int>("rotary");
        QTest::addColumn<int>("trained");
        QTest::newRow("chatglm") << true << 1e4 << 128 << 64 << 2048;
        QTest::newRow("cohere") << true << 5e5 << 128 << 128 << 8192;
        QTest::newRow("cohere2") << true << 1e4 << 128 << 128 << 8192;
        QTest::newRow("deepseek_v32") << true << 1e4 << 64 << 64 << 163840;
        QTest::newRow("deepseek_v4") << true << 1e4 << 512 << 64 << 1048576;
        QTest::newRow("glm4_moe") << false << 1e4 << 128 << 64 << 131072;
        QTest::newRow("glm4_moe_lite") << true << 1e4 << 64 << 64 << 202752;
        QTest::newRow("glm4v") << true << 1e4 << 128 << 128 << 32768;
        QTest::newRow("glm_ocr") << true << 1e4 << 128 << 128 << 131072;
        QTest::newRow("internlm2") << false << 1e4 << 128 << 128 << 2048;
        QTest::newRow("kimi_k2") << true << 1e4 << 64 << 64 << 4096;
        QTest::newRow("longcat_flash") << true << 1e7 << 64 << 64 << 131072;
        QTest::newRow("minicpm3") << false << 1e4 << 32 << 32 << 32768;
        QTest::newRow("minimax_m2") << false << 5e6 << 128 << 128 << 196608;
        QTest::newRow("ministral3") << false << 1e6 << 128 << 128 << 262144;
        QTest::newRow("nomic_bert") << false << 1e3 << 128 << 128 << 2048;
        QTest::newRow("openai_privacy_filter") << true << 1.5e5 << 64 << 64 << 131072;
    }

    void bareFileHasTheDefaultsOfItsClass() {
        const ModelConfig model = read(typed(QTest::currentDataTag()));
        QTEST(model.scene.rope.layout == RopeLayout::interleaved, "interleaved");
        QTEST(model.scene.rope.theta, "theta");
        QTEST(model.scene.headDim, "headDim");
        QTEST(rotaryDim(model.scene), "rotary");
        QTEST(static_cast<int>(model.scene.length.trained), "trained");
    }

    // The width is the class's, not the quotient: Ernie 4.5 is 1024 wide with 16 heads of 128 channels.
    void classWidthWinsOverTheQuotient() {
        const ModelConfig model =
            read(R"({"model_type": "ernie4_5", "hidden_size": 1024, "num_attention_heads": 16})");
        QCOMPARE(model.scene.headDim, 128);
        QVERIFY(contains(model.defaulted, "head_dim"));
    }

    void fullLayersOfGemma4AreTwiceAsWide() {
        const std::string json = typed("gemma4_text", R"("head_dim": 256)");
        QCOMPARE(read(json).scene.headDim, 512);
        QCOMPARE(read(json, "sliding_attention").scene.headDim, 256);
        QCOMPARE(read(typed("gemma4_text", R"("global_head_dim": 128)")).scene.headDim, 128);
    }

    void familyThatIsNotInTheTableIsReadByTheCommonRule() {
        const ModelConfig model = read(typed("a_new_family"));
        QVERIFY(model.scene.rope.layout == RopeLayout::half);
        QVERIFY(contains(model.defaulted, "layout"));
        QVERIFY(contains(model.notes, "common defaults used: theta 10000."));
        QVERIFY(modelFamily("a_new_family").modelType.empty());
    }

    // gpt-oss without a dictionary would get YaRN with a factor of 32 from its class.
    void scalingOfTheClassIsWarnedAboutWhereTheFileHasNone() {
        QVERIFY(contains(read(typed("gpt_oss")).warnings, "would scale gpt_oss by its default (yarn)"));
        QVERIFY(read(typed("gpt_oss", R"("rope_parameters": {"rope_type": "default", "rope_theta": 150000})"))
                    .warnings.empty());
        QVERIFY(read(typed("llama")).warnings.empty());
        QVERIFY(defaultScaling("llama").empty());
    }

    void otherEncodingsAreNamed() {
        QVERIFY(
            contains({refusal(typed("whisper"))}, "sinusoidal positions in the encoder and learned ones"));
        QCOMPARE(read(typed("mpt")).scene.encoding, "alibi");
        QCOMPARE(read(typed("mpt", R"("attn_config": {"alibi": false})")).scene.encoding, "learned");
        QCOMPARE(read(typed("mpt", R"("attn_config": {"rope": true})")).scene.encoding, "rope");
        QVERIFY(contains({refusal(typed("chatglm", R"("position_encoding_2d": true)"))}, "two-dimensional"));
    }
};

QTEST_APPLESS_MAIN(ModelFamilyTest)
#include "model_family_test.moc"
