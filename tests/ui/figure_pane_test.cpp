#include "ui/figure/figure_pane.h"

#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QLabel>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "core/engine.h"
#include "ui/document.h"
#include "ui/figure/pane_parts.h"
#include "ui/figure/panel_view.h"

namespace phaseladder::ui::test {

class FigurePaneTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_document = std::make_unique<SceneDocument>();
        m_link = std::make_unique<FigureLink>();
        m_pane = std::make_unique<FigurePane>(m_document.get(), m_link.get());
        m_pane->resize(690, 340);
        m_pane->setFigureId(QStringLiteral("ladder"));
        m_pane->show();
    }

    void cleanup() {
        m_pane.reset();
        m_link.reset();
        m_document.reset();
    }

    void everyFigureIsDrawn() {
        for (const FigureKind& kind : figureKinds()) {
            m_pane->setFigureId(QString::fromStdString(kind.id));
            show();
            const auto panels = static_cast<qsizetype>(m_pane->figure().panels.size());
            QCOMPARE(m_pane->findChildren<PanelView*>().size(), panels);
            for (PanelView* view : m_pane->findChildren<PanelView*>()) {
                QVERIFY(QRectF(view->rect()).contains(view->plotRect()));
                QVERIFY(view->plotRect().height() > (view->panel().axesShown ? 40.0 : 20.0));
                QVERIFY(!view->accessibleName().isEmpty());
            }
        }
    }

    void thePickerAsksForAnotherFigure() {
        QSignalSpy changed(m_pane.get(), &FigurePane::figureIdChanged);
        m_pane->findChild<QAction*>(QStringLiteral("figure_ramp"))->trigger();
        QCOMPARE(changed.count(), 1);
        QCOMPARE(m_pane->figureId(), QStringLiteral("ramp"));
        QCOMPARE(m_pane->request().id, std::string("ramp"));
    }

    void aFigureIsSharedWithWhoComputedIt() {
        show();
        const auto figure = std::make_shared<const Figure>(m_pane->computedFigure());
        m_pane->showFigure(figure);
        QVERIFY(&m_pane->figure() == figure.get());
        QVERIFY(&m_pane->computedFigure() == figure.get());
        QVERIFY(&m_pane->findChild<PanelView*>()->panel() == figure->panels.data());
    }

    void aFigureThatIsNoLongerWantedIsDropped() {
        show();
        Figure other;
        other.id = "phases";
        m_pane->showFigure(std::make_shared<const Figure>(other));
        QCOMPARE(m_pane->figure().id, std::string("ladder"));
    }

    void emptyStatesSpeakInPlaceOfThePlot() {
        Figure empty;
        empty.id = "ladder";
        empty.emptyState = "Type words or drop a text file here.";
        m_pane->showFigure(std::make_shared<const Figure>(empty));
        const auto* label = m_pane->findChild<QLabel*>(QStringLiteral("figure_empty"));
        QVERIFY(label->isVisible());
        QCOMPARE(label->text(), QStringLiteral("Type words or drop a text file here."));
        show();
        QVERIFY(!label->isVisible());
    }

    void anErrorKeepsThePreviousPicture() {
        show();
        m_pane->showError(QStringLiteral("rope.theta must be above 0, got -1."));
        const auto* message = m_pane->findChild<ElidedLine*>(QStringLiteral("figure_message"));
        QVERIFY(message->isVisible());
        QCOMPARE(message->text(), QStringLiteral("rope.theta must be above 0, got -1."));
        QCOMPARE(m_pane->figure().id, std::string("ladder"));
        show();
        QVERIFY(!message->text().contains(QStringLiteral("rope.theta must")));
    }

    void busyShowsOnlyAfterAMoment() {
        const auto* line = m_pane->findChild<BusyLine*>(QStringLiteral("figure_busy"));
        m_pane->setBusy(true);
        QVERIFY(!line->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(line->isVisible(), 1000);
        m_pane->setBusy(false);
        QVERIFY(!line->isVisible());
    }

    void zoomIsKeptAcrossSceneChanges() {
        show();
        auto* view = m_pane->findChild<PanelView*>(QStringLiteral("plot_0"));
        m_pane->zoomIn();
        const PlotRange zoomed = view->shownRange();
        QVERIFY(view->isZoomed());
        QCOMPARE(m_document->setParameter(QStringLiteral("rope.theta"), 20000.0), QString());
        show();
        QCOMPARE(view->shownRange().xMinimum, zoomed.xMinimum);
        QCOMPARE(view->shownRange().xMaximum, zoomed.xMaximum);
        m_pane->resetView();
        QVERIFY(!view->isZoomed());
    }

    void panelsWithTheSamePositionsZoomTogether() {
        m_pane->setFigureId(QStringLiteral("phases"));
        show();
        auto* map = m_pane->findChild<PanelView*>(QStringLiteral("plot_0"));
        auto* waves = m_pane->findChild<PanelView*>(QStringLiteral("plot_1"));
        QVERIFY(waves != nullptr);
        QCOMPARE(map->plotRect().left(), waves->plotRect().left());
        QCOMPARE(map->plotRect().right(), waves->plotRect().right());
        PlotRange range = map->shownRange();
        range.xMinimum = 100.0;
        range.xMaximum = 200.0;
        map->showRange(range);
        QCOMPARE(waves->shownRange().xMinimum, map->shownRange().xMinimum);
        QCOMPARE(waves->shownRange().xMaximum, map->shownRange().xMaximum);
    }

    void whatIsExportedIsWhatIsShown() {
        show();
        QCOMPARE(m_pane->shownFigure().panels[0].x.maximum, m_pane->figure().panels[0].x.maximum);
        auto* view = m_pane->findChild<PanelView*>(QStringLiteral("plot_0"));
        view->showRange({10.0, 20.0, 1e2, 1e4});
        const Axis x = m_pane->shownFigure().panels[0].x;
        QCOMPARE(x.minimum, 10.0);
        QCOMPARE(x.maximum, 20.0);
        QCOMPARE(m_pane->figure().panels[0].x.minimum, 0.0);
    }

    void linkedPanesFollowAlongTheSameX() {
        show();
        FigurePane ramp(m_document.get(), m_link.get());
        ramp.resize(690, 340);
        ramp.setFigureId(QStringLiteral("ramp"));
        ramp.show();
        FigurePane attention(m_document.get(), m_link.get());
        attention.resize(690, 340);
        attention.setFigureId(QStringLiteral("attention"));
        attention.show();
        showIn(ramp);
        showIn(attention);
        auto* ladder = m_pane->findChild<PanelView*>(QStringLiteral("plot_0"));
        const PlotRange map = attention.findChild<PanelView*>(QStringLiteral("plot_0"))->shownRange();
        PlotRange range = ladder->shownRange();
        range.xMinimum = 10.0;
        range.xMaximum = 20.0;
        ladder->showRange(range);
        QCOMPARE(ramp.findChildren<PanelView*>().size(), 2);
        for (const PanelView* view : ramp.findChildren<PanelView*>()) {
            QCOMPARE(view->shownRange().xMinimum, 10.0);
            QCOMPARE(view->shownRange().xMaximum, 20.0);
            QCOMPARE(view->shownRange().yMaximum, view->panel().y.maximum);
        }
        QCOMPARE(attention.findChild<PanelView*>(QStringLiteral("plot_0"))->shownRange(), map);
        m_pane->resetView();
        for (const PanelView* view : ramp.findChildren<PanelView*>()) {
            QVERIFY(!view->isZoomed());
        }
    }

    void anUnlinkedPaneKeepsItsView() {
        show();
        FigurePane ramp(m_document.get(), m_link.get());
        ramp.resize(690, 340);
        ramp.setFigureId(QStringLiteral("ramp"));
        ramp.show();
        showIn(ramp);
        QSignalSpy changed(&ramp, &FigurePane::axesLinkedChanged);
        ramp.findChild<QToolButton*>(QStringLiteral("figure_link"))->click();
        QCOMPARE(changed.count(), 1);
        QVERIFY(!ramp.areAxesLinked());
        auto* ladder = m_pane->findChild<PanelView*>(QStringLiteral("plot_0"));
        ladder->zoomBy(2.0);
        const QList<PanelView*> views = ramp.findChildren<PanelView*>();
        QVERIFY(!views[0]->isZoomed() && !views[1]->isZoomed());
        views[0]->zoomBy(4.0);
        QVERIFY(!views[1]->isZoomed());
    }

    void lockedColoursStayForComparison() {
        m_pane->setFigureId(QStringLiteral("attention"));
        Figure figure = tokenMap(4, 4);
        auto& map = std::get<Heatmap>(figure.panels[0].layers[0]);
        map.valueTitle = "weight";
        map.high = 0.5;
        figure.notes = {"Colours end at 0.5; 3 cells are above it."};
        m_pane->showFigure(std::make_shared<const Figure>(figure));
        auto* lock = m_pane->findChild<QAction*>(QStringLiteral("lock_colors"));
        lock->setChecked(true);
        map.high = 1.0;
        map.values[5] = 0.75;
        m_pane->showFigure(std::make_shared<const Figure>(figure));
        const auto shownHigh = [this] {
            return std::get<Heatmap>(m_pane->figure().panels[0].layers[0]).high;
        };
        QCOMPARE(shownHigh(), 0.5);
        QCOMPARE(m_pane->figure().notes,
                 std::vector<std::string>{"Colours are locked at 0 to 0.5; 1 cell is outside."});
        map.valueTitle = "logit";
        m_pane->showFigure(std::make_shared<const Figure>(figure));
        QCOMPARE(shownHigh(), 1.0);
        map.valueTitle = "weight";
        m_pane->showFigure(std::make_shared<const Figure>(figure));
        lock->setChecked(false);
        QCOMPARE(shownHigh(), 1.0);
        QCOMPARE(m_pane->figure().notes, figure.notes);
    }

    void everyPlotIsAChartWithATableOfItsNumbers() {
        m_document->setParameter(QStringLiteral("scaling"), std::string("yarn"));
        for (const FigureKind& kind : figureKinds()) {
            m_pane->setFigureId(QString::fromStdString(kind.id));
            show();
            for (PanelView* view : m_pane->findChildren<PanelView*>()) {
                const QByteArray where =
                    (m_pane->figureId() + QLatin1Char(' ') + view->objectName()).toUtf8();
                QAccessibleInterface* plot = QAccessible::queryAccessibleInterface(view);
                QVERIFY2(plot != nullptr && plot->role() == QAccessible::Chart, where);
                QVERIFY2(!plot->text(QAccessible::Name).isEmpty(), where);
                QVERIFY2(!plot->text(QAccessible::Description).isEmpty(), where);
                QAccessibleTableInterface* table = plot->tableInterface();
                QVERIFY2(table != nullptr && table->rowCount() > 0 && table->columnCount() > 0, where);
                for (const auto& [row, column] :
                     {std::pair(0, 0), std::pair(table->rowCount() - 1, table->columnCount() - 1)}) {
                    QVERIFY2(!table->rowDescription(row).isEmpty(), where);
                    QVERIFY2(!table->columnDescription(column).isEmpty(), where);
                    QAccessibleInterface* cell = table->cellAt(row, column);
                    QVERIFY2(cell != nullptr && cell->role() == QAccessible::Cell, where);
                    QVERIFY2(!cell->text(QAccessible::Name).isEmpty(), where);
                    QCOMPARE(cell->tableCellInterface()->rowIndex(), row);
                    QCOMPARE(cell->tableCellInterface()->columnIndex(), column);
                }
                QVERIFY(table->cellAt(table->rowCount(), 0) == nullptr);
            }
        }
    }

    void aClickOnADialChoosesItsPair() {
        m_pane->setFigureId(QStringLiteral("clocks"));
        show();
        const auto* view = m_pane->findChild<PanelView*>(QStringLiteral("plot_0"));
        for (const int pair : {3, 1}) {  // in the first row of dials
            const QPoint place = view->dataToWidget(pair, 0.0).toPoint();
            QTest::mouseMove(m_pane->findChild<PanelView*>(QStringLiteral("plot_0")), place);
            QTest::mouseClick(m_pane->findChild<PanelView*>(QStringLiteral("plot_0")), Qt::LeftButton, {},
                              place);
            QCOMPARE(m_document->scene().view.pair, pair);
            show();
            view = m_pane->findChild<PanelView*>(QStringLiteral("plot_0"));
        }
    }

    void everythingInAPaneHasANameForAScreenReader() {
        m_document->setParameter(QStringLiteral("scaling"), std::string("yarn"));
        for (const FigureKind& kind : figureKinds()) {
            m_pane->setFigureId(QString::fromStdString(kind.id));
            show();
            QStringList nameless;
            walk(QAccessible::queryAccessibleInterface(m_pane.get()), nameless, 0);
            QVERIFY2(nameless.isEmpty(), qPrintable(QString::fromStdString(kind.id) + QLatin1Char(' ') +
                                                    nameless.mid(0, 5).join(QLatin1Char(' '))));
        }
    }

    void tabGoesFromTheTitleOverTheButtonsIntoThePlotItsLegendAndTheChain() {
        m_document->setParameter(QStringLiteral("scaling"), std::string("yarn"));
        show();
        m_pane->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_pane.get()));
        m_pane->findChild<QToolButton*>(QStringLiteral("figure_picker"))->setFocus(Qt::TabFocusReason);
        QStringList visited;
        for (int step = 0; step < 6; ++step) {
            visited.append(QApplication::focusWidget()->objectName());
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
        }
        QCOMPARE(visited, (QStringList{QStringLiteral("figure_picker"), QStringLiteral("figure_enlarge"),
                                       QStringLiteral("figure_more"), QStringLiteral("plot_0"),
                                       QStringLiteral("legend"), QStringLiteral("figure_link")}));
    }

    void theReadoutIsSaidOnce() {
        show();
        auto* view = m_pane->findChild<PanelView*>(QStringLiteral("plot_0"));
        QSignalSpy changed(m_pane.get(), &FigurePane::readoutChanged);
        const QPointF at = view->dataToWidget(5.0, 100.0);
        QMouseEvent move(QEvent::MouseMove, at, view->mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                         Qt::NoModifier);
        QApplication::sendEvent(view, &move);
        QCOMPARE(changed.count(), 1);
        QVERIFY(m_pane->readoutText().startsWith(QStringLiteral("pair 5 · wavelength")));
        QCOMPARE(m_pane->findChild<ElidedLine*>(QStringLiteral("figure_readout"))->text(),
                 m_pane->readoutText());
    }

    void draggingTheTrainedLengthIsOneUndoStep() {
        show();
        auto* view = m_pane->findChild<PanelView*>(QStringLiteral("plot_0"));
        const auto trained = m_document->scene().length.trained;
        const QPointF from = view->dataToWidget(20.0, static_cast<double>(trained));
        QTest::mousePress(view, Qt::LeftButton, {}, from.toPoint());
        for (int step = 1; step <= 5; ++step) {
            const QPointF at = from - QPointF(0.0, 4.0 * step);
            QMouseEvent move(QEvent::MouseMove, at, view->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                             Qt::NoModifier);
            QApplication::sendEvent(view, &move);
        }
        QTest::mouseRelease(view, Qt::LeftButton, {}, (from - QPointF(0.0, 20.0)).toPoint());
        QVERIFY(m_document->scene().length.trained > trained);
        QCOMPARE(m_document->undoStack()->count(), 1);
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scene().length.trained, trained);
    }

    void zoomingAPooledMapAsksForItsWindow() {
        QCOMPARE(m_document->setParameter(QStringLiteral("text.length"), 4096.0), QString());
        m_pane->setFigureId(QStringLiteral("attention"));
        Figure map = tokenMap(4096, 256);
        m_pane->showFigure(std::make_shared<const Figure>(map));
        QVERIFY(!m_pane->request().window.has_value());
        QSignalSpy asked(m_pane.get(), &FigurePane::requestChanged);
        auto* view = m_pane->findChild<PanelView*>(QStringLiteral("plot_0"));
        view->showRange({1023.5, 1279.5, 1023.5, 1279.5});
        QCOMPARE(asked.count(), 1);
        const CellWindow window = m_pane->request().window.value();
        QCOMPARE(window.rowBegin, 1024);
        QCOMPARE(window.rowEnd, 1280);

        // The window's figure has its own axes; zooming out reaches the whole text again.
        for (Axis* axis : {&map.panels[0].x, &map.panels[0].y}) {
            axis->minimum = 1023.5;
            axis->maximum = 1279.5;
        }
        m_pane->showFigure(std::make_shared<const Figure>(map));
        QVERIFY(view->isZoomed());
        QCOMPARE(view->shownRange().xMinimum, 1023.5);
        m_pane->resetView();
        QCOMPARE(view->shownRange().xMaximum, 4095.5);
        QVERIFY(!m_pane->request().window.has_value());
    }

