#pragma once

#include <QWidget>

#include <array>

#include "ui/controls/accessible_slider.h"
#include "ui/controls/edit_gesture.h"
#include "ui/controls/slider_mapping.h"

namespace phaseladder::ui {

class RangeThumb;

/// Two values on one track, low < high. The thumbs push each other and never cross; each is a tab stop with
/// its own name. Keys and drags as in ValueSlider. A press on the track moves the nearer thumb.
class RangeSlider : public QWidget {
    Q_OBJECT

public:
    explicit RangeSlider(const SliderMapping& mapping, QWidget* parent = nullptr);
    ~RangeSlider() override;  ///< the thumbs go first: losing the focus, they still speak to the slider

    [[nodiscard]] double low() const { return m_values[0]; }
    [[nodiscard]] double high() const { return m_values[1]; }
    /// Shows two values as they are (a file may hold them swapped); emits nothing.
    void setValues(double low, double high);
    /// Names for assistive tools; the thumbs' object names are the slider's with "_low" and "_high".
    void setThumbNames(const QString& low, const QString& high);
    void setUnit(const QString& unit) { m_unit = unit; }
    void finishGesture() { m_gesture.end(); }
    [[nodiscard]] QWidget* lowThumb() const;
    [[nodiscard]] QWidget* highThumb() const;
    [[nodiscard]] const SliderMapping& mapping() const { return m_shownMapping; }
    /// Changes the range, step and scale, not the values; emits nothing.
    void setMapping(const SliderMapping& mapping);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void valuesEdited(double low, double high);
    void gestureStarted();
    void gestureEnded();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    friend class RangeThumb;
    void edit(int index, double value);
    void beginDrag(int index, double pointX);
    void dragTo(double pointX, Qt::KeyboardModifiers modifiers);
    void endDrag();
    void placeThumbs();

    SliderMapping m_mapping;
    SliderMapping m_shownMapping;
    std::array<double, 2> m_values{};
    std::array<RangeThumb*, 2> m_thumbs{};
    QString m_unit;
    EditGesture m_gesture;
    int m_heldThumb = -1;
    double m_dragFraction = 0.0;
    double m_dragX = 0.0;
};

/// One handle of a RangeSlider.
class RangeThumb : public QWidget, public AdjustableValue {
    Q_OBJECT

public:
    RangeThumb(RangeSlider* slider, int index);

    double adjustableValue() const override;
    double adjustableMinimum() const override;
    double adjustableMaximum() const override;
    QString adjustableText() const override;
    void adjustTo(double value) override;

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
    std::size_t valueIndex() const { return static_cast<std::size_t>(m_index); }

    RangeSlider* m_slider;
    int m_index;
};

}  // namespace phaseladder::ui
