#include <QTest>

#include <string>
#include <vector>

#include "core/nearest_name.h"

using phaseladder::didYouMean;
using phaseladder::nearestName;

class NearestNameTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void swappedLettersAreFoundInTheLastPartOfAnId() {
        QCOMPARE(nearestName("tehta", m_known), std::string("rope.theta"));
        QCOMPARE(nearestName("theta", m_known), std::string("rope.theta"));
        QCOMPARE(nearestName("rope.thet", m_known), std::string("rope.theta"));
        QCOMPARE(nearestName("beta_fats", m_known), std::string("scaling.beta_fast"));
        QCOMPARE(nearestName("SCALING", m_known), std::string("scaling"));
    }

    void farNamesGetNoSuggestion() {
        QCOMPARE(nearestName("colour", m_known), std::string());
        QCOMPARE(nearestName("", m_known), std::string());
        QCOMPARE(nearestName(std::string(1u << 20, 'a'), m_known), std::string());
        QCOMPARE(didYouMean("colour", m_known), std::string());
    }

    void theSuggestionIsReadyForASentence() {
        QCOMPARE(didYouMean("tehta", m_known), std::string(" (did you mean 'rope.theta'?)"));
    }

private:
    const std::vector<std::string> m_known{"rope.theta", "rope.dim", "scaling", "scaling.beta_fast",
                                           "scaling.beta_slow"};
};

QTEST_APPLESS_MAIN(NearestNameTest)
#include "nearest_name_test.moc"
