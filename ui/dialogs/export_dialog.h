#pragma once

#include <QDialog>
#include <QStringList>

#include <memory>

#include "core/figures/figure.h"
#include "core/scene.h"
#include "ui/dialogs/export_choices.h"

class QPushButton;

namespace phaseladder::ui {

class Settings;

/// What is exported.
struct ExportSubject {
    Figure figure;
    Scene scene;
    QStringList
        command;      ///< the start of the command line, with the scene in it: phaseladder figure ladder …
    QString project;  ///< the scene's file; empty for none
};

/// Writes a figure to a file or the clipboard: format, paper size, text, looks, with a preview at true size,
/// a check of what authors must heed, the command that makes the same file and a draft of a caption. What is
/// not possible is disabled and says why.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// Choices are remembered in `settings`, for the project and for new ones, when there are some.
    explicit ExportDialog(ExportSubject subject, QWidget* parent = nullptr, Settings* settings = nullptr);
    ~ExportDialog() override;

    /// From now on the figure is on its way: it can be looked at, not exported, until setSubject().
    void waitForFigure();
    [[nodiscard]] bool isWaiting() const;
    /// How far it has come, 0 .. 1, and what is done.
    void setProgress(double share, const QString& what);
    /// It is whole, and being checked.
    void setChecking();
    /// The figure itself.
    void setSubject(ExportSubject subject);

    /// Chooses a format of exportFormats(), as if by hand.
    void setFormat(const QString& format);
    void setPath(const QString& path);
    [[nodiscard]] const ExportChoices& choices() const;
    /// What "Copy command" copies.
    [[nodiscard]] QString command() const;
    /// What "Copy caption" copies.
    [[nodiscard]] QString caption() const;

    /// Writes the file, asking before one is replaced, or fills the clipboard; closes when that went well.
    void exportNow();

Q_SIGNALS:
    /// One sentence about what was done.
    void exported(const QString& sentence);

private:
    struct Parts;

    void buildFooter();
    QPushButton* buildCopyButton(const char* name, const QString& label,
                                 QString (ExportDialog::*text)() const);
    void arrange();
    void formChanged();
    void choicesChanged();
    void refresh();
    void refreshPreview();
    void refreshCheck();
    void browse();
    [[nodiscard]] QStringList commandWords() const;
    [[nodiscard]] QString refusal() const;
    [[nodiscard]] bool mayReplace(const QString& path);

    std::unique_ptr<Parts> m_parts;
};

}  // namespace phaseladder::ui
