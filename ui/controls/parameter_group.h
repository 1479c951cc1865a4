#pragma once

#include <QWidget>

#include <vector>

#include "core/scene.h"

class QToolButton;
class QVBoxLayout;

namespace phaseladder::ui {

class PanelRow;

/// A heading of the panel with its rows. Rows of rare use (isFolded of the parameter table) lie folded under
/// "More"; one that is in use stands above it with the others, and unfolding brings the rest below it:
///
///     SCALING              SCALING
///     Factor               Factor
///     mscale (in use)      mscale
///     > More (2)           v More
///                          Whole pairs
///                          Softmax multiplier
///
/// While unfolded a shown row keeps its place, and a row with the focus is not folded until the focus leaves
/// it, so that no row runs from under the hand that edits it.
class ParameterGroup : public QWidget {
    Q_OBJECT

public:
    /// Object names: group_NAME, more_NAME.
    ParameterGroup(const QString& name, QWidget* parent);

    [[nodiscard]] QString name() const { return m_name; }
    [[nodiscard]] const std::vector<PanelRow*>& rows() const { return m_rows; }
    void addRow(PanelRow* row);
    /// Every row that applies shows the scene; rows come and go. False when none applies.
    bool showScene(const Scene& scene, const Scene& preset);

    [[nodiscard]] bool isUnfolded() const { return m_isUnfolded; }
    void setUnfolded(bool unfolded);

Q_SIGNALS:
    void unfoldedChanged(bool unfolded);

private:
    /// Rows of `inPlace` stay above or below "More" as they are.
    void updateFolded(const std::vector<PanelRow*>& inPlace);
    void foldLeftRows();
    void arrange();
    void showRows();

    QString m_name;
    QVBoxLayout* m_layout;
    QToolButton* m_more;
    std::vector<PanelRow*> m_rows;
    std::vector<PanelRow*> m_applying;  // in the scene that is shown
    std::vector<PanelRow*> m_unused;    // of these, what can be folded
    std::vector<PanelRow*> m_folded;    // below "More"
    bool m_isUnfolded = false;
};

}  // namespace phaseladder::ui
