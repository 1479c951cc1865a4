#pragma once

#include <QAbstractScrollArea>
#include <QTimer>
#include <QVariantAnimation>

#include <set>
#include <unordered_map>
#include <vector>

#include "ui/controls/chip_layout.h"

class QLineEdit;
class QToolButton;

namespace phaseladder::ui {

/// The chips themselves. Only those in sight are painted, so a text may be long. The widget changes nothing:
/// it asks. Mouse: a click chooses, drag after 4 px (a selection moves as a block), Ctrl and Shift select,
/// double-click edits, the context menu has the rest.
/// Keys: Left/Right, Home/End focus; Alt with them moves, Shift selects, Ctrl keeps the selection; Ctrl +
/// Space selects; Delete, F2, Insert or +, Escape.
class TokenChips : public QAbstractScrollArea {
    Q_OBJECT

public:
    explicit TokenChips(QWidget* parent = nullptr);

    void setContent(const SharedList<std::string>& tokens, const SharedList<int>& order);
    /// Outlines the chip at a position (a figure's mark); -1: none.
    void setMarked(int position);
    /// Marks the tokens that are looked at as query (q, a solid outline) and key (k, a dashed one), as
    /// indices into the tokens; -1: none.
    void setViewed(int query, int key);

    [[nodiscard]] int count() const { return m_layout.count(); }
    /// Where a token stands now.
    [[nodiscard]] int positionOf(int token) const { return m_layout.positionOf(token); }
    /// Room in which all chips and the add button stand without scrolling, in pixels.
    [[nodiscard]] int contentWidth() const;
    /// The chip at a position, in the viewport; it may lie outside of it.
    [[nodiscard]] QRect chipRect(int position) const;
    [[nodiscard]] int currentPosition() const { return m_current; }
    void setCurrentPosition(int position);
    /// Positions that move and go together, ascending: the selection, or the current one.
    [[nodiscard]] std::vector<int> selectedPositions() const;
    /// Selects these and no others; the current position stays.
    void setSelectedPositions(const std::vector<int>& positions);
    void editChip(int position);
    void addChip(int position);

Q_SIGNALS:
    void tokenChosen(int position);  ///< to be looked at, as a query
    void keyChosen(int position);
    void orderChosen(const std::vector<int>& order);
    void orderPreviewed(const QList<int>& order);
    void removalChosen(const std::vector<int>& positions);
    void wordsReplaced(int position, const QString& text);
    void wordsInserted(int position, const QString& text);
    void selectionChanged();     ///< or the current chip, or what they stand on
    void hovered(int position);  ///< -1: none
    void textWanted();           ///< the empty strip was clicked

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;
    QSize viewportSizeHint() const override;

private:
    struct Drag {
        bool isPressed = false;
        bool isLifted = false;
        QPoint press;
        int pressedToken = -1;
        std::vector<int> positions;  // of the block, ascending
        std::vector<int> tokens;
        double grabOffset = 0.0;  // from the block's left edge to the pointer
        double pointerX = 0.0;    // in the viewport
        int target = -1;
        SharedList<int> oldOrder;
    };

    [[nodiscard]] double contentX(double viewportX) const;
    [[nodiscard]] double drawnLeft(int position) const;
    [[nodiscard]] double blockLeft() const;
    [[nodiscard]] bool isLifted(int token) const;
    void paintChip(QPainter& painter, int position, double left, bool lifted) const;
    void paintViewed(QPainter& painter, const QRectF& chip, int token) const;
    void paintEmpty(QPainter& painter) const;
    void showOrder(const SharedList<int>& order);
    void updateScrollBar();
    void placeAddButton();
    void ensureVisible(int position);
    void lift();
    void dragTo(const QPoint& point);
    void endDrag(bool isDropped);
    void selectionMoved();
    void selectByPress(int position, Qt::KeyboardModifiers modifiers);
    void moveSelection(int step, bool toEnd);
    void setHovered(int position);
    void announce();
    [[nodiscard]] QString viewedWords(int token) const;
    void startEditor(int position, const QString& text, bool isNew);
    void finishEditor(bool isApplied);
    [[nodiscard]] bool isChipKey(const QKeyEvent& event) const;

    ChipLayout m_layout;
    SharedList<std::string> m_tokens;
    int m_current = 0;
    int m_anchor = 0;
    int m_marked = -1;
    int m_hovered = -1;
    int m_viewedQuery = -1, m_viewedKey = -1;  // tokens
    std::set<int> m_selectedTokens;
    Drag m_drag;
    QTimer m_edgeScroll;
    QVariantAnimation m_motion;
    std::unordered_map<int, double> m_motionFrom;  // left edge by token
    QToolButton* m_add;
    QLineEdit* m_editor = nullptr;
    int m_editedPosition = -1;
    bool m_editsNew = false;
};

}  // namespace phaseladder::ui
