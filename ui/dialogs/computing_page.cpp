#include "ui/dialogs/computing_page.h"

#include <QLabel>
#include <QLineEdit>

#include "ui/dialogs/explained_row.h"
#include "ui/settings.h"

namespace phaseladder::ui {

ComputingPage::ComputingPage(const Settings* settings, QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("computing_page"));
    m_helper = new QLineEdit(settings->helperCommand());
    m_helper->setObjectName(QStringLiteral("setting_helper"));
    m_helper->setAccessibleName(tr("GPU helper command"));
    m_helper->setPlaceholderText(QStringLiteral("phaseladder-gpu"));
    m_helper->setMaxLength(1000);
    m_state = new QLabel;
    m_state->setObjectName(QStringLiteral("setting_gpu_state"));
    m_state->setAccessibleName(tr("The GPU now"));
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse);

    QGridLayout* grid = makeSettingsGrid(this);
    addExplainedRow(grid, tr("GPU &helper command"), m_helper,
                    tr("The program that computes large maps on a GPU, with its arguments; no shell runs it. "
                       "Empty: the phaseladder-gpu beside this program. A server’s GPU: "
                       "ssh host phaseladder-gpu. Holds at once."),
                    {});
    grid->addWidget(m_state, grid->rowCount(), 1);
    grid->setRowStretch(grid->rowCount(), 1);
    setFocusProxy(m_helper);
    connect(m_helper, &QLineEdit::editingFinished, this,
            [this] { Q_EMIT helperChosen(m_helper->text().trimmed()); });
}

void ComputingPage::setGpuState(const QString& sentence) {
    m_state->setText(sentence);
}

void ComputingPage::restoreDefaults() {
    m_helper->clear();
    Q_EMIT helperChosen({});
}

}  // namespace phaseladder::ui
