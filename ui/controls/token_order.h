#pragma once

#include <QString>

#include <string>
#include <vector>

namespace phaseladder::ui {

/// Tokens and their order while they are edited: position i holds token order[i].
struct OrderedTokens {
    std::vector<std::string> tokens;
    std::vector<int> order;  ///< as many as tokens, never empty for a text

    [[nodiscard]] int count() const { return static_cast<int>(order.size()); }
    [[nodiscard]] const std::string& at(int position) const;

    /// Removes the tokens at these positions.
    void remove(const std::vector<int>& positions);
    /// Puts new tokens at a position; in the text they stand after the token that is before them.
    void insert(int position, const std::vector<std::string>& words);
    /// Puts other words in place of the token at a position.
    void replace(int position, const std::vector<std::string>& words);
};

/// The order after the tokens at `positions` (ascending) were lifted and put down as a block, so that the
/// block's first token stands at `target` (0 .. count - block size).
[[nodiscard]] std::vector<int> movedBlock(const std::vector<int>& order, const std::vector<int>& positions,
                                          int target);

/// "π = (2 0 1)"; a long order ends in "…". One token: "one token has one order".
[[nodiscard]] QString orderText(const std::vector<int>& order);

/// What a chip shows: the word, cut to what can be seen, with NUL as ␀; and its number among equal words (0:
/// the only one).
struct ChipText {
    QString word;
    int repeat = 0;

    friend bool operator==(const ChipText&, const ChipText&) = default;
};
/// One per token, in the text's order.
[[nodiscard]] std::vector<ChipText> chipTexts(const std::vector<std::string>& tokens);

/// A whole token for a tool tip or a field: NUL as ␀.
[[nodiscard]] QString visibleText(const std::string& token);

}  // namespace phaseladder::ui
