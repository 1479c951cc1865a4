#include <QTest>

#include "core/attention/permutations.h"
#include "core/encodings/encoding.h"
#include "core/parameter.h"
#include "tests/core/figure_test_parts.h"
#include "tests/core/word_scene.h"

namespace phaseladder::test {
namespace {

/// Words in another order than the text's own, of which one is looked at as query and one as key.
Scene reorderedScene(const std::string& encoding) {
    Scene scene;
    scene.encoding = encoding;
    scene.headDim = 8;
    scene.tokens = {"a", "rose", "is", "red"};
    scene.order = {2, 3, 0, 1};
    scene.view.token = 3;
    scene.view.key = 1;
    return scene;
}

bool isOfTokens(const Axis& axis) {
    return axis.meaning == AxisMeaning::queryToken || axis.meaning == AxisMeaning::keyToken;
}

}  // namespace

class AxisChoiceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyAxisOfTokensSetsTheTokenThatItNamesAndMarksTheOneLookedAt() {
        int axes = 0;
        for (const Encoding& encoding : encodings()) {
            for (const ViewBy by : {ViewBy::position, ViewBy::token}) {
                Scene scene = reorderedScene(encoding.id);
                scene.view.by = by;
                const std::vector<std::string> names = tokenLabels(scene);
                for (const FigureKind& kind : figureKinds()) {
                    FigureRequest request;
                    request.id = kind.id;
                    const Figure figure = figureOf(scene, request);
                    for (const Panel& panel : figure.panels) {
                        for (const Axis* axis : {&panel.x, &panel.y}) {
                            QVERIFY2(!isOfTokens(*axis) || !axis->choice.parameterId.empty(),
                                     kind.id.c_str());
                            if (isOfTokens(*axis)) {
                                checkChoice(scene, names, *axis);
                                ++axes;
                            }
                        }
                    }
                }
            }
        }
        QVERIFY(axes > 100);
    }

    void aTextThatRepeatsItsListSetsTheWordsOfTheList() {
        Scene scene = reorderedScene("rope");
        scene.textLength = 12;
        const Figure figure = figureOf(scene, "attention");
        const AxisChoice& choice = figure.panels[0].y.choice;
        for (std::int64_t position = 0; position < 12; ++position) {
            QCOMPARE(choice.valueAt(static_cast<double>(position)),
                     static_cast<int>(tokenAtPosition(scene, position)));
        }
        QCOMPARE(choice.at, std::optional(1.0));  // where "red" stands first
    }

    void aLongTextIsNotListedForItsAxes() {
        Scene scene = reorderedScene("rope");
        scene.tokens = numberedWords(5000);
        scene.order.clear();
        FigureRequest request;
        request.id = "attention";
        request.pixelRows = request.pixelColumns = 16;
        const AxisChoice plain = figureOf(scene, request).panels[0].x.choice;
        QVERIFY(plain.values.empty());
        QCOMPARE(plain.valueAt(4321.0), 4321);
        QCOMPARE(plain.at, std::optional(1.0));
        scene.order = reversedOrder(5000);
        const AxisChoice reordered = figureOf(scene, request).panels[0].x.choice;
        QVERIFY(reordered.values.data() == scene.order.data());
        QCOMPARE(reordered.valueAt(4321.0), 678);
        QCOMPARE(reordered.at, std::optional(4998.0));
    }

    void whatIsOnlyLookedAtSetsNothing() {
        Engine engine;
        FigureRequest request;
        request.id = "attention";
        request.pinned = std::make_shared<const Scene>(reorderedScene("none"));
        for (const CompareMode mode : {CompareMode::pinned, CompareMode::difference}) {
            request.compare = mode;
            const Result<Figure> figure = engine.figure(reorderedScene("rope"), request);
            QVERIFY(figure.has_value());
            QVERIFY(figure->panels[0].x.choice.parameterId.empty());
            QVERIFY(figure->panels[0].y.choice.parameterId.empty());
        }
        request.compare = CompareMode::live;
        QCOMPARE(engine.figure(reorderedScene("rope"), request)->panels[0].x.choice.parameterId,
                 std::string("view.key"));
    }

private:
    static void checkChoice(const Scene& scene, const std::vector<std::string>& names, const Axis& axis) {
        const Parameter* row = findParameter(axis.choice.parameterId);
        QVERIFY(row != nullptr);
        for (std::size_t place = 0; place < axis.labels.size(); ++place) {
            const int token = axis.choice.valueAt(static_cast<double>(place));
            const std::string& name = names[static_cast<std::size_t>(token)];
            QVERIFY2(axis.labels[place].starts_with(name), axis.labels[place].c_str());
            QVERIFY(axis.labels[place].size() <= name.size() + std::string("′").size());
        }
        QVERIFY(axis.choice.at.has_value());
        const int viewed = axis.choice.parameterId == "view.token" ? scene.view.token : scene.view.key;
        QVERIFY2(axis.choice.valueAt(*axis.choice.at) == viewed, axis.title.c_str());
    }
};

}  // namespace phaseladder::test

QTEST_GUILESS_MAIN(phaseladder::test::AxisChoiceTest)
#include "axis_choice_test.moc"
