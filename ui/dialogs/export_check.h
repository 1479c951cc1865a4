#pragma once

#include <QList>
#include <QWidget>

#include "ui/dialogs/export_choices.h"
#include "ui/figure/figure_layout.h"

class QLabel;

namespace phaseladder::ui {

/// One thing that an author must know about a figure before it goes into a paper.
struct CheckLine {
    QString text;
    bool isGood = true;
};

/// Page size, fonts, smallest text, labels: for a picture in that order. A data format has one line.
[[nodiscard]] QList<CheckLine> checkLines(const ExportChoices& choices, const LaidOutFigure& page);

/// The lines with a tick or a warning sign each, in two columns.
class ExportCheck : public QWidget {
    Q_OBJECT

public:
    explicit ExportCheck(QWidget* parent = nullptr);

    void showLines(const QList<CheckLine>& lines);

private:
    QList<QLabel*> m_labels;
};

}  // namespace phaseladder::ui
