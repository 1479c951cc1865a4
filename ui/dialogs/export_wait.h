#pragma once

#include <QWidget>

class QLabel;

namespace phaseladder::ui {

class BusyLine;

/// A sentence over a thin line that grows: how far a figure has come that is not whole yet, so that it can be
/// looked at but not exported.
class ExportWait : public QWidget {
    Q_OBJECT

public:
    explicit ExportWait(QWidget* parent = nullptr);

    /// 0 .. 1, and what is done.
    void setProgress(double share, const QString& what);
    /// It is whole; what is left is the check of what a GPU computed.
    void setChecking();
    [[nodiscard]] QString text() const;

private:
    QLabel* m_label;
    BusyLine* m_line;
};

}  // namespace phaseladder::ui
