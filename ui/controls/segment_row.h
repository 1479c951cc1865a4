#pragma once

#include "core/parameter.h"
#include "ui/controls/panel_row.h"

class QLabel;

namespace phaseladder::ui {

class SceneEditor;
class SegmentedControl;

/// The row of a choice that leads its group (encoding, scaling): a segmented control over the full width,
/// with the context menu of the other rows.
class SegmentRow : public PanelRow {
    Q_OBJECT

public:
    /// `inlineChoices` are segments, the others behind "More"; the first line of segments ends after
    /// `lineEnd`. Object names: segment_ID_CHOICE.
    SegmentRow(const Parameter& row, const std::vector<Choice>& inlineChoices, const std::string& lineEnd,
               SceneEditor* editor, QWidget* parent);

    QStringList parameterIds() const override;
    bool applies(const Scene& scene) const override { return m_row.applies(scene); }
    void showScene(const Scene& scene, const Scene& preset) override;
    QWidget* fieldOf(const QString& parameterId) const override;

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void setRefusal(const QString& sentence);

    const Parameter& m_row;
    SceneEditor* m_editor;
    SegmentedControl* m_segments;
    QLabel* m_refusal;
};

}  // namespace phaseladder::ui
