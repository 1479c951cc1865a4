#pragma once

#include <QWidget>

#include "ui/controls/accessible_slider.h"
#include "ui/controls/edit_gesture.h"
#include "ui/controls/slider_mapping.h"

namespace phaseladder::ui {

/// A thin track with a round handle and labelled ticks. It keeps the exact value and only shows its nearest
/// place: what was set is never rounded by showing it. Arrows 1/20 of the range, Shift 1/100, Page 1/10
/// (or by the mapping's step), Home, End; Alt+drag moves at 1/20 of the speed, Ctrl+drag goes from tick to
/// tick, the wheel works only with focus.
class ValueSlider : public QWidget, public AdjustableValue {
    Q_OBJECT

public:
    explicit ValueSlider(const SliderMapping& mapping, QWidget* parent = nullptr);

    [[nodiscard]] double value() const { return m_value; }
    /// Shows a value; emits nothing. A value outside the mapping's range widens the slider while it lasts.
    void setValue(double value);
    [[nodiscard]] const SliderMapping& mapping() const { return m_shownMapping; }
    /// Changes the range, step and scale, not the value; emits nothing.
    void setMapping(const SliderMapping& mapping);

    /// Ends an open run of key presses, so that another control's change is a step of its own.
    void finishGesture() { m_gesture.end(); }
    void setUnit(const QString& unit) { m_unit = unit; }

    /// Centre of the handle, in the widget.
    [[nodiscard]] QPointF handleCentre() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    double adjustableValue() const override { return m_value; }
    double adjustableMinimum() const override { return m_shownMapping.minimum; }
    double adjustableMaximum() const override { return m_shownMapping.maximum; }
    QString adjustableText() const override;
    void adjustTo(double value) override;

Q_SIGNALS:
    void valueEdited(double value);  ///< by the person
    void gestureStarted();           ///< what is edited until gestureEnded is one undo step
    void gestureEnded();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    void edit(double value);
    void dragTo(double pointX, Qt::KeyboardModifiers modifiers);

    SliderMapping m_mapping;       // of the parameter
    SliderMapping m_shownMapping;  // widened to the value
    double m_value = 0.0;
    QString m_unit;
    EditGesture m_gesture;
    bool m_isHeld = false;
    double m_dragFraction = 0.0;
    double m_dragX = 0.0;
};

}  // namespace phaseladder::ui
