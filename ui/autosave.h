#pragma once

#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>

#include <memory>
#include <optional>

#include "core/scene.h"

namespace phaseladder::ui {

class SceneDocument;

/// Keeps unsaved work on disk every ten seconds, beside a lock that tells a running program from a lost one.
/// The file goes when the document is saved or closed in order; what a lost program left can be found at the
/// next start.
class Autosave : public QObject {
    Q_OBJECT

public:
    /// Where this user's unsaved work lies: XDG_STATE_HOME/phaseladder.
    [[nodiscard]] static QString defaultFolder();

    Autosave(SceneDocument* document, const QString& folder, QObject* parent = nullptr);

    /// Writes now what has changed since, or removes the file when there is nothing unsaved.
    void save();
    /// The document was saved or given up: nothing is kept.
    void discard();

    /// A scene file that a program left which is no longer running, or nothing.
    [[nodiscard]] QString lostFile() const;
    /// Puts a lost file's scene into the document as one undoable step and removes the file. Returns why not,
    /// as one sentence, or an empty string.
    QString restore(const QString& file);

private:
    SceneDocument* m_document;
    QString m_folder;
    QString m_file;
    std::optional<Scene> m_kept;  // what the file holds
    std::unique_ptr<QLockFile> m_lock;
    QTimer m_timer;
};

}  // namespace phaseladder::ui
