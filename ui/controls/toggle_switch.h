#pragma once

#include <QCheckBox>

namespace phaseladder::ui {

/// On or off as a sliding switch; a check box for keys and assistive tools. Its text, if any, stands left of
/// the switch.
class ToggleSwitch : public QCheckBox {
    Q_OBJECT

public:
    explicit ToggleSwitch(const QString& text = QString(), QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    bool hitButton(const QPoint& point) const override { return rect().contains(point); }
};

}  // namespace phaseladder::ui
