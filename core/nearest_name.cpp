#include "core/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace phaseladder {
namespace {

/// Longer names are no misspelling of a name of ours.
constexpr std::size_t maximumNameLength = 64;

std::string lowered(std::string_view text) {
    std::string result(text);
    for (char& character : result) {
        if (character >= 'A' && character <= 'Z') {
            character = static_cast<char>(character - 'A' + 'a');
        }
    }
    return result;
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from one text to the other.
std::size_t editDistance(std::string_view from, std::string_view to) {
    std::vector<std::size_t> beforePrevious(to.size() + 1);
    std::vector<std::size_t> previous(to.size() + 1);
    std::vector<std::size_t> current(to.size() + 1);
    for (std::size_t column = 0; column <= to.size(); ++column) {
        previous[column] = column;
    }
    for (std::size_t row = 1; row <= from.size(); ++row) {
        current[0] = row;
        for (std::size_t column = 1; column <= to.size(); ++column) {
            const std::size_t replaced = previous[column - 1] + (from[row - 1] == to[column - 1] ? 0 : 1);
            current[column] = std::min({previous[column] + 1, current[column - 1] + 1, replaced});
            const bool swapped =
                row > 1 && column > 1 && from[row - 1] == to[column - 2] && from[row - 2] == to[column - 1];
            if (swapped) {
                current[column] = std::min(current[column], beforePrevious[column - 2] + 1);
            }
        }
        std::swap(beforePrevious, previous);
        std::swap(previous, current);
    }
    return previous[to.size()];
}

}  // namespace

std::string nearestName(std::string_view wanted, std::span<const std::string> known) {
    if (wanted.empty() || wanted.size() > maximumNameLength) {
        return {};
    }
    const std::string text = lowered(wanted);
    std::size_t bestDistance = std::max<std::size_t>(1, text.size() / 3) + 1;
    std::string best;
    for (const std::string& name : known) {
        const std::string whole = lowered(name);
        const std::string lastPart = whole.substr(whole.rfind('.') + 1);
        const std::size_t distance = std::min(editDistance(text, whole), editDistance(text, lastPart));
        if (distance < bestDistance) {
            bestDistance = distance;
            best = name;
        }
    }
    return best;
}

std::string didYouMean(std::string_view wanted, std::span<const std::string> known) {
    const std::string name = nearestName(wanted, known);
    return name.empty() ? std::string() : " (did you mean '" + name + "'?)";
}

}  // namespace phaseladder
