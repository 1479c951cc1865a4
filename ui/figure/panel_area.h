#pragma once

#include <QList>
#include <QSet>
#include <QWidget>

#include <memory>

#include "core/figures/figure.h"

class QToolButton;

namespace phaseladder::ui {

class PanelView;

/// Places the plots of a figure in its room (arrangePanels) and lines them up. Where the room is too small
/// for all of them to be read some are left out, and a button says which and enlarges the pane.
class PanelArea : public QWidget {
    Q_OBJECT

public:
    explicit PanelArea(QWidget* parent = nullptr);

    /// One view for each of the figure's panels; they are children of this widget.
    void setViews(std::shared_ptr<const Figure> figure, const QList<PanelView*>& views);
    /// Gives plots below each other the same borders.
    void alignPlots();

Q_SIGNALS:
    void enlargeRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void place();
    void sayWhatIsLeftOut(const QSet<PanelView*>& shown);

    std::shared_ptr<const Figure> m_figure;
    QList<PanelView*> m_views;
    QList<QList<PanelView*>> m_rows;
    QToolButton* m_leftOut;
};

}  // namespace phaseladder::ui
