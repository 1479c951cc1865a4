#pragma once

#include "ui/controls/panel_row.h"

class QLabel;

namespace phaseladder::ui {

class GridEditor;
class SceneEditor;

/// The picture of an image's patches below the rows that set its size and start (rope.grid_*), and what it
/// says. Object names: grid_editor, grid_words.
class GridRow : public PanelRow {
    Q_OBJECT

public:
    GridRow(SceneEditor* editor, QWidget* parent);

    QStringList parameterIds() const override;
    bool applies(const Scene& scene) const override;
    void showScene(const Scene& scene, const Scene& preset) override;
    QWidget* fieldOf(const QString& parameterId) const override;

private:
    SceneEditor* m_editor;
    GridEditor* m_grid;
    QLabel* m_words;
};

}  // namespace phaseladder::ui
