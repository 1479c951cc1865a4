#include <QFile>
#include <QTest>

#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {
namespace {

nlohmann::json goldenLadder(const char* name) {
    QFile file(QStringLiteral(PHASELADDER_SOURCE_DIR "/tests/golden/golden.json"));
    if (!file.open(QIODevice::ReadOnly)) {
        return {};
    }
    return nlohmann::json::parse(file.readAll().toStdString())["rope"][name];
}

}  // namespace

class LadderFigureTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsPairsThatNeverTurnInTraining_data() {
        QTest::addColumn<double>("theta");
        QTest::addColumn<int>("trained");
        QTest::addColumn<int>("pairs");
        QTest::newRow("Llama-2, 4096") << 1e4 << 4096 << 18;
        QTest::newRow("theta 1e4, 2048") << 1e4 << 2048 << 23;
        QTest::newRow("theta 5e5, 8192") << 5e5 << 8192 << 29;
    }

    void countsPairsThatNeverTurnInTraining() {
        QFETCH(double, theta);
        QFETCH(int, trained);
        QFETCH(int, pairs);
        const Figure figure = figureOf(ropeScene(theta, trained, 2 * trained), "ladder");
        QCOMPARE(readoutNumber(figure, "pairs_beyond_trained"), pairs);
        QCOMPARE(findReadout(figure, "pairs_beyond_trained")->chip,
                 std::to_string(pairs) + " pairs never turn in training");
    }

    void tableAgreesWithGoldenLadders_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("Llama 3.1 8B") << QStringLiteral("llama31_8b_d128");
        QTest::newRow("Qwen2.5 with YaRN") << QStringLiteral("yarn_qwen25_128k");
        QTest::newRow("gpt-oss") << QStringLiteral("yarn_gptoss_truncate_false_d64");
        QTest::newRow("Llama-2 at 64k") << QStringLiteral("yarn_llama2_64k");
    }

    void tableAgreesWithGoldenLadders() {
        QFETCH(QString, name);
        const nlohmann::json golden = goldenLadder(name.toUtf8().constData());
        const Scene scene = name.startsWith(QLatin1String("llama31"))  ? llama31()
                            : name.startsWith(QLatin1String("yarn_q")) ? qwen25()
                            : name.startsWith(QLatin1String("yarn_g")) ? gptOss()
                                                                       : llama2At64k();
        const Figure figure = figureOf(scene, "ladder");
        const std::vector<double> scaled = columnOf(figure, "scaled_inverse_frequency");
        const nlohmann::json& frequency = golden["inv_freq"];
        QCOMPARE(scaled.size(), frequency["n"].get<std::size_t>());
        QVERIFY(isClose(scaled.front(), frequency["first"], 1e-12));
        QVERIFY(isClose(scaled[frequency["middle_index"]], frequency["middle"], 1e-12));
        QVERIFY(isClose(scaled.back(), frequency["last"], 1e-12));
        QVERIFY(isClose(columnOf(figure, "scaled_wavelength").back(), golden["wavelength_last"], 1e-12));
        QVERIFY(isClose(readoutNumber(figure, "attention_factor"), golden["attention_factor"], 1e-9));
        QVERIFY(isClose(readoutNumber(figure, "longest_wavelength"), golden["wavelength_last"], 1e-12));
    }

    void tableHasTheColumnsOfTheContract() {
        const Figure figure = figureOf(llama2At64k(), "ladder");
        std::vector<std::string> names;
        for (const TableColumn& column : figure.table) {
            names.push_back(column.name);
            QCOMPARE(column.values.size(), std::size_t{64});
        }
        const std::vector<std::string> expected{"pair",
                                                "inverse_frequency",
                                                "wavelength",
                                                "scaled_inverse_frequency",
                                                "scaled_wavelength",
                                                "ratio",
                                                "ramp",
                                                "turns_in_training"};
        QCOMPARE(names, expected);
        QCOMPARE(columnOf(figure, "ratio").front(), 1.0);
        QCOMPARE(columnOf(figure, "ratio").back(), 1.0 / 16.0);
        QCOMPARE(columnOf(figure, "ramp")[20], 1.0);
        QCOMPARE(columnOf(figure, "ramp")[46], 0.0);
        QVERIFY(isClose(columnOf(figure, "turns_in_training")[0], 4096.0 / (2.0 * M_PI), 1e-15));
    }

    void rampColumnIsEmptyWithoutARamp() {
        const Figure figure = figureOf(ropeScene(1e4, 4096, 8192), "ladder");
        for (const double share : columnOf(figure, "ramp")) {
            QVERIFY(std::isnan(share));
        }
    }

    void statedFactorWinsOverTheRatioOfTheLengths() {
        Scene scene = ropeScene(1e6, 40960, 40960);
        scene.scaling.method = "yarn";
        scene.scaling.factor = 4.0;
        scene.scaling.originalLength = 32768;
        const Figure figure = figureOf(scene, "ladder");
        QVERIFY(isClose(columnOf(figure, "scaled_inverse_frequency").back(), 3.102344402e-07, 1e-9));
        QVERIFY(isClose(readoutNumber(figure, "attention_factor"), 1.138629436, 1e-9));
        QCOMPARE(readoutNumber(figure, "implied_factor"), 1.25);
    }

    void pairsThatDoNotTurnLeaveTheLine() {
        Scene scene = ropeScene(1e6, 8192, 131072);
        scene.headDim = 512;
        scene.rope.partial = 0.25;
        scene.scaling.method = "proportional";
        scene.scaling.factor = 1.0;
        const Figure figure = figureOf(scene, "ladder");
        const std::vector<double> scaled = columnOf(figure, "scaled_inverse_frequency");
        QCOMPARE(std::ranges::count(scaled, 0.0), 192);
        QVERIFY(isClose(scaled[63], 0.03337624694, 1e-9));
        const std::vector<Curve> curves = layersOf<Curve>(figure.panels.at(0));
        QCOMPARE(curves.back().role, Role::live);
        QVERIFY(std::isfinite(curves.back().y[63]));
        QVERIFY(std::isinf(curves.back().y[64]));
    }

    void rulesNameTheParametersTheySet() {
        const Figure figure = figureOf(llama2At64k(), "ladder");
        const std::vector<Rule> rules = layersOf<Rule>(figure.panels.at(0));
        QCOMPARE(rules.size(), std::size_t{2});
        QCOMPARE(rules[0].label, std::string("trained 4,096"));
        QCOMPARE(rules[0].parameterId, std::string("length.trained"));
        QCOMPARE(rules[1].label, std::string("target 65,536"));
        QCOMPARE(rules[1].parameterId, std::string("length.target"));
    }

    void rampBandIsLabelledWithTheUsedRange() {
        const auto label = [](const Scene& scene) {
            for (const Band& band : layersOf<Band>(figureOf(scene, "ladder").panels.at(0))) {
                if (band.orientation == Orientation::vertical) {
                    return band.label;
                }
            }
            return std::string();
        };
        Scene base5e5 = ropeScene(5e5, 8192, 32768);
        base5e5.scaling.method = "yarn";
        QCOMPARE(label(base5e5), std::string("ramp 18–35"));
        QCOMPARE(label(gptOss()), std::string("ramp 8.093–17.4"));
        QCOMPARE(label(llama31()), std::string("blended 29–34"));
        QCOMPARE(label(ropeScene(1e4, 4096, 8192)), std::string());
    }

    void everyMarkIsInsideTheAxes() {
        for (const Scene& scene : {llama2At64k(), llama31(), qwen25(), gptOss(), Scene{}}) {
            const Panel panel = figureOf(scene, "ladder").panels.at(0);
            QCOMPARE(panel.y.scale, AxisScale::log10);
            QVERIFY(panel.y.minimum > 0.0);
            for (const Curve& curve : layersOf<Curve>(panel)) {
                QVERIFY(std::ranges::min(curve.y) > panel.y.minimum);
                QVERIFY(std::ranges::max(curve.y) < panel.y.maximum);
            }
            for (const Rule& rule : layersOf<Rule>(panel)) {
                QVERIFY(rule.at > panel.y.minimum && rule.at < panel.y.maximum);
            }
            for (const Band& band : layersOf<Band>(panel)) {
                QVERIFY(band.from < band.to);
            }
        }
    }

    void targetBelowTrainedHasNoRegionBeyondAndIsNoted() {
        const Figure figure = figureOf(ropeScene(1e4, 2048, 1024), "ladder");
        for (const Band& band : layersOf<Band>(figure.panels.at(0))) {
            QVERIFY(band.role != Role::beyond);
        }
        QVERIFY(!figure.notes.empty());
    }

    void thetaOneIsNotedNotRefused() {
        const Figure figure = figureOf(ropeScene(1.0, 2048, 8192), "ladder");
        QVERIFY(std::ranges::any_of(figure.notes, [](const std::string& note) {
            return note.find("all pairs rotate at the same speed") != std::string::npos;
        }));
    }

    void onePairHasAnAxis() {
        Scene scene;
        scene.headDim = 2;
        const Figure figure = figureOf(scene, "ladder");
        QVERIFY(figure.panels.at(0).x.minimum < figure.panels.at(0).x.maximum);
    }

    void sinusoidalHasItsOwnLadderWithoutScaling() {
        Scene scene = llama2At64k();
        scene.encoding = "sinusoidal";
        scene.headDim = 8;
        scene.sinusoidal.spacing = SinusoidalSpacing::tensor2tensor;
        const Figure figure = figureOf(scene, "ladder");
        const std::vector<double> frequencies = columnOf(figure, "scaled_inverse_frequency");
        QVERIFY(isClose(frequencies.back(), 1e-4, 1e-15));
        QCOMPARE(frequencies, columnOf(figure, "inverse_frequency"));
        QCOMPARE(layersOf<Curve>(figure.panels.at(0)).size(), std::size_t{1});
    }

    void noPositionsIsAnEmptyStateWithANextStep() {
        Scene scene;
        scene.encoding = "none";
        const Figure figure = figureOf(scene, "ladder");
        QVERIFY(figure.panels.empty());
        QCOMPARE(figure.emptyState, std::string("No positions: no ladder. Choose RoPE or sinusoidal."));
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::LadderFigureTest)
#include "ladder_figure_test.moc"
