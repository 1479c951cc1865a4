#include <QAction>
#include <QContextMenuEvent>
#include <QLabel>
#include <QMenu>
#include <QTest>

#include <memory>

#include "core/engine.h"
#include "core/figures/map_tiles.h"
#include "ui/controls/token_chips.h"
#include "ui/controls/token_strip.h"
#include "ui/document.h"
#include "ui/figure/figure_link.h"
#include "ui/figure/figure_pane.h"
#include "ui/figure/pane_parts.h"
#include "ui/figure/panel_view.h"
#include "ui/theme.h"

namespace phaseladder::ui::test {

/// A click on a token, in a map or in the strip, chooses what is looked at.
class ChoosingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { applyTheme(*qApp, ThemeKind::light); }

    void init() {
        m_document = std::make_unique<SceneDocument>();
        m_link = std::make_unique<FigureLink>();
        m_pane = std::make_unique<FigurePane>(m_document.get(), m_link.get());
        m_pane->resize(690, 420);
        m_pane->show();
        m_strip = std::make_unique<TokenStrip>(m_document.get(), m_link.get());
        m_strip->resize(900, m_strip->sizeHint().height());
        m_strip->show();
        QVERIFY(QTest::qWaitForWindowActive(m_strip.get()));
        m_chips = m_strip->findChild<TokenChips*>();
    }

    void cleanup() {
        m_strip.reset();
        m_pane.reset();
        m_link.reset();
        m_document.reset();
    }

    void aClickOnASmallMapShowsItsHeadAndKeysAddToTheMean() {
        m_document->setParameter(QStringLiteral("heads"), 6.0);
        const auto clickHead = [&](int head, Qt::KeyboardModifiers modifiers) {
            show("heads");
            const MapTiles& tiles = *std::get<Heatmap>(view(0)->panel().layers[0]).tiles;
            const TilePlace place = tilePlace(tiles, head);
            QTest::mouseClick(view(0), Qt::LeftButton, modifiers,
                              view(0)->dataToWidget(place.x + 0.5, place.y + 0.5).toPoint());
        };
        const auto chosen = [&] { return m_document->scene().view.heads; };
        clickHead(4, {});
        QCOMPARE(m_document->scene().head, 4);
        QVERIFY(chosen().empty());
        QVERIFY(
            view(0)->readoutText().startsWith(QStringLiteral("head 4 · query bites → key bites · weight ")));
        clickHead(1, Qt::ControlModifier);
        QCOMPARE(chosen(), (std::vector<double>{1, 4}));
        QCOMPARE(m_document->scene().head, 4);
        clickHead(1, Qt::ControlModifier);
        QVERIFY(chosen().empty());
        clickHead(0, {});
        clickHead(5, Qt::ShiftModifier);
        QCOMPARE(chosen(), (std::vector<double>{0, 1, 2, 3, 4, 5}));
        const int steps = m_document->undoStack()->count();
        clickHead(2, {});  // alone again, in one step
        QCOMPARE(m_document->scene().head, 2);
        QVERIFY(chosen().empty());
        QCOMPARE(m_document->undoStack()->count(), steps + 1);
    }

    void arrowsGoFromHeadToHeadAndEnterShowsIt() {
        m_document->setParameter(QStringLiteral("heads"), 4.0);
        show("heads");
        const int across = static_cast<int>(std::get<Heatmap>(view(0)->panel().layers[0]).tiles->across);
        QVERIFY(across > 1);
        view(0)->setFocus();
        QTest::keyClick(view(0), Qt::Key_Right);  // the crosshair appears on a head
        for (int step = 0; step < 4; ++step) {
            QTest::keyClick(view(0), Qt::Key_Left);
            QTest::keyClick(view(0), Qt::Key_Up);
        }
        QVERIFY(view(0)->readoutText().startsWith(QStringLiteral("head 0 ")));
        QTest::keyClick(view(0), Qt::Key_Right);
        QVERIFY(view(0)->readoutText().startsWith(QStringLiteral("head 1 ")));
        QTest::keyClick(view(0), Qt::Key_Return, Qt::ControlModifier);
        QCOMPARE(m_document->scene().view.heads, (std::vector<double>{0, 1}));
        QTest::keyClick(view(0), Qt::Key_Return);
        QCOMPARE(m_document->scene().head, 1);
    }

    void aClickOnACellChoosesItsQueryAndItsKeyInOneStep() {
        for (const char* figure : {"attention", "translation"}) {
            m_document->startNew();
            show(figure);
            click(view(0), 1.0, 0.0);  // key 1, query 0
            QCOMPARE(viewedPair(), (std::pair{0, 1}));
            QCOMPARE(m_document->undoStack()->count(), 1);
            show(figure);
            click(view(0), 1.0, 0.0);  // chosen already
            QCOMPARE(m_document->undoStack()->count(), 1);
            m_document->undoStack()->undo();
            QCOMPARE(viewedPair(), (std::pair{2, 0}));
        }
    }

