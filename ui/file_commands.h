#pragma once

#include <QObject>
#include <QString>

class QWidget;

namespace phaseladder::ui {

class MessageBar;
class SceneDocument;
class Settings;

/// New, open, import and save: asks about unsaved work, remembers recent files, and says above the panes why
/// a file was refused.
class FileCommands : public QObject {
    Q_OBJECT

public:
    /// Dialogs belong to `window`.
    FileCommands(SceneDocument* document, Settings* settings, MessageBar* messageBar, QWidget* window);

    void startNew();
    void open(const QString& path);
    void openModel(const QString& id);
    void chooseFile();
    void chooseConfig();
    /// Files of queries, keys, values and labels, chosen together.
    void chooseCapture();
    bool save();
    bool saveAs();

    /// False when the person wants to keep unsaved work. PHASELADDER_NO_PROMPT: not asked, given up.
    [[nodiscard]] bool mayDiscard();

Q_SIGNALS:
    void startedNew();
    void saved(const QString& path);

private:
    bool saveTo(const QString& path);
    void openChosen(const QString& title, const QString& filter);
    void showRefusal(const QString& sentence);

    SceneDocument* m_document;
    Settings* m_settings;
    MessageBar* m_messageBar;
    QWidget* m_window;
};

}  // namespace phaseladder::ui
