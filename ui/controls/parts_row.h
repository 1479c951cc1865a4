#pragma once

#include <vector>

#include "ui/controls/edit_gesture.h"
#include "ui/controls/framed_row.h"

class QLabel;

namespace phaseladder::ui {

class NumberField;

/// `numbers` with one set to `value`, their sum kept: the first number makes up for the others; a change of
/// the first is made up by the others in their proportions. Whole numbers of at least 0.
[[nodiscard]] std::vector<double> sharedOut(std::vector<double> numbers, std::size_t index, double value);

/// The row of a short list whose numbers share out a whole (rope.sections): a field for each, and their sum
/// below. Setting one changes the others so that the sum stays. Object names: field_ID (the first),
/// field_ID_1 ..., readout_ID.
class PartsRow : public FramedRow {
    Q_OBJECT

public:
    PartsRow(const Parameter& row, SceneEditor* editor, QWidget* parent);

    void showScene(const Scene& scene, const Scene& preset) override;
    QWidget* fieldOf(const QString& parameterId) const override;

    void finishGesture() { m_steps.end(); }

Q_SIGNALS:
    void gestureStarted();
    void gestureEnded();

private:
    QString applyPart(std::size_t index, const QString& text);
    void step(std::size_t index, int steps);

    EditGesture m_steps;
    std::vector<NumberField*> m_fields;
    std::vector<double> m_numbers;  // as shown
    QLabel* m_readout;
};

}  // namespace phaseladder::ui
