#include "ui/figure/figure_pane.h"

#include <QAction>
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
                QVERIFY(view->plotRect().height() > 40.0);
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

    void aFigureThatIsNoLongerWantedIsDropped() {
        show();
        Figure other;
        other.id = "phases";
        m_pane->showFigure(other);
        QCOMPARE(m_pane->figure().id, std::string("ladder"));
    }

    void emptyStatesSpeakInPlaceOfThePlot() {
        Figure empty;
        empty.id = "ladder";
        empty.emptyState = "Type words or drop a text file here.";
        m_pane->showFigure(empty);
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
        m_pane->showFigure(map);
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
        m_pane->showFigure(map);
        QVERIFY(view->isZoomed());
        QCOMPARE(view->shownRange().xMinimum, 1023.5);
        m_pane->resetView();
        QCOMPARE(view->shownRange().xMaximum, 4095.5);
        QVERIFY(!m_pane->request().window.has_value());
    }

private:
    void show() {
        Engine engine;
        const Result<Figure> figure = engine.figure(m_document->scene(), m_pane->request());
        QVERIFY2(figure.has_value(), figure ? "" : figure.error().message.c_str());
        m_pane->showFigure(*figure);
        QCoreApplication::processEvents();
        m_pane->grab();
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
