#pragma once

#include <QDialog>

#include <memory>

#include "core/figures/figure.h"
#include "core/scene.h"
#include "ui/dialogs/export_choices.h"

namespace phaseladder::ui {

class Settings;

/// Writes a figure to a file or the clipboard: format, paper size, text, colours, with a preview at true size
/// and the command that makes the same file. What is not possible is disabled and says why.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// `figureCommand` is the start of the command line, with the scene in it: "phaseladder figure ladder
    /// --scene x.json". Choices are remembered in `settings` when there are some.
    ExportDialog(const Figure& figure, const Scene& scene, const QString& figureCommand,
                 QWidget* parent = nullptr, Settings* settings = nullptr);
    ~ExportDialog() override;

    /// Chooses a format of exportFormats(), as if by hand.
    void setFormat(const QString& format);
    void setPath(const QString& path);
    [[nodiscard]] const ExportChoices& choices() const;
    /// What "Copy command" copies.
    [[nodiscard]] QString command() const;

    /// Writes the file, asking before one is replaced, or fills the clipboard; closes when that went well.
    void exportNow();

Q_SIGNALS:
    /// One sentence about what was done.
    void exported(const QString& sentence);

private:
    struct Parts;

    void buildFooter();
    void arrange();
    void formChanged();
    void choicesChanged();
    void refresh();
    void refreshPreview();
    void refreshCheck();
    void browse();
    [[nodiscard]] QString refusal() const;
    [[nodiscard]] bool mayReplace(const QString& path);

    std::unique_ptr<Parts> m_parts;
};

}  // namespace phaseladder::ui
