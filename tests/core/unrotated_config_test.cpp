#include <QTest>

#include "core/encodings/alibi.h"
#include "core/encodings/learned.h"
#include "tests/core/config_reading.h"

using phaseladder::alibiSlopes;
using phaseladder::learnedTable;
using phaseladder::ModelConfig;
using phaseladder::Scene;
using phaseladder::SinusoidalLayout;
using phaseladder::SinusoidalSpacing;
using phaseladder::tests::contains;
using phaseladder::tests::read;

/// Configs of models that do not rotate: the fields of public files.
class UnrotatedConfigTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gpt2HasATableOf1024Rows() {
        const ModelConfig model = read(
            R"({"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_positions": 1024, "n_ctx": 1024})");
        QCOMPARE(model.scene.encoding, std::string("learned"));
        QCOMPARE(model.scene.learned.rows, std::int64_t{1024});
        QCOMPARE(model.scene.learned.offset, std::int64_t{0});
        QCOMPARE(model.scene.headDim, 64);
        QCOMPARE(model.scene.heads, 12);
        QCOMPARE(model.scene.length.trained, std::int64_t{1024});
        QVERIFY(contains(model.notes, "seeded one of 1024 rows"));
    }

    void robertaBeginsPastItsPadding() {
        // Case I05, and the Japanese model whose padding row is 3: 514 - 3 - 1 = 510.
        const ModelConfig base = read(
            R"({"model_type": "roberta", "hidden_size": 768, "num_attention_heads": 12,
                "max_position_embeddings": 514, "pad_token_id": 1})");
        QCOMPARE(base.scene.learned.offset, std::int64_t{2});
        QCOMPARE(learnedTable(base.scene, 0)->usable, std::int64_t{512});
        QCOMPARE(base.scene.length.trained, std::int64_t{512});
        const ModelConfig japanese = read(
            R"({"model_type": "roberta", "hidden_size": 768, "num_attention_heads": 12,
                "max_position_embeddings": 514, "padding_idx": 3})");
        QCOMPARE(learnedTable(japanese.scene, 0)->usable, std::int64_t{510});
    }

    void optAndBartHaveTwoRowsMoreThanPositions() {
        for (const std::string type : {"opt", "bart"}) {
            const ModelConfig model = read(R"({"model_type": ")" + type +
                                           R"(", "hidden_size": 768, "num_attention_heads": 12,
                                               "max_position_embeddings": 2048})");
            QCOMPARE(model.scene.learned.rows, std::int64_t{2050});
            QCOMPARE(learnedTable(model.scene, 0)->usable, std::int64_t{2048});
        }
    }

    void alibiModelsBringTheirHeads() {
        const ModelConfig mpt = read(
            R"({"model_type": "mpt", "d_model": 4096, "n_heads": 32, "max_seq_len": 2048,
                "attn_config": {"alibi": true, "alibi_bias_max": 8}, "learned_pos_emb": true})");
        QCOMPARE(mpt.scene.encoding, std::string("alibi"));
        QCOMPARE(mpt.scene.heads, 32);
        QCOMPARE(mpt.scene.headDim, 128);
        QVERIFY(mpt.warnings.empty());
        // Case G06: 6 heads are no error.
        const ModelConfig six =
            read(R"({"model_type": "mpt", "d_model": 384, "n_heads": 6, "attn_config": {"alibi": true}})");
        QVERIFY((alibiSlopes(six.scene.alibiSlopes, six.scene.heads) ==
                 std::vector<double>{0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125}));
        const ModelConfig other = read(
            R"({"model_type": "mpt", "d_model": 384, "n_heads": 6,
                "attn_config": {"alibi": true, "alibi_bias_max": 16}})");
        QVERIFY(contains(other.warnings, "attn_config.alibi_bias_max is 16"));
        QCOMPARE(read(R"({"model_type": "bloom", "hidden_size": 1024, "n_head": 16})").scene.encoding,
                 std::string("alibi"));
    }

    void t5BringsItsBuckets() {
        const ModelConfig model = read(
            R"({"model_type": "t5", "d_model": 512, "d_kv": 64, "num_heads": 8,
                "relative_attention_num_buckets": 16, "relative_attention_max_distance": 64})");
        QCOMPARE(model.scene.encoding, std::string("t5"));
        QCOMPARE(model.scene.t5.buckets, 16);
        QCOMPARE(model.scene.t5.maximumDistance, 64);
        QCOMPARE(model.scene.headDim, 64);
        const ModelConfig plain = read(R"({"model_type": "t5", "d_model": 512, "d_kv": 64, "num_heads": 8})");
        QCOMPARE(plain.scene.t5.buckets, 32);
        QVERIFY(contains(plain.defaulted, "buckets") && contains(plain.defaulted, "max_distance"));
    }

    void sinusoidsAreLaidOutAsInTheirFamily() {
        const auto settings = [](const std::string& type) {
            return read(R"({"model_type": ")" + type +
                        R"(", "d_model": 512, "num_attention_heads": 8, "max_position_embeddings": 512})")
                .scene.sinusoidal;
        };
        QVERIFY(settings("marian").layout == SinusoidalLayout::halves);
        QVERIFY(settings("marian").spacing == SinusoidalSpacing::paper);
        QVERIFY(settings("m2m_100").spacing == SinusoidalSpacing::tensor2tensor);
    }

    void theNextModelStartsAfresh() {
        const ModelConfig roberta = read(
            R"({"model_type": "roberta", "hidden_size": 768, "num_attention_heads": 12,
                "max_position_embeddings": 514})");
        const auto llama = phaseladder::readModelConfig(
            R"({"model_type": "llama", "head_dim": 128, "num_attention_heads": 32, "hidden_size": 4096})",
            roberta.scene);
        QCOMPARE(llama->scene.encoding, std::string("rope"));
        QVERIFY(llama->scene.learned == Scene().learned);
    }
};

QTEST_GUILESS_MAIN(UnrotatedConfigTest)
#include "unrotated_config_test.moc"
