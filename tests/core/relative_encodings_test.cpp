#include <algorithm>
#include <cmath>
#include <numeric>

#include <QTest>

#include "core/attention/pair_scorer.h"
#include "core/attention/rotate.h"
#include "core/encodings/alibi.h"
#include "core/encodings/encoding.h"
#include "core/encodings/relative_bias.h"
#include "core/encodings/t5.h"
#include "core/parameter.h"
#include "tests/core/golden.h"

using nlohmann::json;
using phaseladder::AlibiSlopes;
using phaseladder::alibiSlopes;
using phaseladder::biasTables;
using phaseladder::EncodingPlan;
using phaseladder::findEncoding;
using phaseladder::findParameter;
using phaseladder::growthAt;
using phaseladder::isBidirectional;
using phaseladder::PairScorer;
using phaseladder::Scene;
using phaseladder::t5Bucket;
using phaseladder::T5Direction;
using phaseladder::validate;
using phaseladder::XposCentre;
using phaseladder::tests::readGolden;

namespace {

Scene sceneOf(const std::string& encoding) {
    Scene scene;
    scene.encoding = encoding;
    return scene;
}

EncodingPlan planOf(const Scene& scene, std::int64_t tokens) {
    return findEncoding(scene.encoding)->plan(scene, tokens).value();
}

void compareSlopes(const std::vector<double>& slopes, const json& expected) {
    QCOMPARE(slopes.size(), expected.size());
    for (std::size_t head = 0; head < slopes.size(); ++head) {
        const double wanted = expected.at(head).get<double>();
        QVERIFY(std::abs(slopes[head] - wanted) <= 1e-14 * wanted);
    }
}

}  // namespace

class RelativeEncodingsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void alibiSlopesAreThePublishedOnes() {
        const json golden = readGolden("golden.json").at("alibi");
        for (const int heads : {1, 4, 6, 8, 12, 16}) {  // 6: cases G01 and G06
            compareSlopes(alibiSlopes(AlibiSlopes::common, heads), golden.at(std::to_string(heads)));
        }
        compareSlopes(alibiSlopes(AlibiSlopes::paper, 12), golden.at("12_paper_formula_ratio_2^(-8/12)"));
        for (const int heads : {40, 112}) {
            const std::vector<double> slopes = alibiSlopes(AlibiSlopes::common, heads);
            const auto power = static_cast<std::size_t>(heads == 40 ? 32 : 64);
            compareSlopes({slopes.front(), slopes[power - 1], slopes[power], slopes.back()},
                          golden.at(std::to_string(heads) + "_first_last_extra"));
        }
    }

    void fortyHeadsFollowTheRuleThatIsAskedFor() {
        // Case G04.
        const std::vector<double> common = alibiSlopes(AlibiSlopes::common, 40);
        QVERIFY(std::abs(common[32] - 0.917004043) < 5e-10 && std::abs(common[39] - 0.272626933) < 5e-10);
        const std::vector<double> paper = alibiSlopes(AlibiSlopes::paper, 40);
        QVERIFY(std::abs(paper[0] - 0.870550563) < 5e-10 && std::abs(paper[39] - 0.00390625) < 1e-12);
    }

    void alibiTakesSlopeTimesDistance() {
        Scene scene = sceneOf("alibi");
        scene.heads = 12;
        scene.head = 8;
        const EncodingPlan plan = planOf(scene, 6);
        for (int offset = -5; offset <= 5; ++offset) {
            QVERIFY(std::abs(plan.scoreBias->at(offset) + 0.7071067811865476 * std::abs(offset)) < 1e-15);
        }
        QVERIFY(plan.scaleByRootWidth);
    }

    void t5BucketsAreThePublishedOnes() {
        const json golden = readGolden("golden.json").at("t5");
        const auto compare = [&](const char* name, int sign, bool bidirectional) {
            for (const auto& [distance, bucket] : golden.at(name).items()) {
                QCOMPARE(t5Bucket(sign * std::stol(distance), bidirectional, 32, 128), bucket.get<int>());
            }
        };
        compare("bidirectional_past", -1, true);
        compare("bidirectional_future", 1, true);
        compare("causal_past", -1, false);
        // Cases H01, H02, H05: a causal stack puts the whole future into bucket 0; far is the last bucket;
        // the offset is key - query.
        QCOMPARE(t5Bucket(1000, false, 32, 128), 0);
        QCOMPARE(t5Bucket(-1000, true, 32, 128), 15);
        QCOMPARE(t5Bucket(-1000, false, 32, 128), 31);
        QCOMPARE(t5Bucket(1, true, 32, 128), 17);
        QCOMPARE(t5Bucket(-1, true, 32, 128), 1);
    }

    void t5HasAnUnusedBucketAndSaturatesEarly() {
        std::vector<int> used;
        for (int offset = -1000; offset <= 1000; ++offset) {
            used.push_back(t5Bucket(offset, true, 32, 128));
        }
        QVERIFY(std::ranges::find(used, 16) == used.end());
        QVERIFY(t5Bucket(-90, true, 32, 128) < 15 && t5Bucket(-91, true, 32, 128) == 15);
        QVERIFY(t5Bucket(-112, false, 32, 128) < 31 && t5Bucket(-113, false, 32, 128) == 31);
        QVERIFY(findEncoding("t5")->numbers(sceneOf("t5")).find("from 91 on") != std::string::npos);
    }

    void t5BucketsStayInRangeForAnySettings() {
        for (const int buckets : {2, 4, 6, 32, 1024}) {
            for (const int maximum : {2, 3, 16, 128, 1048576}) {
                for (const bool bidirectional : {false, true}) {
                    for (const std::int64_t offset :
                         {-1048576, -129, -17, -3, -2, -1, 0, 1, 2, 40, 1048576}) {
                        const int bucket = t5Bucket(offset, bidirectional, buckets, maximum);
                        QVERIFY(bucket >= 0 && bucket < buckets);
                    }
                }
            }
        }
    }

    void t5PlanIsTheBucketOfEachOffset() {
        for (const int maximum : {2, 16, 128}) {
            Scene scene = sceneOf("t5");
            scene.t5.maximumDistance = maximum;
            const EncodingPlan near = planOf(scene, 400);
            // The same offset has the same bias in any text, also where clipping at the reach sets in.
            for (int offset = -399; offset <= 399; ++offset) {
                const int bucket = t5Bucket(offset, true, 32, maximum);
                for (int other = -399; other <= 399; other += 7) {
                    const bool sameBucket = t5Bucket(other, true, 32, maximum) == bucket;
                    QVERIFY(sameBucket == (near.scoreBias->at(offset) == near.scoreBias->at(other)));
                }
            }
            QVERIFY(!near.scaleByRootWidth);
        }
    }

    void t5FollowsTheMaskUnlessToldOtherwise() {
        Scene scene = sceneOf("t5");
        QVERIFY(isBidirectional(scene));
        scene.causal = true;
        QVERIFY(!isBidirectional(scene));
        scene.t5.direction = T5Direction::bidirectional;
        QVERIFY(isBidirectional(scene));
    }

    void shawClipsAsTensor2tensorDoes() {
        const json golden = readGolden("golden.json").at("shaw_K2");
        Scene scene = sceneOf("shaw");
        scene.shaw.clip = 2;
        scene.headDim = 4;
        const EncodingPlan plan = planOf(scene, 5);
        QVERIFY(plan.relativeKeys.has_value() && !plan.relativeValues.has_value());
        QCOMPARE(plan.relativeKeys->rows.size(), std::size_t{5 * 4});
        // What a query of ones meets at each pair of places is the sum of the row that the table names.
        const PairScorer scorer = PairScorer::create(scene, 5).value();
        const Eigen::RowVectorXd ones = Eigen::RowVectorXd::Ones(4);
        for (int query = 0; query < 5; ++query) {
            for (int key = 0; key < 5; ++key) {
                const auto row = golden.at(static_cast<std::size_t>(query))
                                     .at(static_cast<std::size_t>(key))
                                     .get<std::ptrdiff_t>();
                const auto first = plan.relativeKeys->rows.begin() + 4 * row;
                const double expected = std::accumulate(first, first + 4, 0.0) / 2.0;  // √4
                QVERIFY(std::abs(scorer.parts(ones, query, ones, key).relative - expected) < 1e-14);
            }
        }
        scene.shaw.valueVectors = true;
        QVERIFY(planOf(scene, 5).relativeValues->rows != plan.relativeKeys->rows);
    }

    void biasTableIsByQueryMinusKey() {
        Scene scene = sceneOf("relative_bias");
        scene.relativeBias.clip = 1;
        scene.relativeBias.values = {-1.0, 0.0, 2.0};  // b(-1): the key comes later; b(1): it came before
        const EncodingPlan plan = planOf(scene, 9);
        QCOMPARE(plan.scoreBias->at(-1), 2.0);
        QCOMPARE(plan.scoreBias->at(-8), 2.0);
        QCOMPARE(plan.scoreBias->at(0), 0.0);
        QCOMPARE(plan.scoreBias->at(3), -1.0);
    }

    void headsHaveTheirOwnTableUnlessItIsShared() {
        Scene scene = sceneOf("relative_bias");
        scene.heads = 3;
        QCOMPARE(biasTables(scene).size(), std::size_t{3 * 9});
        const EncodingPlan first = planOf(scene, 9);
        scene.head = 2;
        QVERIFY(!(planOf(scene, 9) == first));
        scene.relativeBias.shared = true;
        QCOMPARE(biasTables(scene).size(), std::size_t{9});
        QVERIFY(planOf(scene, 9) == first);
    }

    void drawnTableKeepsItsMiddleWhenTheClipChanges() {
        Scene scene = sceneOf("relative_bias");
        scene.relativeBias.clip = 2;
        scene.relativeBias.values = {1, 2, 3, 4, 5};
        const auto* clip = findParameter("relative_bias.clip");
        QVERIFY(setParameter(scene, *clip, 3.0).has_value());
        QCOMPARE(scene.relativeBias.values, (std::vector<double>{1, 1, 2, 3, 4, 5, 5}));
        QVERIFY(setParameter(scene, *clip, 1.0).has_value());
        QCOMPARE(scene.relativeBias.values, (std::vector<double>{2, 3, 4}));
        QVERIFY(validate(scene).has_value());
        scene.relativeBias.values.push_back(5);
        const auto refused = validate(scene);
        QVERIFY(!refused &&
                refused.error().message.find("holds 4 numbers; K = 1 needs 3") != std::string::npos);
        QVERIFY(!setParameter(scene, *clip, 0.0).has_value());  // K ≤ 0
        QVERIFY(!setParameter(scene, *findParameter("shaw.clip"), -1.0).has_value());
        for (const double buckets : {0.0, 7.0}) {
            QVERIFY(!setParameter(scene, *findParameter("t5.buckets"), buckets).has_value());
        }
    }

    void transformerXlMeetsSinesAndCosinesOfTheDistance() {
        Scene scene = sceneOf("transformer_xl");
        scene.headDim = 8;
        const EncodingPlan plan = planOf(scene, 20);
        QCOMPARE(plan.relativeKeys->reach, std::int64_t{19});
        QVERIFY(plan.queryOffsets->content.size() == 8 &&
                plan.queryOffsets->content != plan.queryOffsets->position);
        // R is projected by one matrix for all distances: R[-x] + R[x] holds cosines only, so it is twice the
        // cosine half's projection, and the sum over x of any row is linear in cos(x w). At distance 0 the
        // sine half is 0: doubling the angle formula ties three rows, cos 2x = 2 cos² x - 1, for one pair (d
        // = 2).
        scene.headDim = 2;
        const EncodingPlan narrow = planOf(scene, 20);
        const auto even = [&](std::int64_t x, std::size_t channel) {
            const auto row = [&](std::int64_t offset) {
                return narrow.relativeKeys->rows[static_cast<std::size_t>(offset + 19) * 2 + channel];
            };
            return (row(x) + row(-x)) / 2.0;
        };
        for (std::size_t channel = 0; channel < 2; ++channel) {
            for (std::int64_t x = 0; x < 19; ++x) {
                QVERIFY(std::abs(even(x, channel) - even(0, channel) * std::cos(static_cast<double>(x))) <
                        1e-13);
            }
        }
        scene.transformerXlClamp = 4;
        const EncodingPlan clamped = planOf(scene, 20);
        QCOMPARE(clamped.relativeKeys->reach, std::int64_t{4});
        for (std::size_t at = 0; at < 2; ++at) {
            QVERIFY(std::abs(clamped.relativeKeys->rows[at] - narrow.relativeKeys->rows[15 * 2 + at]) <
                    1e-15);
        }
    }

    void xposGainsAreThePublishedOnes() {
        const json golden = readGolden("golden.json").at("xpos_d8");
        Scene scene = sceneOf("xpos");
        scene.headDim = 8;
        scene.xpos.centre = XposCentre::none;
        const EncodingPlan plan = planOf(scene, 70000);
        const auto gain = [&](std::size_t pair, std::int64_t query, std::int64_t key) {
            return growthAt(*plan.rotation, pair, query) / growthAt(*plan.rotation, pair, key);
        };
        for (std::size_t pair = 0; pair < 4; ++pair) {
            const double near = golden.at("score_gain_per_pair_distance_2").at(pair);
            const double far = golden.at("score_gain_distance_4096").at(pair);
            QVERIFY(std::abs(gain(pair, 2, 0) / near - 1.0) < 1e-12);
            QVERIFY(std::abs(gain(pair, 5000, 904) / far - 1.0) < 1e-11);
        }
        const double key = 1.0 / growthAt(*plan.rotation, 0, 4096);
        QVERIFY(std::abs(key / golden.at("k_scale_pos4096_uncentred").get<double>() - 1.0) < 1e-11);
        const double overflowing = -std::log10(growthAt(*plan.rotation, 0, 65536));
        QVERIFY(std::abs(overflowing - golden.at("k_scale_pos65536_uncentred_log10").get<double>()) < 1e-9);
    }

    void xposCentresAreThoseOfTheLibraries() {
        const json golden = readGolden("golden.json").at("xpos_d8");
        Scene scene = sceneOf("xpos");
        scene.headDim = 8;
        for (const auto& [centre, name] : {std::pair{XposCentre::flash_attention, "centre_len5_flash_attn"},
                                           {XposCentre::torchscale, "centre_len5_torchscale"}}) {
            scene.xpos.centre = centre;
            const std::int64_t zero = planOf(scene, 5).rotation->growthCentre;
            for (std::int64_t position = 0; position < 5; ++position) {
                QCOMPARE(position - zero,
                         golden.at(name).at(static_cast<std::size_t>(position)).get<std::int64_t>());
            }
        }
    }
};

QTEST_GUILESS_MAIN(RelativeEncodingsTest)
#include "relative_encodings_test.moc"
