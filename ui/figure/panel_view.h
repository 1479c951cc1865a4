#pragma once

#include <QElapsedTimer>
#include <QPixmap>
#include <QPointer>
#include <QSet>
#include <QWidget>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/figures/figure.h"
#include "ui/controls/edit_gesture.h"
#include "ui/figure/annotations.h"
#include "ui/figure/axes_painter.h"
#include "ui/figure/chart_view.h"
#include "ui/figure/figure_link.h"
#include "ui/figure/figure_style.h"
#include "ui/figure/grips.h"
#include "ui/figure/hover_readout.h"
#include "ui/figure/map_motion.h"
#include "ui/figure/map_painter.h"
#include "ui/figure/plot_mapping.h"
#include "ui/figure/plot_navigation.h"

namespace phaseladder::ui {

class LegendList;

/// Draws any Panel: maps by itself, curves through Qt Charts (ChartView), everything else as it is drawn on
/// paper, and sees to zoom, pan, the crosshair, the grips and the marks that views share. What does not move
/// with the pointer is kept as a pixmap.
///
/// Mouse: wheel zooms at the pointer (Shift: x only, Ctrl: y only); left drag: box zoom; middle drag or Space
/// + drag: pan; double-click: reset; buttons 4 and 5: back and forward; click: choose what the place sets (a
/// token, a pair, a head; Ctrl + click: take it into the list or out, Shift + click: all up to it), else
/// select; a handle, and a rule with a parameter, can be dragged; a legend entry is hidden by a click and
/// shown alone by Ctrl + click. Keys: arrows move the crosshair, Shift + arrows pan, + and − zoom, Z, arrows
/// and Enter zoom to the box from here to there, Enter is a click, Esc lets go, Alt + Left and Right go
/// through the history. H takes hold of the next handle or rule (Shift + H of the one before), which the
/// arrows then move by 1 % of the axis, with Shift by 0.1 %, until Esc lets go; where handles draw a list
/// together, Left and Right go to the next of them. The legend is a list of its own for the keyboard
/// (LegendList). What the axes say is chosen has an outline.
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
    /// The room in which a plot that keeps its shape is placed; the plot's own where it fills it.
    [[nodiscard]] QSizeF plotRoom() const { return m_plotRoom; }
    [[nodiscard]] QPointF dataToWidget(double x, double y) const;
    [[nodiscard]] const PlotRange& shownRange() const { return m_navigation.range(); }
    [[nodiscard]] bool isZoomed() const { return !m_navigation.isFull(); }
    [[nodiscard]] double zoomFactor() const { return m_navigation.zoomFactor(); }
    /// What can be dragged, and what the keys hold of it.
    [[nodiscard]] const std::vector<Grip>& grips() const { return m_grips; }
    [[nodiscard]] std::optional<std::size_t> keyGrip() const { return m_keyGrip; }
    [[nodiscard]] QRectF gripRect(std::size_t grip) const;
    /// The sentence of the grip that is held or pointed at, or under the crosshair, or an empty one.
    [[nodiscard]] QString readoutText() const;
    /// Whether a click sets parameters where the crosshair is.
    [[nodiscard]] bool canChoose() const;
    /// Whether a click with Ctrl or Shift sets something of its own there.
    [[nodiscard]] bool canChooseSeveral() const;

    /// Ends a move of a grip by mouse or keys.
    void letGripGo();

    /// What does not move with the pointer, at the size of this widget.
    void paintContent(QPainter& painter);

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
    /// Between these two all moves are one gesture: a drag, or arrow keys in quick succession.
    void gripMoveStarted();
    void gripMoveFinished();
    void gripMoved(const GripMove& move);
    /// A place that sets parameters was chosen: a dial, a cell, a column.
    void placeChosen(const QList<ParameterChoice>& choices);
    /// The click that chose it was the first of a double-click, which means something else.
    void choiceTakenBack();

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
    enum class Drag { none, box, pan, grip };

    void layoutPlot();
    [[nodiscard]] PlotMapping mapping() const;
    void invalidate();
    void afterNavigation(bool changed);
    void paintChosen(QPainter& painter);
    void paintTitle(QPainter& painter);
    void paintMarks(QPainter& painter);
    void paintCrosshair(QPainter& painter);
    void paintBox(QPainter& painter);

    void hover(const QPointF& pixel);
    void setHover(std::optional<HoverReadout> readout, std::optional<std::size_t> grip = std::nullopt);
    void moveCrosshair(int xStep, int yStep);
    void select(Qt::KeyboardModifiers modifiers);
    void finishBox(Qt::KeyboardModifiers modifiers);
    void takeGrips();
    [[nodiscard]] std::optional<std::size_t> shownGrip() const;
    void holdNextGrip(int step);
    void moveKeyGrip(int xStep, int yStep, double share);
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
    std::pair<Axis, Axis> m_axesOfPanel;  // x and y, which the navigation has but for a held grip
    std::vector<MapPainter> m_maps;       // one for each map of the panel, in order
    MapMotion m_motion;
    ChartView m_chart;
    Panel m_annotations;  // the panel without its data
    ScreenLegend m_legend;
    LegendPlan m_legendPlan;
    LegendList* m_legendList;

    double m_leftRoom = 0.0, m_rightRoom = 0.0;
    bool m_xShown = true;
    PlotAxes m_axes;
    QRectF m_plot;
    QSizeF m_plotRoom;
    QPixmap m_content;  // without the axes while rows move
    bool m_isContentStale = true;

    std::optional<HoverReadout> m_hover;
    Drag m_drag = Drag::none;
    bool m_hasChosen = false;  // by the last click
    QPointF m_press, m_last;
    std::optional<QPointF> m_keyBoxStart;              // in axis units
    std::vector<Grip> m_grips;                         // as they are drawn
    std::optional<std::size_t> m_dragGrip, m_keyGrip;  // what the pointer and the keys hold
    std::optional<std::size_t> m_pointedGrip;          // under the pointer
    EditGesture m_gripGesture{nullptr};
    bool m_spaceIsDown = false;
    bool m_focusIsByKeys = false;  // a frame says where the keys go
    QElapsedTimer m_sinceWheel;
};

}  // namespace phaseladder::ui
