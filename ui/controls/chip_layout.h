#pragma once

#include <QFont>
#include <QHash>

#include <vector>

#include "core/shared_list.h"
#include "ui/controls/token_order.h"

namespace phaseladder::ui {

inline constexpr int chipHeight = 30;
inline constexpr int chipGap = 8;
inline constexpr int chipTextLeft = 24;  ///< after the drag handle's dots
inline constexpr int chipPadding = 10;

[[nodiscard]] QFont repeatFont(const QFont& font);

/// Where each chip stands: widths by token, left edges by position. Made for long texts: a chip is found in
/// log n.
class ChipLayout {
public:
    /// Measures the tokens; equal words are measured once.
    void setTokens(const std::vector<ChipText>& texts, const QFont& font);
    void setOrder(const SharedList<int>& order);

    [[nodiscard]] const std::vector<ChipText>& texts() const { return m_texts; }
    [[nodiscard]] const SharedList<int>& order() const { return m_order; }
    [[nodiscard]] int count() const { return static_cast<int>(m_order.size()); }
    [[nodiscard]] int tokenAt(int position) const { return m_order[static_cast<std::size_t>(position)]; }
    [[nodiscard]] int positionOf(int token) const { return m_positions[static_cast<std::size_t>(token)]; }
    [[nodiscard]] double left(int position) const { return m_lefts[static_cast<std::size_t>(position)]; }
    [[nodiscard]] double width(int token) const { return m_widths[static_cast<std::size_t>(token)]; }
    /// Of all chips with their gaps.
    [[nodiscard]] double totalWidth() const { return m_lefts.back(); }

    /// First position whose chip ends right of x, in 0 .. count.
    [[nodiscard]] int firstEndingAfter(double x) const;
    /// The position whose chip covers x, or -1.
    [[nodiscard]] int positionAt(double x) const;
    /// Where a lifted block would be put down: how many of the other chips lie left of its left edge, by
    /// their middles.
    [[nodiscard]] int dropTarget(const std::vector<int>& liftedTokens, double blockLeft) const;

private:
    std::vector<ChipText> m_texts;
    std::vector<double> m_widths;
    SharedList<int> m_order;
    std::vector<int> m_positions;
    std::vector<double> m_lefts{0.0};  // one more than positions
};

}  // namespace phaseladder::ui
