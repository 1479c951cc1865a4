#pragma once

#include <QList>
#include <QPointF>
#include <QStringList>
#include <QWidget>

#include <memory>
#include <string>

#include "core/figures/figure_list.h"

class QSplitter;
class QTabBar;

namespace phaseladder::ui {

class FigureLink;
class FigurePane;
class SceneDocument;

/// Four figure panes of which one, two or four are shown:
///
///     1: the current pane      2: | 0 | 1 |      4: | 0 | 1 |
///                                                   | 2 | 3 |
///
/// Where there is no room for them side by side, they become tabs: one is shown, a bar above names all.
/// It sees to it that no change of the encoding leaves a pane empty.
class PaneGrid : public QWidget {
    Q_OBJECT

public:
    static constexpr int maximumPanes = 4;

    PaneGrid(SceneDocument* document, FigureLink* link, QWidget* parent = nullptr);

    ~PaneGrid() override;

    [[nodiscard]] int paneCount() const { return m_paneCount; }  ///< 1, 2 or 4
    void setPaneCount(int count);

    [[nodiscard]] const QList<FigurePane*>& panes() const { return m_panes; }
    [[nodiscard]] bool isShown(const FigurePane* pane) const;

    /// The pane that had the keyboard focus last: what zoom, copy and export act on.
    [[nodiscard]] FigurePane* currentPane() const { return m_panes[m_current]; }
    [[nodiscard]] int currentIndex() const { return m_current; }
    /// Makes a pane the current one; a hidden one is shown.
    void showPane(int index);
    /// The same, and gives it the focus.
    void focusPane(int index);

    /// Shows all of the current pane, and of those that are linked with it.
    void resetViews();

    /// One pane over the whole grid, and back.
    void toggleEnlarged(FigurePane* pane);

    /// The parts of the width for the first column and of the height for the first row, from 0 to 1.
    [[nodiscard]] QPointF shares() const { return m_shares; }
    void setShares(const QPointF& shares);

    /// The figures that were chosen, one a pane. One that has nothing to draw for the encoding is replaced by
    /// another while that lasts; a figure that is chosen later keeps its place until the encoding changes.
    [[nodiscard]] QStringList figureIds() const;
    void setFigureIds(const QStringList& ids);

    /// The scene to compare with (A; null: none), and what the panes show of the two.
    void setComparison(const std::shared_ptr<const Scene>& pinned, CompareMode mode);

Q_SIGNALS:
    void paneCountChanged(int count);
    void currentChanged();
    void shownPanesChanged();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    [[nodiscard]] bool needsTabs() const;
    [[nodiscard]] bool showsOne() const { return m_paneCount == 1 || m_tabbed; }
    void buildTabs();
    void showTabs();
    void showPanes();
    void applyShares();
    void readShares(QSplitter* moved);
    void setCurrent(int index);
    void followFocus(const QWidget* focused);
    void followEncoding();
    void fitFigures();
    void offerFigure(FigurePane* pane);

    SceneDocument* m_document;
    std::string m_encoding;  // that the figures were fitted to
    std::shared_ptr<const Scene> m_pinned;
    QList<FigurePane*> m_panes;
    QSplitter* m_rows = nullptr;
    QList<QSplitter*> m_columns;  // one a row
    QTabBar* m_tabs = nullptr;
    QPointF m_shares{0.5, 0.5};
    bool m_tabbed = false;
    int m_paneCount = maximumPanes;
    int m_countBeforeEnlarging = maximumPanes;
    int m_current = 0;
};

}  // namespace phaseladder::ui
