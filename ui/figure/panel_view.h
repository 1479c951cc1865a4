#pragma once

#include <QElapsedTimer>
#include <QPixmap>
#include <QPointer>
#include <QSet>
#include <QWidget>

#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "core/figures/figure.h"
#include "ui/figure/annotations.h"
#include "ui/figure/axes_painter.h"
#include "ui/figure/chart_view.h"
#include "ui/figure/figure_link.h"
#include "ui/figure/figure_style.h"
#include "ui/figure/hover_readout.h"
#include "ui/figure/map_motion.h"
#include "ui/figure/map_painter.h"
#include "ui/figure/plot_mapping.h"
#include "ui/figure/plot_navigation.h"

namespace phaseladder::ui {

class LegendList;

/// Draws any Panel: maps by itself, curves through Qt Charts (ChartView), axes and labels by itself, and
/// handles zoom, pan, the crosshair and the marks that views share. What does not move with the pointer is
/// kept as a pixmap.
///
/// Mouse: wheel zooms at the pointer (Shift: x only, Ctrl: y only); left drag: box zoom; middle drag or Space
/// + drag: pan; double-click: reset; buttons 4 and 5: back and forward; click: select; a rule with a
/// parameter can be dragged; a legend entry is hidden by a click and shown alone by Ctrl + click. Keys:
/// arrows move the crosshair, Shift + arrows pan, + and − zoom, Z, arrows and Enter zoom to the box from here
/// to there, Enter selects, Esc lets go, Alt + Left and Right go through the history. The legend is a list of
/// its own for the keyboard (LegendList).
class PanelView : public QWidget {
    Q_OBJECT

public:
    explicit PanelView(FigureLink* link, QWidget* parent = nullptr);
    ~PanelView() override;

    /// Keeps what is shown while the axes mean the same. `summary` is for screen readers. `whole` is what
    /// zooming out reaches when the panel holds a part only (a window of a token map); by default the panel's
    /// own axes.
    void setPanel(std::shared_ptr<const Panel> panel, const QString& summary,
                  const std::optional<PlotRange>& whole = std::nullopt);
    void setFigureStyle(const FigureStyle& style);
    /// The least room beside the plot, so that the plots of a stack line up.
    void setSideRoom(double left, double right);
    /// Whether the labels and the title of x are shown; of a stack with one x only the lowest shows them.
    void setXShown(bool shown);
    /// The room beside the plot that this panel needs by itself.
    [[nodiscard]] std::pair<double, double> neededSideRoom() const;

    [[nodiscard]] const Panel& panel() const { return *m_panel; }
    [[nodiscard]] const std::shared_ptr<const Panel>& sharedPanel() const { return m_panel; }
    [[nodiscard]] const QSet<QString>& hiddenLabels() const { return m_legend.hidden; }
    [[nodiscard]] const std::optional<HoverReadout>& crosshair() const { return m_hover; }
    [[nodiscard]] LegendList* legendList() const { return m_legendList; }
    [[nodiscard]] const QString& summary() const { return m_summary; }
    [[nodiscard]] QRectF plotRect() const;
    [[nodiscard]] QPointF dataToWidget(double x, double y) const;
    [[nodiscard]] const PlotRange& shownRange() const { return m_navigation.range(); }
    [[nodiscard]] bool isZoomed() const { return !m_navigation.isFull(); }
    [[nodiscard]] double zoomFactor() const { return m_navigation.zoomFactor(); }
    /// The sentence under the crosshair, or an empty one.
    [[nodiscard]] QString readoutText() const;

    void showRange(const PlotRange& range);
    [[nodiscard]] ShownX shownX() const;
    /// Follows another plot when its x means the same.
    void followX(const ShownX& shown);
    void resetView();
    void zoomBy(double factor);
    void viewBack();
    void viewForward();

Q_SIGNALS:
    void shownRangeChanged();
    void plotResized();
    void readoutChanged(const QString& text);
    void ruleDragStarted();
    void ruleDragged(const QString& parameterId, double value);
    void ruleDragFinished();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Drag { none, box, pan, rule };

    void layoutPlot();
    [[nodiscard]] PlotMapping mapping() const;
    void invalidate();
    void afterNavigation(bool changed);
    void paintContent(QPainter& painter);
    void paintMarks(QPainter& painter);
    void paintCrosshair(QPainter& painter);
    void paintBox(QPainter& painter);

    void hover(const QPointF& pixel);
    void setHover(std::optional<HoverReadout> readout);
    void moveCrosshair(int xStep, int yStep);
    void select();
    void finishBox();
    [[nodiscard]] const Rule* ruleAt(const QPointF& pixel) const;
    void dragRule(const QPointF& pixel);
    void moveBoxCorner(int yStep);
    void toggleLegendEntry(qsizetype index, bool alone);
    void updateCursor(const QPointF& pixel);
    [[nodiscard]] PlotRange rangeBetween(const QPointF& from, const QPointF& to) const;

    QPointer<FigureLink> m_link;
    std::shared_ptr<const Panel> m_panel;
    QString m_summary;
    bool m_squareCells = false;
    FigureStyle m_style;
    PlotNavigation m_navigation;
    std::vector<std::unique_ptr<MapPainter>> m_maps;  // one for each Heatmap of the panel, in order
    MapMotion m_motion;
    ChartView m_chart;
    Panel m_annotations;  // the panel without its data
    ScreenLegend m_legend;
    LegendList* m_legendList;

    double m_leftRoom = 0.0, m_rightRoom = 0.0;
    bool m_xShown = true;
    PlotAxes m_axes;
    QRectF m_plot;
    QPixmap m_content;  // null: to be painted again; without the axes while rows move

    std::optional<HoverReadout> m_hover;
    Drag m_drag = Drag::none;
    QPointF m_press, m_last;
    std::optional<QPointF> m_keyBoxStart;  // in axis units
    std::optional<Rule> m_draggedRule;
    bool m_spaceIsDown = false;
    bool m_focusIsByKeys = false;  // a frame says where the keys go
    QElapsedTimer m_sinceWheel;
};

}  // namespace phaseladder::ui
