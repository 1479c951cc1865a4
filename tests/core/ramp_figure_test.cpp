#include <QTest>

#include <cmath>
#include <set>

#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {

class RampFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void codeRangesAreThePublishedOnes_data() {
        QTest::addColumn<int>("headDim");
        QTest::addColumn<double>("theta");
        QTest::addColumn<int>("length");
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::newRow("d 128, 1e4, 2048") << 128 << 1e4 << 2048 << 16.0 << 41.0;
        QTest::newRow("d 128, 1e4, 4096") << 128 << 1e4 << 4096 << 20.0 << 46.0;
        QTest::newRow("d 128, 5e5, 8192") << 128 << 5e5 << 8192 << 18.0 << 35.0;
        QTest::newRow("d 64, 1e4, 4096") << 64 << 1e4 << 4096 << 10.0 << 23.0;
        QTest::newRow("Qwen2.5, L 32768") << 128 << 1e6 << 32768 << 23.0 << 40.0;
        QTest::newRow("Qwen2.5, L 131072") << 128 << 1e6 << 131072 << 30.0 << 47.0;
    }

    void codeRangesAreThePublishedOnes() {
        QFETCH(int, headDim);
        QFETCH(double, theta);
        QFETCH(int, length);
        QFETCH(double, low);
        QFETCH(double, high);
        Scene scene = ropeScene(theta, length, 4 * length);
        scene.headDim = headDim;
        const Figure figure = figureOf(scene, "ramp");
        QCOMPARE(readoutNumber(figure, "range_low"), low);
        QCOMPARE(readoutNumber(figure, "range_high"), high);
    }

    void theFileOfTheOriginalLengthMovesTheRamp() {
        Scene near = qwen25();
        Scene far = qwen25();
        far.scaling.originalLength = 131072;
        const std::vector<double> nearFrequencies =
            columnOf(figureOf(near, "ladder"), "scaled_inverse_frequency");
        const std::vector<double> farFrequencies =
            columnOf(figureOf(far, "ladder"), "scaled_inverse_frequency");
        QVERIFY(isClose(nearFrequencies[40], 4.4457e-05, 2e-5));
        QVERIFY(isClose(farFrequencies[40], 9.9374e-05, 2e-5));
    }

    void thetaAndRampActTogether() {
        Scene scene = ropeScene(5e5, 8192, 32768);
        scene.scaling.method = "yarn";
        const Figure figure = figureOf(scene, "ramp");
        QVERIFY(std::abs(readoutNumber(figure, "range_raw_low") - 18.08) < 0.005);
        QVERIFY(std::abs(readoutNumber(figure, "range_raw_high") - 34.98) < 0.005);
        QCOMPARE(findReadout(figure, "range_low")->chip, std::string("YaRN ramp 18–35"));
    }

    void withoutTruncationTheRangeIsUnrounded() {
        const Figure figure = figureOf(gptOss(), "ramp");
        QVERIFY(isClose(readoutNumber(figure, "range_low"), 8.092779115512402, 1e-12));
        QVERIFY(isClose(readoutNumber(figure, "range_high"), 17.39802450158856, 1e-12));
        Scene truncated = gptOss();
        truncated.scaling.truncate = true;
        const double exact = columnOf(figure, "ratio_yarn_code")[17];
        const double rounded = columnOf(figureOf(truncated, "ramp"), "ratio_yarn_code")[17];
        QVERIFY(std::abs(rounded / exact - 1.0 - 0.7626823777263017) < 1e-9);
    }

    void keptSharesOfPair30AreThePublishedOnes() {
        const Figure figure = figureOf(llama2At64k(), "ramp");
        QVERIFY(std::abs(columnOf(figure, "gamma_paper")[30] - 0.248) < 0.0005);
        QVERIFY(std::abs(columnOf(figure, "gamma_code")[30] - 0.615) < 0.0005);
    }

    void codeAndPaperRampDifferThreefoldAtPair38() {
        const Figure figure = figureOf(llama2At64k(), "ramp");
        const double ratio =
            columnOf(figure, "ratio_yarn_code")[38] / columnOf(figure, "ratio_yarn_paper")[38];
        QVERIFY(isClose(ratio, 3.041414887471058, 1e-12));
    }

    void llama3KeepsBlendsAndDivides() {
        const Figure figure = figureOf(llama31(), "ramp");
        QCOMPARE(readoutNumber(figure, "llama3_kept"), 29.0);
        QCOMPARE(readoutNumber(figure, "llama3_blended"), 6.0);
        QCOMPARE(readoutNumber(figure, "llama3_divided"), 29.0);
        QCOMPARE(findReadout(figure, "llama3_kept")->chip, std::string("29 kept · 6 blended · 29 divided"));
    }

    void ntkKeepsTheFirstPairAndDividesTheLastByTheFactor() {
        const std::vector<double> ratio = columnOf(figureOf(llama2At64k(), "ramp"), "ratio_ntk");
        QCOMPARE(ratio.front(), 1.0);
        QVERIFY(isClose(ratio.back(), 1.0 / 16.0, 1e-12));
    }

    void linearDividesEveryPair() {
        for (const double ratio : columnOf(figureOf(llama2At64k(), "ramp"), "ratio_linear")) {
            QCOMPARE(ratio, 1.0 / 16.0);
        }
    }

    void theScenesOwnScalingIsTheLiveCurve_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<bool>("byPaper");
        QTest::addColumn<QString>("label");
        QTest::newRow("yarn, code") << QStringLiteral("yarn") << false << QStringLiteral("YaRN (code)");
        QTest::newRow("yarn, paper") << QStringLiteral("yarn") << true << QStringLiteral("YaRN (paper)");
        QTest::newRow("ntk") << QStringLiteral("ntk") << false << QStringLiteral("NTK-aware");
        QTest::newRow("linear") << QStringLiteral("linear") << true << QStringLiteral("linear");
        QTest::newRow("none") << QStringLiteral("none") << false << QString();
    }

    void theScenesOwnScalingIsTheLiveCurve() {
        QFETCH(QString, method);
        QFETCH(bool, byPaper);
        QFETCH(QString, label);
        Scene scene = llama2At64k();
        scene.scaling.method = method.toStdString();
        scene.scaling.ramp = byPaper ? YarnRamp::paper : YarnRamp::code;
        QString live;
        std::set<Role> roles;
        const std::vector<Curve> curves = layersOf<Curve>(figureOf(scene, "ramp").panels.at(1));
        for (const Curve& curve : curves) {
            roles.insert(curve.role);
            if (curve.role == Role::live) {
                QVERIFY(live.isEmpty());
                live = QString::fromStdString(curve.label);
            }
        }
        QCOMPARE(live, label);
        QCOMPARE(roles.size(), curves.size());
    }

    void tableHasTheColumnsOfTheContract() {
        std::vector<std::string> names;
        for (const TableColumn& column : figureOf(llama2At64k(), "ramp").table) {
            names.push_back(column.name);
        }
        const std::vector<std::string> expected{"pair",         "gamma_code",      "gamma_paper",
                                                "gamma_llama3", "ratio_yarn_code", "ratio_yarn_paper",
                                                "ratio_ntk",    "ratio_linear",    "ratio_dynamic_ntk",
                                                "ratio_llama3"};
        QCOMPARE(names, expected);
    }

    void longRopeJoinsWhenTheSceneHoldsItsLists() {
        Scene scene = llama2At64k();
        scene.headDim = 8;
        scene.scaling.shortFactors = {1.0, 1.0, 1.0, 1.0};
        scene.scaling.longFactors = {1.0, 2.0, 4.0, 8.0};
        const std::vector<double> ratio = columnOf(figureOf(scene, "ramp"), "ratio_longrope");
        const std::vector<double> expected{1.0, 0.5, 0.25, 0.125};
        QCOMPARE(ratio, expected);
    }

    void aScalingThatRefusesIsLeftOutAndSaid() {
        Scene scene = llama2At64k();
        scene.headDim = 2;
        scene.scaling.method = "linear";
        const Figure figure = figureOf(scene, "ramp");
        QVERIFY(std::isnan(columnOf(figure, "ratio_ntk").front()));
        QVERIFY(std::ranges::any_of(figure.notes, [](const std::string& note) {
            return note.starts_with("NTK-aware is left out: ");
        }));
    }

    void otherEncodingsAreAnEmptyState() {
        Scene scene;
        scene.encoding = "sinusoidal";
        QVERIFY(!figureOf(scene, "ramp").emptyState.empty());
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::RampFigureTest)
#include "ramp_figure_test.moc"
