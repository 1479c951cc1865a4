#include "ui/controls/chip_layout.h"

#include <QFontMetricsF>

#include <algorithm>
#include <array>
#include <cmath>

namespace phaseladder::ui {

namespace {

constexpr double widestWord = 160.0;

/// The widths of whole numbers, digit by digit: a long text has a million different ones.
class NumberWidths {
public:
    explicit NumberWidths(const QFontMetricsF& font) {
        for (int digit = 0; digit < 10; ++digit) {
            m_digits[static_cast<std::size_t>(digit)] = font.horizontalAdvance(QString::number(digit));
        }
    }

    [[nodiscard]] double of(int number) const {
        double width = 0.0;
        for (int rest = number; rest > 0; rest /= 10) {
            width += m_digits[static_cast<std::size_t>(rest % 10)];
        }
        return width;
    }

private:
    std::array<double, 10> m_digits{};
};

}  // namespace

QFont repeatFont(const QFont& font) {
    QFont small = font;
    small.setPixelSize(10);
    return small;
}

void ChipLayout::setTokens(const std::vector<ChipText>& texts, const QFont& font) {
    m_texts = texts;
    const QFontMetricsF words(font);
    const NumberWidths repeats{QFontMetricsF(repeatFont(font))};
    QHash<QString, double> measured;
    m_widths.clear();
    m_widths.reserve(texts.size());
    for (const ChipText& text : texts) {
        auto found = measured.find(text.word);
        if (found == measured.end()) {
            found =
                measured.insert(text.word, std::clamp(words.horizontalAdvance(text.word), 6.0, widestWord));
        }
        const double repeat = text.repeat > 0 ? repeats.of(text.repeat) + 1.0 : 0.0;
        m_widths.push_back(std::ceil(chipTextLeft + found.value() + repeat + chipPadding));
    }
}

void ChipLayout::setOrder(const SharedList<int>& order) {
    m_order = order;
    m_positions.assign(m_widths.size(), 0);
    m_lefts.assign(1, 0.0);
    m_lefts.reserve(order.size() + 1);
    for (std::size_t position = 0; position < order.size(); ++position) {
        m_positions[static_cast<std::size_t>(order[position])] = static_cast<int>(position);
        m_lefts.push_back(m_lefts.back() + width(order[position]) + chipGap);
    }
}

int ChipLayout::firstEndingAfter(double x) const {
    // m_lefts[p + 1] is where the gap after chip p ends.
    const auto found = std::upper_bound(m_lefts.begin() + 1, m_lefts.end(), x);
    return static_cast<int>(found - m_lefts.begin()) - 1;
}

int ChipLayout::positionAt(double x) const {
    const int position = firstEndingAfter(x);
    const bool isCovered =
        position < count() && x >= left(position) && x < left(position) + width(tokenAt(position));
    return isCovered ? position : -1;
}

int ChipLayout::dropTarget(const std::vector<int>& liftedTokens, double blockLeft) const {
    std::vector<bool> isLifted(m_widths.size(), false);
    for (const int token : liftedTokens) {
        isLifted[static_cast<std::size_t>(token)] = true;
    }
    int target = 0;
    double restLeft = 0.0;
    for (const int token : m_order) {
        if (isLifted[static_cast<std::size_t>(token)]) {
            continue;
        }
        if (restLeft + width(token) / 2.0 >= blockLeft) {
            break;
        }
        restLeft += width(token) + chipGap;
        ++target;
    }
    return target;
}

}  // namespace phaseladder::ui
