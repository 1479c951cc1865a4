#include <QTest>

#include <string>
#include <vector>

#include "core/attention/permutations.h"
#include "core/parameter.h"
#include "core/scene.h"
#include "core/shared_list.h"

namespace phaseladder::test {

class SharedListTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void copiesShareTheValues() {
        const SharedList<std::string> words{"dog", "bites", "man"};
        SharedList<std::string> copy = words;
        QVERIFY(copy.data() == words.data());
        QVERIFY(copy == words);
        copy.clear();
        QVERIFY(copy.empty());
        QCOMPARE(words.size(), std::size_t{3});
    }

    void equalListsNeedNotBeShared() {
        const SharedList<int> one{1, 2}, other{1, 2}, third{1, 3};
        QVERIFY(one.data() != other.data());
        QVERIFY(one == other && one != third);
        QVERIFY(one == (std::vector<int>{1, 2}));
        QVERIFY(SharedList<int>(std::vector<int>()) == SharedList<int>());
    }

    void aSceneIsCopiedWithoutItsTextAndItsOrder() {
        Scene scene;
        scene.tokens = std::vector<std::string>(1000, "word");
        scene.order = reversedOrder(1000);
        const Scene copy = scene;
        QVERIFY(copy.tokens.data() == scene.tokens.data());
        QVERIFY(copy.order.data() == scene.order.data());
    }

    void valuesOfTheTablesRowsShareThem() {
        Scene scene, other;
        scene.order = {2, 0, 1};
        for (const char* id : {"tokens", "order"}) {
            const Parameter* row = findParameter(id);
            row->set(other, row->get(scene));
        }
        QVERIFY(other.tokens.data() == scene.tokens.data());
        QVERIFY(other.order.data() == scene.order.data());
    }

    void otherWordsComeInTheirOwnOrder() {
        Scene scene;
        scene.order = {2, 0, 1};
        scene.textLength = 9;
        scene.rope.theta = 5.0;
        scene.capture.queries = "qk.safetensors";
        const Scene changed = withWords(scene, {"a", "b"});
        QCOMPARE(changed.tokens, (std::vector<std::string>{"a", "b"}));
        QVERIFY(changed.order.empty() && !hasCapture(changed));
        QCOMPARE(sequenceLength(changed), std::int64_t{2});
        QCOMPARE(changed.rope.theta, 5.0);
    }
};

}  // namespace phaseladder::test

QTEST_APPLESS_MAIN(phaseladder::test::SharedListTest)
#include "shared_list_test.moc"
