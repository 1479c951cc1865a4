#include "ui/controls/token_order.h"

#include <QCoreApplication>
#include <QTextBoundaryFinder>

#include <algorithm>
#include <unordered_map>

namespace phaseladder::ui {

namespace {

/// More than fits on the widest chip.
constexpr qsizetype longestChipText = 256;
constexpr int longestOrder = 24;

QString chipWord(const std::string& token) {
    QString word = visibleText(token);
    if (word.size() > longestChipText) {
        // Never through the middle of a character that people see as one.
        QTextBoundaryFinder finder(QTextBoundaryFinder::Grapheme, word.left(2 * longestChipText));
        finder.setPosition(longestChipText);
        const qsizetype cut = finder.isAtBoundary() ? longestChipText : finder.toPreviousBoundary();
        word = word.left(cut > 0 ? cut : longestChipText) + QStringLiteral("…");
    }
    return word.replace(QLatin1Char('\n'), QLatin1Char(' ')).replace(QLatin1Char('\t'), QLatin1Char(' '));
}

}  // namespace

const std::string& OrderedTokens::at(int position) const {
    return tokens[static_cast<std::size_t>(order[static_cast<std::size_t>(position)])];
}

void OrderedTokens::remove(const std::vector<int>& positions) {
    std::vector<bool> isRemoved(tokens.size(), false);
    for (const int position : positions) {
        isRemoved[static_cast<std::size_t>(order[static_cast<std::size_t>(position)])] = true;
    }
    std::vector<int> newIndex(tokens.size());
    std::vector<std::string> kept;
    for (std::size_t index = 0; index < tokens.size(); ++index) {
        newIndex[index] = static_cast<int>(kept.size());
        if (!isRemoved[index]) {
            kept.push_back(tokens[index]);
        }
    }
    std::vector<int> keptOrder;
    for (const int token : order) {
        if (!isRemoved[static_cast<std::size_t>(token)]) {
            keptOrder.push_back(newIndex[static_cast<std::size_t>(token)]);
        }
    }
    tokens = std::move(kept);
    order = std::move(keptOrder);
}

void OrderedTokens::insert(int position, const std::vector<std::string>& words) {
    const int added = static_cast<int>(words.size());
    const int first = position > 0 ? order[static_cast<std::size_t>(position - 1)] + 1 : 0;
    for (int& token : order) {
        token += token >= first ? added : 0;
    }
    tokens.insert(tokens.begin() + first, words.begin(), words.end());
    for (int index = 0; index < added; ++index) {
        order.insert(order.begin() + position + index, first + index);
    }
}

void OrderedTokens::replace(int position, const std::vector<std::string>& words) {
    if (words.size() == 1) {
        tokens[static_cast<std::size_t>(order[static_cast<std::size_t>(position)])] = words.front();
        return;
    }
    insert(position + 1, words);
    remove({position});
}

std::vector<int> movedBlock(const std::vector<int>& order, const std::vector<int>& positions, int target) {
    std::vector<int> block;
    std::vector<int> rest;
    auto next = positions.begin();
    for (int position = 0; position < static_cast<int>(order.size()); ++position) {
        const bool isLifted = next != positions.end() && *next == position;
        next += isLifted ? 1 : 0;
        (isLifted ? block : rest).push_back(order[static_cast<std::size_t>(position)]);
    }
    const int place = std::clamp(target, 0, static_cast<int>(rest.size()));
    rest.insert(rest.begin() + place, block.begin(), block.end());
    return rest;
}

QString orderText(const std::vector<int>& order) {
    if (order.empty()) {
        return {};
    }
    if (order.size() == 1) {
        return QCoreApplication::translate("TokenStrip", "one token has one order");
    }
    QStringList numbers;
    const int shown = std::min(static_cast<int>(order.size()), longestOrder);
    for (int position = 0; position < shown; ++position) {
        numbers.append(QString::number(order[static_cast<std::size_t>(position)]));
    }
    if (shown < static_cast<int>(order.size())) {
        numbers.append(QStringLiteral("…"));
    }
    return QStringLiteral("π = (%1)").arg(numbers.join(QLatin1Char(' ')));
}

QString visibleText(const std::string& token) {
    return QString::fromStdString(token).replace(QChar(u'\0'), QChar(0x2400));
}

std::vector<ChipText> chipTexts(const std::vector<std::string>& tokens) {
    struct Word {
        QString shown;
        int count = 0, seen = 0;
    };
    std::unordered_map<std::string_view, Word> words;
    for (const std::string& token : tokens) {
        Word& word = words[token];
        if (word.count++ == 0) {
            word.shown = chipWord(token);
        }
    }
    std::vector<ChipText> texts;
    texts.reserve(tokens.size());
    for (const std::string& token : tokens) {
        Word& word = words[token];
        texts.push_back({word.shown, word.count > 1 ? ++word.seen : 0});
    }
    return texts;
}

}  // namespace phaseladder::ui
