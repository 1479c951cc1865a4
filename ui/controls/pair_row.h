#pragma once

#include <array>
#include <optional>

#include "core/parameter.h"
#include "ui/controls/panel_row.h"

class QLabel;

namespace phaseladder::ui {

class NumberField;
class RangeSlider;
class RowFrame;
class SceneEditor;
class Settings;

/// Two parameters of one kind, low < high, as one row: two fields and a slider with two thumbs (YaRN's
/// betas).
class PairRow : public PanelRow {
    Q_OBJECT

public:
    /// The slider's object name is NAME_slider; the label's, label_NAME.
    PairRow(const Parameter& low, const Parameter& high, const QString& name, const QString& label,
            SceneEditor* editor, Settings* settings, QWidget* parent);

    QStringList parameterIds() const override { return m_ids; }
    bool applies(const Scene& scene) const override { return m_rows[0]->applies(scene); }
    void showScene(const Scene& scene, const Scene& preset) override;
    void showNotes(const QStringList& sentences, bool isWarning) override;
    QWidget* fieldOf(const QString& parameterId) const override;

private:
    /// One step; what is not typed stays.
    QString applyTexts(const std::optional<QString>& low, const std::optional<QString>& high);
    void step(std::size_t index, int steps);
    [[nodiscard]] double value(std::size_t index) const;

    std::array<const Parameter*, 2> m_rows;
    QStringList m_ids;
    SceneEditor* m_editor;
    RowFrame* m_frame;
    std::array<NumberField*, 2> m_fields{};
    RangeSlider* m_slider;
    QLabel* m_readout;  // what the two lead to, below the slider
};

}  // namespace phaseladder::ui
