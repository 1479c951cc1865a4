#include "ui/figure/map_motion.h"

#include <QImage>

#include <memory>
#include <string>
#include <vector>

#include "tests/ui/panel_view_test_parts.h"

namespace phaseladder::ui::test {

class MapMotionTest : public QObject, private PanelViewFixture {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        setMotion(MotionChoice::reduced);
        makeViews();
    }

    void cleanup() { deleteViews(); }

    void namesAreFollowedToTheirNewPlaces() {
        const std::vector<std::string> before{"dog", "bites", "man"};
        QCOMPARE(formerPlaces(before, {"man", "dog", "bites"}), (std::vector<int>{2, 0, 1}));
        QCOMPARE(formerPlaces(before, before), (std::vector<int>{0, 1, 2}));
        QVERIFY(!formerPlaces(before, {"man", "dog"}).has_value());
        QVERIFY(!formerPlaces(before, {"man", "dog", "cat"}).has_value());
        QVERIFY(!formerPlaces({"a", "b", "a"}, {"a", "a", "b"}).has_value());
    }

    void cellsGlideFromTheirFormerPlaces() {
        const auto before = mapPanel();
        auto after = mapPanel();
        after->x.labels = after->y.labels = {"man", "dog", "bites"};
        MapMotion motion;
        motion.follow(*before, *after);
        QVERIFY(motion.isRunning());
        PlotAxes axes;
        axes.y = {Tick{0.0, QStringLiteral("man"), {}, false}, Tick{1.0, QStringLiteral("dog"), {}, false}};
        QCOMPARE(motion.moved(axes).y[0].value, 2.0);
        QCOMPARE(motion.moved(axes).y[1].value, 0.0);
        motion.follow(*after, *after);
        QVERIFY(motion.isRunning());
        motion.stop();
        QCOMPARE(motion.moved(axes).y[0].value, 0.0);
        motion.follow(*before, *ladderPanel());
        QVERIFY(!motion.isRunning());
    }

    void nothingGlidesWhereMotionIsUnwanted() {
        m_map->setPanel(movedPanel(), QString());
        QCOMPARE(m_map->grab().toImage(), makeView(movedPanel())->grab().toImage());
    }

    void cellsArePaintedAtTheirFormerPlacesFirstAndAtTheirOwnAtLast() {
        const QList<QColor> before = cellColors();
        const QImage namesBefore = names();
        setMotion(MotionChoice::full);
        // Nothing here lets time pass: the clock stands at 0 until the motion is stopped.
        m_map->setPanel(movedPanel(), QString());
        QCOMPARE(cellColors(), before);
        const QImage namesAtFirst = names();
        setMotion(MotionChoice::reduced);
        m_map->setPanel(movedPanel(), QString());  // stops it
        QVERIFY(cellColors() != before);
        QVERIFY(names() != namesAtFirst);
        QCOMPARE(m_map->grab().toImage(), makeView(movedPanel())->grab().toImage());
        m_map->setPanel(mapPanel(), QString());
        QCOMPARE(names(), namesBefore);
    }

private:
    /// The map of mapPanel() with its tokens in another order: each value goes with its tokens.
    static std::shared_ptr<Panel> movedPanel() {
        auto panel = mapPanel();
        const Heatmap old = std::get<Heatmap>(panel->layers[0]);
        panel->x.labels = panel->y.labels = {"man", "dog", "bites"};
        Heatmap& map = std::get<Heatmap>(panel->layers[0]);
        constexpr std::size_t former[] = {2, 0, 1};
        for (std::size_t row = 0; row < 3; ++row) {
            for (std::size_t column = 0; column < 3; ++column) {
                const std::size_t place = 3 * former[row] + former[column];
                map.values[3 * row + column] = old.values[place];
                map.states[3 * row + column] = old.states[place];
            }
        }
        return panel;
    }

    /// Of the map as it is painted, row by row; off the middles, where numbers and hatches are.
    QList<QColor> cellColors() const {
        const QImage image = m_map->grab().toImage();
        QList<QColor> colors;
        for (int row = 0; row < 3; ++row) {
            for (int column = 0; column < 3; ++column) {
                const QPointF at = m_map->dataToWidget(column, row) + QPointF(-14.0, -14.0);
                colors.append(image.pixelColor((at * image.devicePixelRatio()).toPoint()));
            }
        }
        return colors;
    }

    /// What is painted on the left of the map: the names of its rows.
    QImage names() const {
        const QRect left(0, 0, static_cast<int>(m_map->plotRect().left()) - 1, m_map->height());
        return m_map->grab(left).toImage();
    }
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::MapMotionTest)
#include "map_motion_test.moc"
