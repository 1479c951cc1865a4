#include "ui/figure/panel_arrangement.h"

#include <QTest>

#include <vector>

namespace phaseladder::ui::test {

class PanelArrangementTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void ofPanelsOfWordsAloneOneIsLeftHoweverSmallTheRoom() {
        Panel words;
        words.axesShown = false;
        words.y.maximum = 3.0;
        words.layers.emplace_back(
            Text{"Maps of a gain and of a bias are not subtracted.", Role::muted, 0.5, 1.0});
        const std::vector<Panel> panels(3, words);
        for (const double height : {20.0, 60.0, 230.0}) {
            const Arrangement arrangement = arrangeReadablePanels(panels, {240.0, height}, 11.0, 18.0);
            QVERIFY(!arrangement.rows.empty());
            for (const ArrangedRow& row : arrangement.rows) {
                QVERIFY(!row.panels.empty());
            }
        }
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::PanelArrangementTest)
#include "panel_arrangement_test.moc"