private:
    void show() { showIn(*m_pane); }

    void showIn(FigurePane& pane) {
        Engine engine;
        const Result<Figure> figure = engine.figure(m_document->scene(), pane.request());
        QVERIFY2(figure.has_value(), figure ? "" : figure.error().message.c_str());
        pane.showFigure(std::make_shared<const Figure>(*figure));
        QCoreApplication::processEvents();
        pane.grab();
    }

    /// Every part of the tree that a screen reader can stop at.
    static void walk(QAccessibleInterface* part, QStringList& nameless, int depth) {
        QVERIFY(part != nullptr && part->isValid() && depth < 12);
        const QAccessible::State state = part->state();
        const bool isStop = state.focusable || part->role() == QAccessible::RowHeader ||
                            part->role() == QAccessible::ColumnHeader;
        if (isStop && !state.invisible && part->text(QAccessible::Name).isEmpty()) {
            nameless.append(part->object() != nullptr ? part->object()->objectName()
                                                      : QStringLiteral("part of role %1").arg(part->role()));
        }
        for (int index = 0; index < part->childCount(); ++index) {
            QAccessibleInterface* child = part->child(index);
            QVERIFY(child != nullptr);
            QCOMPARE(part->indexOfChild(child), index);
            walk(child, nameless, depth + 1);
        }
    }

    static Figure tokenMap(int tokens, int cells) {
        Figure figure;
        figure.id = "attention";
        Panel panel;
        panel.x.meaning = AxisMeaning::keyToken;
        panel.x.minimum = -0.5;
        panel.x.maximum = tokens - 0.5;
        panel.x.wholeNumbers = true;
        panel.y = panel.x;
        panel.y.meaning = AxisMeaning::queryToken;
        panel.y.reversed = true;
        panel.squareCells = true;
        Heatmap map;
        map.rows = map.columns = cells;
        map.values.assign(static_cast<std::size_t>(cells) * static_cast<std::size_t>(cells), 0.5);
        map.rowStep = map.columnStep = static_cast<double>(tokens) / cells;
        panel.layers = {map};
        figure.panels = {panel};
        return figure;
    }

    std::unique_ptr<SceneDocument> m_document;
    std::unique_ptr<FigureLink> m_link;
    std::unique_ptr<FigurePane> m_pane;
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::FigurePaneTest)
#include "figure_pane_test.moc"
