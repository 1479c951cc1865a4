#pragma once

#include <QWidget>

#include "ui/figure/annotations.h"

namespace phaseladder::ui {

/// The legend as a list for the keyboard and for screen readers. It lies over the legend that the plot
/// paints, marks the current entry while it has the focus, and lets the mouse through.
///
/// Keys: Up and Down choose an entry, Space or Enter hides or shows its curve, with Ctrl it is shown alone.
class LegendList : public QWidget {
    Q_OBJECT

public:
    LegendList(const ScreenLegend* legend, QWidget* parent);

    /// The legend has other entries or was painted elsewhere.
    void refresh();

    [[nodiscard]] const ScreenLegend& legend() const { return *m_legend; }
    [[nodiscard]] int current() const { return m_current; }
    [[nodiscard]] QRect entryRect(int entry) const;

Q_SIGNALS:
    void toggled(int entry, bool alone);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void setCurrent(int entry);

    const ScreenLegend* m_legend;  // the plot's, which deletes this list before it
    int m_current = 0;
};

}  // namespace phaseladder::ui
