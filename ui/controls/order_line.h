#pragma once

#include <QLabel>

#include <vector>

namespace phaseladder::ui {

/// An order and its cycles in one line: "π = (1 2 0) · cycles (0 1 2)". Ends in "…" where there is no room;
/// the tool tip has it all.
class OrderLine : public QLabel {
    Q_OBJECT

public:
    explicit OrderLine(QWidget* parent = nullptr);
    void setOrder(const std::vector<int>& order);

protected:
    void paintEvent(QPaintEvent* event) override;
};

}  // namespace phaseladder::ui
