#pragma once

#include <QList>
#include <QStringList>
#include <QWidget>

class QSplitter;

namespace phaseladder::ui {

class FigureLink;
class FigurePane;
class SceneDocument;

/// Four figure panes of which one, two or four are shown:
///
///     1: the current pane      2: | 0 | 1 |      4: | 0 | 1 |
///                                                   | 2 | 3 |
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
    /// Gives a pane the focus; a hidden one is shown first.
    void focusPane(int index);

    /// One pane over the whole grid, and back.
    void toggleEnlarged(FigurePane* pane);

    [[nodiscard]] QStringList figureIds() const;
    void setFigureIds(const QStringList& ids);

Q_SIGNALS:
    void paneCountChanged(int count);
    void currentChanged();
    void shownPanesChanged();

private:
    void showPanes();
    void setCurrent(int index);
    void followFocus(const QWidget* focused);

    QList<FigurePane*> m_panes;
    QSplitter* m_rows = nullptr;
    QList<QSplitter*> m_columns;  // one a row
    int m_paneCount = maximumPanes;
    int m_countBeforeEnlarging = maximumPanes;
    int m_current = 0;
};

}  // namespace phaseladder::ui
