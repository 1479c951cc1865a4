#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>

#include <QTest>

#include "core/engine.h"
#include "core/parameter.h"
#include "core/scene_json.h"
#include "tests/core/plain_attention.h"

using phaseladder::applySettings;
using phaseladder::encodings;
using phaseladder::Engine;
using phaseladder::Figure;
using phaseladder::FigureKind;
using phaseladder::figureKinds;
using phaseladder::FigureRequest;
using phaseladder::findParameter;
using phaseladder::makePlan;
using phaseladder::makeProblem;
using phaseladder::makeReferenceBackend;
using phaseladder::readScene;
using phaseladder::Scene;
using phaseladder::writeScene;
using phaseladder::tests::plainAttention;

namespace {

Scene sampleScene(const std::string& id = "sample") {
    return applySettings(Scene(), std::vector<std::pair<std::string, std::string>>{{"encoding", id}}).value();
}

Figure figureOf(const Scene& scene, const std::string& id) {
    Engine engine;
    FigureRequest request;
    request.id = id;
    return engine.figure(scene, request).value();
}

/// Numbers of a column of the table.
std::vector<double> columnOf(const Figure& figure, const std::string& name) {
    for (const auto& column : figure.table) {
        if (column.name == name) {
            return column.values;
        }
    }
    return {};
}

std::string contributing() {
    std::ifstream file(PHASELADDER_SOURCE_DIR "/CONTRIBUTING.md");
    std::ostringstream text;
    text << file.rdbuf();
    const std::string whole = text.str();
    const std::size_t begin = whole.find("## Add an encoding");
    return whole.substr(begin, whole.find("\n## ", begin) - begin);
}

}  // namespace

