#include "ui/controls/grid_row.h"

#include <QLabel>
#include <QVBoxLayout>

#include "core/parameter.h"
#include "ui/controls/framed_row.h"
#include "ui/controls/grid_editor.h"
#include "ui/controls/row_frame.h"
#include "ui/controls/scene_editor.h"
#include "ui/document.h"

namespace phaseladder::ui {

GridRow::GridRow(SceneEditor* editor, QWidget* parent)
    : PanelRow(parent), m_editor(editor), m_grid(new GridEditor(this)), m_words(mutedLabel(QString(), this)) {
    m_grid->setObjectName(QStringLiteral("grid_editor"));
    m_grid->setAccessibleName(tr("Image among the tokens"));
    m_grid->setToolTip(
        tr("Where each token stands, by row and column. Drag the corner to set rows and columns, the image "
           "to set where it starts."));
    m_words->setObjectName(QStringLiteral("grid_words"));
    m_words->setWordWrap(true);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(m_grid);
    layout->addWidget(m_words);
    m_editor->follow(m_grid);
    connect(m_grid, &GridEditor::wordsChanged, this,
            [this](const QString& words) { setTextIfNew(m_words, words); });
    connect(m_grid, &GridEditor::edited, this, [this](const ImageGrid& grid) {
        SceneEditor::Values values;
        const std::pair<QString, std::int64_t> wanted[] = {
            {QStringLiteral("rope.grid_rows"), grid.rows},
            {QStringLiteral("rope.grid_columns"), grid.columns},
            {QStringLiteral("rope.grid_start"), grid.start}};
        const Scene& scene = m_editor->document().scene();
        for (const auto& [id, value] : wanted) {
            const Parameter* row = findParameter(id.toStdString());
            const ParameterValue next = static_cast<double>(value);
            if (row->applies(scene) && row->get(scene) != next) {
                values.emplace_back(id, next);
            }
        }
        const QString refusal = m_editor->edit(values);
        if (!refusal.isEmpty()) {
            Q_EMIT refused(refusal);
        }
    });
}

QStringList GridRow::parameterIds() const {
    return {QStringLiteral("rope.grid_columns"), QStringLiteral("rope.grid_rows"),
            QStringLiteral("rope.grid_start")};
}

bool GridRow::applies(const Scene& scene) const {
    return findParameter("rope.grid_columns")->applies(scene);
}

void GridRow::showScene(const Scene& scene, const Scene&) {
    m_grid->showScene(scene);
}

QWidget* GridRow::fieldOf(const QString&) const {
    return m_grid;
}

}  // namespace phaseladder::ui