    void theTokenIsChosenWhereverItStands() {
        m_document->setParameter(QStringLiteral("order"), std::vector<int>{2, 0, 1});
        show("attention");
        click(view(0), 0.0, 2.0);
        QCOMPARE(viewedPair(), (std::pair{1, 2}));
        m_document->setParameter(QStringLiteral("view.by"), std::string("token"));
        show("attention");
        click(view(0), 0.0, 2.0);
        QCOMPARE(viewedPair(), (std::pair{2, 0}));
        m_document->setParameter(QStringLiteral("text.length"), 9.0);
        m_document->setParameter(QStringLiteral("view.by"), std::string("position"));
        show("attention");
        click(view(0), 4.0, 8.0);  // the list repeats: position 4 holds what 1 does
        QCOMPARE(viewedPair(), (std::pair{1, 0}));
    }

    void aPooledCellChoosesATokenInIt() {
        m_document->setParameter(QStringLiteral("text.length"), 6000.0);
        show("attention");
        click(view(0), 3000.0, 1500.0);
        const auto& [query, key] = viewedPair();
        QVERIFY(query >= 0 && query < 3 && key >= 0 && key < 3);
        QCOMPARE(m_document->undoStack()->count(), 2);
    }

    void aDragStillZoomsAndADoubleClickStillShowsAll() {
        show("attention");
        PanelView* map = view(0);
        const QPoint from = map->dataToWidget(-0.3, -0.3).toPoint(),
                     to = map->dataToWidget(1.2, 1.2).toPoint();
        QTest::mousePress(map, Qt::LeftButton, {}, from);
        QTest::mouseMove(map, to);
        QTest::mouseRelease(map, Qt::LeftButton, {}, to);
        QVERIFY(map->isZoomed());
        QCOMPARE(m_document->undoStack()->count(), 0);
        QTest::mouseDClick(map, Qt::LeftButton, {}, from);
        QVERIFY(!map->isZoomed());
    }

    void theFirstClickOfADoubleClickChoosesNothing() {
        show("attention");
        const std::pair before = viewedPair();
        PanelView* map = view(0);
        const QPoint cell = map->dataToWidget(1.0, 0.0).toPoint();
        click(map, 1.0, 0.0);
        QVERIFY(viewedPair() != before);
        QTest::mouseDClick(map, Qt::LeftButton, {}, cell);
        QCOMPARE(viewedPair(), before);
        QCOMPARE(m_document->undoStack()->index(), 0);
    }

