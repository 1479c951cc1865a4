#pragma once

#include <QFrame>

#include <functional>

#include "ui/controls/slider_change.h"

class QGridLayout;
class QLabel;
class QToolButton;

namespace phaseladder::ui {

class NumberField;
class RowFrame;
class SegmentedControl;
class Settings;

/// A popup with the minimum, maximum, step and scale of one slider. What is entered holds at once; what the
/// parameter's hard limits forbid is refused in place. Esc or a press elsewhere closes it.
class SliderForm : public QFrame {
    Q_OBJECT

public:
    SliderForm(const Parameter& row, const QString& label, const SliderChange& change, QWidget* parent);
    ~SliderForm() override;  ///< applies what is typed

    /// Opens with its corner there, or where the screen has room for it.
    void open(const QPoint& corner);

Q_SIGNALS:
    void changed(const SliderChange& change);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    NumberField* addField(const QString& name, const QString& text,
                          std::optional<double> SliderChange::*part);
    QString applyChange(const SliderChange& change);
    void showChange();
    void showRefusal(const QString& sentence);

    const Parameter& m_row;
    SliderChange m_change;
    QGridLayout* m_grid;
    NumberField* m_minimum;
    NumberField* m_maximum;
    NumberField* m_step;
    SegmentedControl* m_scale;
    QLabel* m_refusal;
    QToolButton* m_back;
};

/// Shows a row's slider as the person changed it, and lets the row's menu change it further; the settings
/// keep it. `show` is called now and after each change.
void letSliderChange(RowFrame* frame, const Parameter& row, const QString& label, Settings* settings,
                     std::function<void(const SliderMapping&)> show);

}  // namespace phaseladder::ui
