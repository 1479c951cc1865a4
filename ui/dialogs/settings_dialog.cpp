#include "ui/dialogs/settings_dialog.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QTabWidget>
#include <QVBoxLayout>

#include "ui/dialogs/appearance_page.h"
#include "ui/dialogs/computing_page.h"
#include "ui/dialogs/shortcuts_page.h"
#include "ui/settings.h"

namespace phaseladder::ui {
namespace {

constexpr QSize dialogSize{600, 580};

}  // namespace

SettingsDialog::SettingsDialog(const Settings* settings, Shortcuts* shortcuts, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("settings_dialog"));
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Settings"));
    resize(dialogSize);
    m_appearance = new AppearancePage(settings, this);
    connect(m_appearance, &AppearancePage::themeChosen, this, &SettingsDialog::themeChosen);
    connect(m_appearance, &AppearancePage::motionChosen, this, &SettingsDialog::motionChosen);
    connect(m_appearance, &AppearancePage::colormapChosen, this, &SettingsDialog::colormapChosen);
    m_computing = new ComputingPage(settings, this);
    connect(m_computing, &ComputingPage::helperChosen, this, &SettingsDialog::helperChosen);
    m_shortcuts = new ShortcutsPage(shortcuts, this);
    m_pages = new QTabWidget(this);
    m_pages->setObjectName(QStringLiteral("settings_pages"));
    m_pages->setAccessibleName(tr("Pages of settings"));
    m_pages->addTab(m_appearance, tr("&Appearance"));
    m_pages->addTab(m_shortcuts, tr("&Shortcuts"));
    m_pages->addTab(m_computing, tr("Com&puting"));

    auto* buttons = new QDialogButtonBox(this);
    buttons->setObjectName(QStringLiteral("settings_buttons"));
    m_restore = buttons->addButton(QString(), QDialogButtonBox::ResetRole);
    m_restore->setObjectName(QStringLiteral("settings_restore"));
    m_restore->setAutoDefault(false);
    QPushButton* close = buttons->addButton(QDialogButtonBox::Close);
    close->setObjectName(QStringLiteral("settings_close"));
    close->setIcon({});
    close->setAutoDefault(false);  // Enter in the list of commands is for the list
    connect(m_restore, &QPushButton::clicked, this, &SettingsDialog::restoreDefaults);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_pages, &QTabWidget::currentChanged, this, &SettingsDialog::nameRestoreButton);
    nameRestoreButton();

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(12);
    column->addWidget(m_pages);
    column->addWidget(buttons);
    m_appearance->setFocus();
}

void SettingsDialog::nameRestoreButton() {
    m_restore->setText(m_pages->currentWidget() == m_shortcuts ? tr("&Reset all shortcuts")
                                                               : tr("&Restore defaults"));
}

void SettingsDialog::setGpuState(const QString& sentence) {
    m_computing->setGpuState(sentence);
}

void SettingsDialog::restoreDefaults() {
    if (m_pages->currentWidget() == m_shortcuts) {
        m_shortcuts->resetAll();
    } else if (m_pages->currentWidget() == m_computing) {
        m_computing->restoreDefaults();
    } else {
        m_appearance->restoreDefaults();
    }
}

}  // namespace phaseladder::ui
