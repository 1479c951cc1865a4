#pragma once

#include <string>
#include <vector>

#include "ui/controls/framed_row.h"

class QLabel;

namespace phaseladder::ui {

class ChoiceBox;
class NumberField;

/// The row of a token that is looked at: a drop-down of the text's words, "bites" and its place; for a long
/// text a field for the number with the word beside it. Object names: field_ID, number_ID.
class TokenRow : public FramedRow {
    Q_OBJECT

public:
    TokenRow(const Parameter& row, SceneEditor* editor, QWidget* parent);

    void showScene(const Scene& scene, const Scene& preset) override;
    QWidget* fieldOf(const QString& parameterId) const override;

private:
    [[nodiscard]] bool isLong() const { return m_tokens.size() > longestList; }
    /// Takes over the words of a scene where they changed.
    void takeTokens(const Scene& scene);
    [[nodiscard]] QString wordOf(const Scene& scene, std::size_t token) const;

    /// A longer list is no longer quicker than typing the number.
    static constexpr std::size_t longestList = 200;

    ChoiceBox* m_words;
    NumberField* m_number;
    QLabel* m_word;
    SharedList<std::string> m_tokens;   // of the scene
    std::vector<std::string> m_labels;  // of them; empty where they are too many to tell repeats apart
};

}  // namespace phaseladder::ui
