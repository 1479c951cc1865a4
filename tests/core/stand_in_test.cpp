#include "core/figures/stand_in.h"

#include <QTest>

#include <set>

#include "core/encodings/encoding.h"
#include "tests/core/figure_test_parts.h"

namespace phaseladder::test {
namespace {

const std::vector<std::string> startUpPanes{"ladder", "attention", "phases", "ramp"};

Scene sceneOf(const std::string& encoding) {
    Scene scene;
    scene.encoding = encoding;
    return scene;
}

const FigureKind& kindOf(const std::string& id) {
    return *findFigure(id);
}

}  // namespace

class StandInTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aKindSaysThatItIsEmptyExactlyWhereItsFigureIs() {
        std::vector<Scene> scenes(8);
        scenes[1].tokens.clear();
        scenes[2].tokens.clear();
        scenes[2].view.decayContent = DecayContent::scene;
        scenes[3].learned.rows = 2;
        scenes[3].view.shift = 5000;
        scenes[4].textLength = 2;
        scenes[5].textLength = 1100;
        scenes[6].learned.rows = 20;
        scenes[6].join = AbsoluteJoin::concatenate;
        scenes[7].view.shift = 1 << 20;
        Engine engine;
        for (const FigureKind& kind : figureKinds()) {
            for (const Encoding& encoding : encodings()) {
                for (Scene scene : scenes) {
                    scene.encoding = encoding.id;
                    scene.headDim = 8;
                    FigureRequest request;
                    request.id = kind.id;
                    request.pixelColumns = request.pixelRows = 32;
                    request.effort = Effort::quick;
                    const Result<Figure> figure = engine.figure(scene, request);
                    const std::string sentence = emptyStateOf(kind, scene);
                    QVERIFY2(figure.has_value(), figure ? "" : figure.error().message.c_str());
                    QVERIFY2(figure->emptyState == sentence && figure->panels.empty() != sentence.empty(),
                             (kind.id + " " + encoding.id).c_str());
                }
            }
        }
    }

    void anEmptyFigureKeepsTheColumnsOfItsTable() {
        const Figure ladder = figureOf(sceneOf("none"), "ladder");
        QCOMPARE(ladder.table.front().name, std::string("pair"));
        QCOMPARE(ladder.table.back().name, std::string("turns_in_training"));
        QVERIFY(ladder.table.front().values.empty());
        const Figure ramp = figureOf(sceneOf("alibi"), "ramp");
        QCOMPARE(ramp.table.front().name, std::string("pair"));
        QVERIFY(ramp.table.back().values.empty());
    }

    void noPaneIsEmptyWhateverTheEncodingAndNoneIsShownTwice() {
        const std::vector<std::vector<std::string>> choices{
            startUpPanes,
            {"layout", "relative-bias", "similarity", "shift"},
            {"encoding", "ramp", "layout", "ladder"},
            {"clocks", "decay", "invariance", "hidden-states"}};
        for (const Encoding& encoding : encodings()) {
            const Scene scene = sceneOf(encoding.id);
            for (const std::vector<std::string>& chosen : choices) {
                const std::vector<std::string> shown = shownFigures(scene, chosen);
                QCOMPARE(shown.size(), chosen.size());
                QCOMPARE(std::set<std::string>(shown.begin(), shown.end()).size(), shown.size());
                for (std::size_t pane = 0; pane < shown.size(); ++pane) {
                    QVERIFY(emptyStateOf(kindOf(shown[pane]), scene).empty());
                    const bool isDrawn = emptyStateOf(kindOf(chosen[pane]), scene).empty();
                    QVERIFY(isDrawn == (shown[pane] == chosen[pane]));
                }
            }
        }
    }

    void theChosenFiguresComeBackWithTheEncodingThatTheyDraw() {
        QCOMPARE(shownFigures(sceneOf("rope"), startUpPanes), startUpPanes);
    }

    void whatStandsInShowsWhatTheEncodingIs() {
        QCOMPARE(shownFigures(sceneOf("alibi"), startUpPanes).front(), std::string("relative-bias"));
        QCOMPARE(shownFigures(sceneOf("learned"), startUpPanes).front(), std::string("encoding"));
        QCOMPARE(shownFigures(sceneOf("none"), startUpPanes).front(), std::string("invariance"));
        QCOMPARE(shownFigures(sceneOf("transformer_xl"), startUpPanes),
                 (std::vector<std::string>{"ladder", "attention", "phases", "relative-bias"}));
    }

    void aFigureThatOnlyLacksTokensKeepsItsPlace() {
        Scene scene = sceneOf("rope");
        scene.tokens.clear();
        QCOMPARE(shownFigures(scene, startUpPanes), startUpPanes);
    }

    void theSameFigureChosenTwiceStaysTwice() {
        const std::vector<std::string> chosen{"attention", "attention", "ladder"};
        const std::vector<std::string> shown = shownFigures(sceneOf("t5"), chosen);
        QCOMPARE(shown[0], std::string("attention"));
        QCOMPARE(shown[1], std::string("attention"));
        QCOMPARE(shown[2], std::string("relative-bias"));
    }

    void whatStandsInDrawsThePinnedSceneToo() {
        const Scene pinned = sceneOf("rope");
        const std::vector<std::string> shown = shownFigures(sceneOf("alibi"), startUpPanes, &pinned);
        for (const std::string& id : shown) {
            QVERIFY2(emptyStateOf(kindOf(id), pinned).empty(), id.c_str());
            QVERIFY2(emptyStateOf(kindOf(id), sceneOf("alibi")).empty(), id.c_str());
        }
    }

    void thereIsAlwaysAnotherFigureToOffer() {
        for (const Encoding& encoding : encodings()) {
            std::vector<std::string> taken = startUpPanes;
            for (int count = 0; count < 4; ++count) {
                taken.push_back(standIn(sceneOf(encoding.id), taken));
                QVERIFY2(!taken.back().empty(), encoding.id.c_str());
            }
        }
    }
};

}  // namespace phaseladder::test

QTEST_GUILESS_MAIN(phaseladder::test::StandInTest)
#include "stand_in_test.moc"
