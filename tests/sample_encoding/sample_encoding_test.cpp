#include <fstream>
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

Scene sampleScene() {
    return applySettings(Scene(), std::vector<std::pair<std::string, std::string>>{{"encoding", "sample"}})
        .value();
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
        QCOMPARE(encodings().size(), std::size_t{11});
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

    void everyFigureTakesIt() {
        Engine engine;
        for (const FigureKind& kind : figureKinds()) {
            FigureRequest request;
            request.id = kind.id;
            const auto figure = engine.figure(sampleScene(), request);
            QVERIFY2(figure.has_value(), kind.id.c_str());
            QVERIFY2(!figure->panels.empty() || !figure->emptyState.empty(), kind.id.c_str());
        }
    }
};

QTEST_GUILESS_MAIN(SampleEncodingTest)
#include "sample_encoding_test.moc"
