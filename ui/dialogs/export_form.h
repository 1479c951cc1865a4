#pragma once

#include <QWidget>

#include <memory>

#include "core/figures/figure.h"
#include "ui/dialogs/export_choices.h"

namespace phaseladder::ui {

/// The controls of the export dialog: target, format, size, text, and looks in a part of its own. They edit
/// the choices in place; what a format has no use for is disabled and says why in its tool tip.
class ExportForm : public QWidget {
    Q_OBJECT

public:
    /// The choices belong to the dialog and outlive the form.
    ExportForm(ExportChoices* choices, const Figure& figure, QWidget* parent = nullptr);
    ~ExportForm() override;

    [[nodiscard]] bool isToFile() const;
    /// Another figure is exported.
    void setFigure(const Figure& figure);
    /// Shows the choices as they are now.
    void refresh();

Q_SIGNALS:
    void changed();                         ///< the choices or the target, by the person
    void refused(const QString& sentence);  ///< a typed value; empty when it is settled

private:
    struct Parts;

    void buildTarget();
    void buildSize();
    void buildText();
    void arrange();
    void choosePreset(const QString& id);
    void chooseUnit(const QString& unit);
    static QString applyNumber(const QString& text, const QString& name, double least, double most,
                               double& target);

    std::unique_ptr<Parts> m_parts;
};

}  // namespace phaseladder::ui