/// An encoding that exists in this test only: its file, and the lines that CONTRIBUTING asks for.
class SampleEncodingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void takesOneNewFileAndTheFilesThatContributingNames() {
        std::istringstream edited(PHASELADDER_EDITED_FILES);
        std::vector<std::string> files;
        for (std::string file; edited >> file;) {
            files.push_back(file);
        }
        QCOMPARE(files.size(), std::size_t{2});
        const std::string text = contributing();
        QVERIFY(text.find("core/encodings/encoding.cpp") != std::string::npos);
        QVERIFY(text.find("encoding_list.h") != std::string::npos);
        QVERIFY(text.find("core/CMakeLists.txt") != std::string::npos);
        QVERIFY(text.find("README") != std::string::npos);
        // Nothing else of the program is asked for.
        for (const char* folder : {"core/figures", "core/attention", "ui/", "app/", "gpu/"}) {
            QVERIFY2(text.find(folder) == std::string::npos, folder);
        }
    }

    void isInTheListAndInTheTable() {
        QCOMPARE(encodings().size(), std::size_t{15});
        const auto& choices = findParameter("encoding")->choices;
        QCOMPARE(choices.back().id, std::string("sample"));
        QCOMPARE(choices.back().label, std::string("Sample"));
    }

    void goesThroughFilesAndSettings() {
        const Scene scene = sampleScene();
        QVERIFY(readScene(writeScene(scene))->scene == scene);
        QVERIFY(!phaseladder::sceneNotes(scene).warnings.size());
    }

    void backendsComputeIt() {
        const Scene scene = sampleScene();
        const auto problem = makeProblem(scene, makePlan(scene, 3).value());
        const auto result =
            makeReferenceBackend()->run({.problem = problem, .hiddenStates = true}, {}).value();
        QVERIFY((result.hiddenStates - plainAttention(*problem).hidden).cwiseAbs().maxCoeff() < 1e-12);
    }

    void figuresSayWhatItDoes() {
        Engine engine;
        FigureRequest request;
        request.id = "relative-bias";
        const auto bias = engine.figure(sampleScene(), request);
        QVERIFY(bias && !bias->panels.empty());
        QCOMPARE(bias->matrix->values.at(2), -3.0);  // two tokens apart
        request.id = "translation";
        const auto moved = engine.figure(sampleScene(), request);
        QCOMPARE(std::get<double>(moved->readouts.front().value), 0.0);
    }

    void everyFigureTakesEachOfThem() {
        Engine engine;
        for (const phaseladder::Encoding& encoding : encodings()) {
            for (const FigureKind& kind : figureKinds()) {
                FigureRequest request;
                request.id = kind.id;
                const auto figure = engine.figure(sampleScene(encoding.id), request);
                const std::string which = encoding.id + " " + kind.id;
                QVERIFY2(figure.has_value(), (which + (figure ? "" : figure.error().message)).c_str());
                QVERIFY2(!figure->panels.empty() || !figure->emptyState.empty(), which.c_str());
            }
        }
    }

    void figuresOfARotationFollow() {
        const Scene scene = sampleScene("turning_sample");
        for (const char* id : {"ladder", "phases", "clocks", "encoding", "similarity", "shift", "layout",
                               "translation", "decay", "attention", "pair-contribution"}) {
            QVERIFY2(!figureOf(scene, id).panels.empty(), id);
        }
        QVERIFY(std::abs(columnOf(figureOf(scene, "ladder"), "wavelength").at(1) - 8.0 * std::numbers::pi) <
                1e-12);
        const auto phases = *figureOf(scene, "phases").matrix;
        QCOMPARE(phases.rows, std::int64_t{2});
        QVERIFY(std::abs(phases.values.at(3) - 1.5) < 1e-12);  // the first pair at position 3
        const auto tables = *figureOf(scene, "encoding").matrix;
        QVERIFY(std::abs(tables.values.at(4 * 3) - std::cos(1.5)) < 1e-12);
        QVERIFY(std::get<double>(figureOf(scene, "shift").readouts.front().value) < 1e-12);
        QVERIFY(std::abs(columnOf(figureOf(scene, "similarity"), "similarity").at(1) -
                         (std::cos(0.5) + std::cos(0.25)) / 2.0) < 1e-12);
        QCOMPARE(figureOf(scene, "decay").panels.size(), std::size_t{2});  // with the upper bound
        QVERIFY(figureOf(scene, "relative-bias").panels.empty());
    }

    void figuresOfAFadingRotationFollow() {
        const Scene scene = sampleScene("fading_sample");
        const Figure gains = figureOf(scene, "relative-bias");
        QVERIFY(std::abs(columnOf(gains, "pair_1").at(10) - 0.5) < 1e-12);
        QVERIFY(std::abs(columnOf(figureOf(scene, "similarity"), "similarity").at(10) -
                         (std::cos(5.0) + 0.5 * std::cos(2.5)) / 2.0) < 1e-12);
        QCOMPARE(figureOf(scene, "decay").panels.size(), std::size_t{1});  // the bound is of pure turns
        QVERIFY(figureOf(scene, "layout").panels.empty());
    }

    void figuresOfRowsFollow() {
        const Scene scene = sampleScene("table_sample");
        const Figure rows = figureOf(scene, "encoding");
        QCOMPARE(rows.matrix->values.at(64 * 5), 5.0);
        QVERIFY(std::isnan(rows.matrix->values.at(64 * 6)));
        QVERIFY(rows.warnings.front().find("Positions from 6 on have no row") == 0);
        // A cell spans two positions: the cosine of (0, 1) and (2, 1).
        const Figure alike = figureOf(scene, "similarity");
        QVERIFY(std::abs(alike.matrix->values.at(1) - std::sqrt(0.2)) < 1e-12);
        QVERIFY(!figureOf(scene, "shift").panels.empty());
        QVERIFY(!figureOf(scene, "decay").panels.empty());
        const auto moved = figureOf(scene, "translation");
        QVERIFY(std::get<double>(moved.readouts.front().value) > 1e-3);  // place matters
    }

    void figuresOfRelativeVectorsFollow() {
        const Scene scene = sampleScene("vector_sample");
        const Figure bias = figureOf(scene, "relative-bias");
        // q·1 / √d where the key is one token before the query, nothing elsewhere.
        const auto problem = makeProblem(scene, makePlan(scene, 3).value());
        QVERIFY(std::abs(bias.matrix->values.at(3) - problem->queries.matrix().row(1).sum() / 8.0) < 1e-12);
        QCOMPARE(bias.matrix->values.at(1), 0.0);
        QVERIFY(figureOf(scene, "hidden-states").notes.back().find("vector of its distance") !=
                std::string::npos);
        QCOMPARE(std::get<double>(figureOf(scene, "translation").readouts.front().value), 0.0);
    }
};

QTEST_GUILESS_MAIN(SampleEncodingTest)
#include "sample_encoding_test.moc"
