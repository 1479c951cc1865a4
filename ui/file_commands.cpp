#include "ui/file_commands.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>

#include "ui/document.h"
#include "ui/message_bar.h"
#include "ui/settings.h"

namespace phaseladder::ui {

FileCommands::FileCommands(SceneDocument* document, Settings* settings, MessageBar* messageBar,
                           QWidget* window)
    : QObject(window),
      m_document(document),
      m_settings(settings),
      m_messageBar(messageBar),
      m_window(window) {}

bool FileCommands::mayDiscard() {
    if (!m_document->isModified() || qEnvironmentVariableIsSet("PHASELADDER_NO_PROMPT")) {
        return true;
    }
    const QString path = m_document->filePath();
    QMessageBox question(
        QMessageBox::NoIcon, tr("Phaseladder"),
        tr("Save the changes to %1?").arg(path.isEmpty() ? tr("this scene") : QFileInfo(path).fileName()),
        QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    question.setObjectName(QStringLiteral("discard_question"));
    question.setDefaultButton(QMessageBox::Save);
    const int answer = question.exec();
    return answer == QMessageBox::Discard || (answer == QMessageBox::Save && save());
}

void FileCommands::startNew() {
    if (mayDiscard()) {
        m_document->startNew();
        Q_EMIT startedNew();
    }
}

void FileCommands::open(const QString& path) {
    if (SceneDocument::startsNewDocument(path) && !mayDiscard()) {
        return;
    }
    const QString refusal = m_document->open(path);
    if (refusal.isEmpty()) {
        m_settings->addRecentFile(QFileInfo(path).absoluteFilePath());
    }
    showRefusal(refusal);
}

void FileCommands::openModel(const QString& id) {
    showRefusal(m_document->openModel(id));
}

void FileCommands::chooseFile() {
    openChosen(tr("Open"), tr("Scenes, model configs, exported figures, text, real heads, tables "
                              "(*.pldr *.json *.png *.svg *.pdf *.txt *.npy *.safetensors);;"
                              "All files (*)"));
}

void FileCommands::chooseConfig() {
    openChosen(tr("Import config"), tr("Model configs (*.json);;All files (*)"));
}

void FileCommands::chooseCapture() {
    const QString folder = QFileInfo(m_settings->recentFiles().value(0, QDir::homePath())).path();
    const QStringList paths = QFileDialog::getOpenFileNames(
        m_window, tr("Open Q and K: one .safetensors, or a .npy of each, and labels"), folder,
        tr("Queries, keys, values, labels (*.safetensors *.npy *.json *.txt);;All files (*)"));
    if (!paths.isEmpty()) {
        showRefusal(m_document->openCapture(paths));
    }
}

void FileCommands::openChosen(const QString& title, const QString& filter) {
    const QString folder = QFileInfo(m_settings->recentFiles().value(0, QDir::homePath())).path();
    const QString path = QFileDialog::getOpenFileName(m_window, title, folder, filter);
    if (!path.isEmpty()) {
        open(path);
    }
}

bool FileCommands::save() {
    return m_document->filePath().isEmpty() ? saveAs() : saveTo(m_document->filePath());
}

bool FileCommands::saveAs() {
    const QString start = m_document->filePath().isEmpty() ? QDir::home().filePath(tr("untitled.pldr"))
                                                           : m_document->filePath();
    QString path =
        QFileDialog::getSaveFileName(m_window, tr("Save scene"), start, tr("Scenes (*.pldr *.json)"));
    if (path.isEmpty()) {
        return false;
    }
    if (QFileInfo(path).suffix().isEmpty()) {
        path += QStringLiteral(".pldr");
    }
    return saveTo(path);
}

bool FileCommands::saveTo(const QString& path) {
    const QString refusal = m_document->save(path);
    showRefusal(refusal);
    if (!refusal.isEmpty()) {
        return false;
    }
    m_settings->addRecentFile(m_document->filePath());
    Q_EMIT saved(m_document->filePath());
    return true;
}

/// An empty sentence: all went well, what was said before is over.
void FileCommands::showRefusal(const QString& sentence) {
    if (sentence.isEmpty()) {
        m_messageBar->clear();
    } else {
        m_messageBar->showMessage(MessageKind::failure, sentence);
    }
}

}  // namespace phaseladder::ui
