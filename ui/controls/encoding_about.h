#pragma once

#include "ui/controls/panel_row.h"

class QLabel;
class QToolButton;

namespace phaseladder::ui {

/// A formula in plain text ("q_i . k_j / sqrt(d)") as rich text: indices below, powers above, signs of
/// mathematics.
[[nodiscard]] QString formulaHtml(const QString& formula);

/// What the list of encodings says about the chosen one, under the picker, and folded away at will:
///
///     v About RoPE (rotary)
///     Turns each pair of channels ...        its help
///     | (x, y) → (x cos t − y sin t, ...     its formula
///     | b = 10 000, r = 64: ...              with the scene's numbers
///     Limits  Past the trained length ...
///     Source  Su et al. 2021 ...
///
/// Folded, it computes no numbers: who unfolds it shows it the scene again.
///
/// Object names: about_encoding (the button), about_help, about_formula, about_numbers, about_limits,
/// about_source.
class EncodingAbout : public PanelRow {
    Q_OBJECT

public:
    explicit EncodingAbout(QWidget* parent);

    QStringList parameterIds() const override { return {QStringLiteral("encoding")}; }
    bool applies(const Scene&) const override { return true; }
    void showScene(const Scene& scene, const Scene& preset) override;
    QWidget* fieldOf(const QString& parameterId) const override;

    [[nodiscard]] bool isUnfolded() const { return m_isUnfolded; }
    void setUnfolded(bool unfolded);

Q_SIGNALS:
    void unfoldedChanged(bool unfolded);  ///< by the person

private:
    QLabel* addText(QWidget* parent, const char* name);

    QToolButton* m_button;
    QWidget* m_body;
    QLabel* m_help;
    QLabel* m_formula;
    QLabel* m_numbers;
    QLabel* m_limits;
    QLabel* m_source;
    std::string m_encoding;
    bool m_isUnfolded = true;
};

}  // namespace phaseladder::ui
