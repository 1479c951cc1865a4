#pragma once

#include <QObject>
#include <QString>

#include "ui/dialogs/export_dialog.h"

class QWidget;

namespace phaseladder::ui {

class FigurePane;
class FrameLoop;
class SceneDocument;
class Settings;

/// Writes and copies the figures of panes. Only whole figures of the newest setting leave the window,
/// checked where a GPU computed them: the export dialog waits for one that is on its way and shows how far it
/// has come, a copy says that it is a preview as yet.
class FigureOutput : public QObject {
    Q_OBJECT

public:
    /// Dialogs belong to `window`.
    FigureOutput(SceneDocument* document, Settings* settings, FrameLoop* frames, QWidget* window);

    /// Asks where the pane's figure goes and how it looks; an empty format is the one chosen last.
    void exportFigure(FigurePane* pane, const QString& format);
    void copyValues(FigurePane* pane);
    void copyFigure(FigurePane* pane);

Q_SIGNALS:
    /// One sentence about what was done, or why not.
    void said(const QString& sentence);

private:
    [[nodiscard]] ExportSubject subjectOf(const FigurePane* pane) const;
    /// Whether it may leave the window: whole, and checked where a GPU computed it.
    [[nodiscard]] bool isReady(FigurePane* pane) const;
    /// Why the pane's figure cannot be copied now, or empty.
    [[nodiscard]] QString refusal(FigurePane* pane) const;

    SceneDocument* m_document;
    Settings* m_settings;
    FrameLoop* m_frames;
    QWidget* m_window;
};

}  // namespace phaseladder::ui