    void enterChoosesUnderTheCrosshair() {
        show("attention");
        PanelView* map = view(0);
        for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Up, Qt::Key_Return}) {  // the middle, one up
            QTest::keyClick(map, key);
        }
        QCOMPARE(viewedPair(), (std::pair{0, 1}));
    }

    void aColumnOfTheWeightsChoosesItsKeyAlone() {
        show("hidden-states");
        PanelView* weights = view(1);
        click(weights, 1.0, 0.5 * weights->shownRange().yMaximum);
        QCOMPARE(viewedPair(), (std::pair{2, 1}));
    }

    void theReadoutHintsAtTheClickWhereOneChooses() {
        show("attention");
        const auto* hint = m_pane->findChild<QLabel*>(QStringLiteral("figure_hint"));
        QVERIFY(!hint->isVisible());
        QTest::mouseMove(view(0), view(0)->dataToWidget(1.0, 1.0).toPoint());
        QVERIFY(hint->isVisible());
        QVERIFY(!m_pane->readoutText().contains(hint->text()));
        show("ladder");
        QTest::mouseMove(view(0), view(0)->dataToWidget(5.0, 100.0).toPoint());
        QVERIFY(!hint->isVisible());
    }

    void theChosenCellIsOutlined() {
        show("attention");
        const QRgb accent = themeColors(ThemeKind::light).accent.rgb();
        const QPoint corner = view(0)->dataToWidget(-0.5, 1.5).toPoint();  // of man → dog
        QVERIFY(hasColorNear(view(0), corner, accent));
        QVERIFY(!hasColorNear(view(0), view(0)->dataToWidget(1.5, 0.5).toPoint(), accent));
        m_document->setParameters({{QStringLiteral("view.token"), 0.0}, {QStringLiteral("view.key"), 2.0}});
        show("attention");
        QVERIFY(hasColorNear(view(0), view(0)->dataToWidget(1.5, 0.5).toPoint(), accent));
    }

    void aClickOnAChipChoosesItsToken() {
        m_document->setParameter(QStringLiteral("order"), std::vector<int>{2, 0, 1});
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, {}, chip(2));
        QCOMPARE(viewedPair(), (std::pair{1, 0}));
        QCOMPARE(m_document->undoStack()->count(), 2);
        m_document->undoStack()->undo();
        QCOMPARE(viewedPair(), (std::pair{2, 0}));
    }

    void selectingSeveralChipsOrDraggingOneChoosesNothing() {
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::ControlModifier, chip(0));
        QTest::mouseClick(m_chips->viewport(), Qt::LeftButton, Qt::ShiftModifier, chip(1));
        QCOMPARE(m_document->undoStack()->count(), 0);
        QCOMPARE(m_chips->selectedPositions(), (std::vector<int>{0, 1}));
        QTest::mousePress(m_chips->viewport(), Qt::LeftButton, {}, chip(2));
        QTest::mouseMove(m_chips->viewport(), chip(2) - QPoint(20, 0));
        QTest::mouseMove(m_chips->viewport(), chip(0));
        QTest::mouseRelease(m_chips->viewport(), Qt::LeftButton, {}, chip(0));
        QCOMPARE(viewedPair(), (std::pair{2, 0}));
    }

    void theMenuOfAChipChoosesItAsQueryOrAsKey() {
        openMenu(chip(0), QContextMenuEvent::Mouse);
        trigger("chip_look");
        QCOMPARE(viewedPair(), (std::pair{0, 0}));
        openMenu(chip(1), QContextMenuEvent::Mouse);
        trigger("chip_key");
        QCOMPARE(viewedPair(), (std::pair{0, 1}));
        m_chips->setCurrentPosition(2);
        openMenu(QPoint(), QContextMenuEvent::Keyboard);
        trigger("chip_key");
        QCOMPARE(viewedPair(), (std::pair{0, 2}));
    }

    void theChipsSayWhatIsLookedAt() {
        m_chips->setCurrentPosition(2);
        QVERIFY(m_chips->accessibleDescription().contains(QStringLiteral("query token")));
        m_chips->setCurrentPosition(0);
        QVERIFY(m_chips->accessibleDescription().contains(QStringLiteral("key token")));
        m_chips->setCurrentPosition(1);
        QVERIFY(!m_chips->accessibleDescription().contains(QStringLiteral("token")));
    }

private:
    void show(const char* figureId) {
        Engine engine;
        m_pane->setFigureId(QLatin1StringView(figureId));
        const Result<Figure> figure = engine.figure(m_document->scene(), m_pane->request());
        QVERIFY2(figure.has_value(), figure ? "" : figure.error().message.c_str());
        m_pane->showFigure(std::make_shared<const Figure>(*figure));
        QCoreApplication::processEvents();
        m_pane->grab();
    }

    PanelView* view(int index) const {
        return m_pane->findChild<PanelView*>(QStringLiteral("plot_%1").arg(index));
    }

    static void click(PanelView* view, double x, double y) {
        QTest::mouseClick(view, Qt::LeftButton, {}, view->dataToWidget(x, y).toPoint());
    }

    std::pair<int, int> viewedPair() const {
        return {m_document->scene().view.token, m_document->scene().view.key};
    }

    static bool hasColorNear(PanelView* view, const QPoint& place, QRgb color) {
        const QImage picture = view->grab().toImage();
        for (int dx = -3; dx <= 3; ++dx) {
            for (int dy = -3; dy <= 3; ++dy) {
                if (picture.rect().contains(place + QPoint(dx, dy)) &&
                    picture.pixel(place + QPoint(dx, dy)) == color) {
                    return true;
                }
            }
        }
        return false;
    }

    QPoint chip(int position) const { return m_chips->chipRect(position).center(); }

    void openMenu(const QPoint& place, QContextMenuEvent::Reason reason) const {
        QWidget* target =
            reason == QContextMenuEvent::Keyboard ? static_cast<QWidget*>(m_chips) : m_chips->viewport();
        QContextMenuEvent event(reason, place, target->mapToGlobal(place));
        QApplication::sendEvent(target, &event);
    }

    void trigger(const char* name) const {
        auto* menu = m_chips->findChild<QMenu*>(QStringLiteral("chip_menu"));
        QVERIFY(menu != nullptr);
        menu->findChild<QAction*>(QLatin1StringView(name))->trigger();
        menu->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

    std::unique_ptr<SceneDocument> m_document;
    std::unique_ptr<FigureLink> m_link;
    std::unique_ptr<FigurePane> m_pane;
    std::unique_ptr<TokenStrip> m_strip;
    TokenChips* m_chips = nullptr;
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::ChoosingTest)
#include "choosing_test.moc"
