#include "ui/controls/token_row.h"

#include <QLabel>

#include <algorithm>
#include <utility>

#include "core/number_text.h"
#include "ui/controls/choice_box.h"
#include "ui/controls/number_field.h"
#include "ui/controls/row_frame.h"
#include "ui/controls/scene_editor.h"

namespace phaseladder::ui {

namespace {

constexpr int longestWord = 16;
constexpr std::size_t mostLabels = 10000;  // beyond, to tell repeats apart would hold up the window

/// A word as one short line.
QString wordText(const std::string& label) {
    const QString word = QString::fromStdString(label).simplified();
    return word.size() > longestWord ? word.left(longestWord - 1) + QStringLiteral("…") : word;
}

}  // namespace

TokenRow::TokenRow(const Parameter& row, SceneEditor* editor, QWidget* parent)
    : FramedRow(row, editor, parent),
      m_words(new ChoiceBox({}, frame())),
      m_number(new NumberField(frame())),
      m_word(mutedLabel(QString(), frame())) {
    setField(m_words);
    m_number->setObjectName(QStringLiteral("number_") + id());
    m_number->setAccessibleName(QString::fromStdString(row.label));
    m_number->setAccessibleDescription(m_words->accessibleDescription());
    m_number->setToolTip(QString::fromStdString(row.help));
    frame()->addRight(m_word);
    frame()->addRight(m_words);
    frame()->addRight(m_number);
    connect(m_words, &ChoiceBox::chosen, this, [this](const QString& token) { apply(token.toDouble()); });
    m_number->setApply([this](const QString& text) { return applyText(text); });
    connect(m_number, &NumberField::refusalChanged, frame(), &RowFrame::setRefusal);
}

QWidget* TokenRow::fieldOf(const QString&) const {
    return isLong() ? static_cast<QWidget*>(m_number) : m_words;
}

void TokenRow::takeTokens(const Scene& scene) {
    if (std::exchange(m_tokens, scene.tokens) == scene.tokens) {
        return;
    }
    m_labels = m_tokens.size() > mostLabels ? std::vector<std::string>() : tokenLabels(scene);
    std::vector<Choice> choices;
    for (std::size_t token = 0; token < m_labels.size() && !isLong(); ++token) {
        choices.push_back({std::to_string(token), wordText(m_labels[token]).toStdString()});
    }
    m_words->setChoices(choices);
    m_words->setVisible(!isLong());
    m_words->setEnabled(!m_tokens.empty());
    m_number->setVisible(isLong());
    m_word->setVisible(isLong());
}

QString TokenRow::wordOf(const Scene& scene, std::size_t token) const {
    if (!m_labels.empty()) {
        return wordText(m_labels[token]);
    }
    Scene alone;
    alone.tokens = {scene.tokens[token]};
    return wordText(tokenLabels(alone).front());
}

void TokenRow::showScene(const Scene& scene, const Scene& preset) {
    frame()->setChanged(row().get(scene) != row().get(preset));
    takeTokens(scene);
    // A number past the end stands for the last token.
    const double held = std::get<double>(row().get(scene));
    const double last = static_cast<double>(m_tokens.size()) - 1.0;
    const double token = std::min(held, last);
    m_words->setCurrent(QString::number(token));
    m_number->setTexts(QString::fromStdString(formatForPeople(token, 12)),
                       QString::fromStdString(formatNumber(held)));
    if (isLong()) {
        setTextIfNew(m_word, wordOf(scene, static_cast<std::size_t>(token)));
    }
}

}  // namespace phaseladder::ui
