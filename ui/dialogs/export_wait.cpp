#include "ui/dialogs/export_wait.h"

#include <QLabel>
#include <QVBoxLayout>

#include "ui/figure/pane_parts.h"

namespace phaseladder::ui {

ExportWait::ExportWait(QWidget* parent)
    : QWidget(parent),
      m_label(new QLabel(tr("Preview: the figure can be exported when it is whole."))),
      m_line(new BusyLine) {
    m_label->setObjectName(QStringLiteral("export_wait_text"));
    m_label->setProperty("tone", QStringLiteral("warning"));
    m_line->setBusy(true);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_label);
    column->addWidget(m_line);
}

void ExportWait::setProgress(double share, const QString& what) {
    m_label->setText(
        tr("Preview, %1: %2 %. The figure can be exported when it is whole.", "an activity and its share")
            .arg(what)
            .arg(static_cast<int>(share * 100.0)));
    m_line->setShare(share);
}

void ExportWait::setChecking() {
    m_label->setText(
        tr("Some of what the GPU computed is computed again. The figure can be exported when it is right."));
    m_line->setShare(1.0);
}

QString ExportWait::text() const {
    return m_label->text();
}

}  // namespace phaseladder::ui
