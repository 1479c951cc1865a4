#pragma once

#include <QWidget>

#include <memory>

#include "core/figures/figure.h"
#include "ui/dialogs/export_choices.h"

namespace phaseladder::ui {

/// The part of the export form about looks: font, style, colours, legend, panel letters, title. Edits the
/// choices in place; what the figure or the format has no use for is disabled and says why.
class ExportLooks : public QWidget {
    Q_OBJECT

public:
    /// The choices belong to the dialog and outlive the form.
    ExportLooks(ExportChoices* choices, const Figure& figure, QWidget* parent = nullptr);
    ~ExportLooks() override;

    /// Another figure is exported.
    void setFigure(const Figure& figure);
    /// Shows the choices as they are now.
    void refresh();

Q_SIGNALS:
    void changed();  ///< the choices, by the person

private:
    struct Parts;

    void buildBoxes();
    void buildContent();
    void arrange();

    std::unique_ptr<Parts> m_parts;
};

}  // namespace phaseladder::ui
