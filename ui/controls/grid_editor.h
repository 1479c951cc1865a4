#pragma once

#include <QWidget>

#include "ui/controls/edit_gesture.h"
#include "ui/controls/grid_picture.h"

namespace phaseladder::ui {

/// Draws an image's patches among the tokens and lets the person set it: the lower right corner is dragged
/// to another number of rows and columns, the whole grid to another start. Arrow keys change the size,
/// Shift+arrows the start. A drag, or keys in quick succession, are one undo step.
class GridEditor : public QWidget {
    Q_OBJECT

public:
    explicit GridEditor(QWidget* parent);

    void showScene(const Scene& scene);
    /// What is said below the picture: the token under the pointer, or the whole.
    [[nodiscard]] QString words() const;

    void finishGesture() { m_gesture.end(); }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

    /// Where the corner can be dragged, in the widget.
    [[nodiscard]] QPointF corner() const;
    /// Side of a cell.
    [[nodiscard]] double pitch() const;

Q_SIGNALS:
    void edited(const phaseladder::ui::ImageGrid& grid);  ///< by the person
    void wordsChanged(const QString& words);
    void gestureStarted();
    void gestureEnded();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Part { none, corner, grid };

    [[nodiscard]] QSizeF place() const;
    [[nodiscard]] QRectF cellArea(std::int64_t row, std::int64_t column) const;
    [[nodiscard]] QRectF gridArea() const;
    [[nodiscard]] Part partAt(QPointF point) const;
    [[nodiscard]] const GridCell* cellAt(QPointF point) const;
    void paintNumbers(QPainter& painter) const;
    void paintCell(QPainter& painter, const GridCell& cell) const;
    void dragTo(QPointF point);
    void point(QPointF point);
    void updatePicture();
    void ask(const ImageGrid& grid);

    Scene m_scene;
    GridPicture m_picture;
    EditGesture m_gesture;
    QString m_pointed;  // sentence of the token under the pointer
    Part m_held = Part::none;
    QPointF m_pressed;
    ImageGrid m_before;      // at the press
    double m_heldPitch = 0;  // stays while dragging, as the origin does
    std::int64_t m_heldOrigin = 0;
};

}  // namespace phaseladder::ui
