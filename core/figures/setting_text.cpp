#include "core/figures/setting_text.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/figures/figure_parts.h"

namespace phaseladder {
namespace {

constexpr std::size_t mostTokens = 12;  // that are written out
constexpr int captionDigits = 5;
constexpr std::size_t mostSettings = 3;  // that are written out

struct ValueText {
    const Parameter& row;

    std::string operator()(bool value) const { return value ? "on" : "off"; }
    std::string operator()(double value) const {
        if (value == 0.0 && !row.zeroText.empty()) {
            return row.zeroText;
        }
        return numberInWords(value) + (row.unit.empty() || row.unit == "×" ? "" : ' ' + row.unit);
    }
    std::string operator()(const std::string& value) const {
        if (row.control == ParameterControl::file) {  // whose folders are nobody else's business
            return std::filesystem::path(value).filename().string();
        }
        const auto choice = std::ranges::find(row.choices, value, &Choice::id);
        return choice == row.choices.end() ? value : choice->label;
    }
    std::string operator()(const SharedList<std::string>& tokens) const {
        return tokens.size() <= mostTokens ? fmt::format("\"{}\"", fmt::join(tokens, " "))
                                           : countOf(static_cast<std::int64_t>(tokens.size()), "token");
    }
    std::string operator()(const SharedList<int>& order) const {
        return order.size() <= mostTokens ? fmt::format("{}", fmt::join(order, " ")) : "changed";
    }
    std::string operator()(const std::vector<double>& values) const {
        const bool areWhole =
            std::ranges::all_of(values, [](double value) { return value == std::round(value); });
        if (areWhole && values.size() <= mostTokens) {
            return fmt::format("{}", fmt::join(values, ", "));
        }
        return countOf(static_cast<std::int64_t>(values.size()), "value");
    }
};

/// In the panel the heading says that "Trained" is a length.
std::string nameOf(const Parameter& row) {
    const bool isBareLength = row.group == "Lengths" && row.label.find("length") == row.label.npos;
    return insideSentence(row.label) + (isBareLength ? " length" : "");
}

std::string listed(std::vector<std::string> settings) {
    if (settings.empty()) {
        return {};
    }
    const std::size_t shown = std::min(settings.size(), mostSettings);
    const std::size_t more = settings.size() - shown;
    settings.resize(shown);
    return fmt::format("{}", fmt::join(settings, ", ")) +
           (more == 0 ? "" : fmt::format(" and {} more", more));
}

}  // namespace

std::string numberInWords(double value) {
    if (std::isinf(value)) {
        return value > 0.0 ? "infinite" : "minus infinite";
    }
    if (std::isnan(value)) {
        return "none";
    }
    if (value == std::round(value) && std::abs(value) < 1e15) {
        return groupedNumber(static_cast<std::int64_t>(value));
    }
    return std::abs(value) >= 1000.0 ? groupedNumber(std::llround(value))
                                     : fmt::format("{:.{}g}", value, captionDigits);
}

std::string insideSentence(std::string text) {
    const auto isBetween = [](char letter, char first, char last) {
        return first <= letter && letter <= last;
    };
    if (text.size() > 1 && isBetween(text[0], 'A', 'Z') && isBetween(text[1], 'a', 'z') &&
        std::ranges::none_of(text.substr(1, text.find(' ')),
                             [&](char letter) { return isBetween(letter, 'A', 'Z'); })) {
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
    }
    return text;
}

std::string settingText(const Parameter& row, const ParameterValue& value) {
    const std::string text = std::visit(ValueText{row}, value);
    const char* nothing = row.kind == ParameterKind::order ? "original" : "none";
    return nameOf(row) + ' ' + (text.empty() ? nothing : text);
}

ComparedSettings comparedSettings(const Scene& pinned, const Scene& live) {
    std::vector<std::string> ofPinned;
    std::vector<std::string> ofLive;
    for (const Parameter& row : parameters()) {
        const ParameterValue before = row.get(pinned);
        const ParameterValue now = row.get(live);
        if (before != now && (row.applies(pinned) || row.applies(live))) {
            ofPinned.push_back(settingText(row, before));
            ofLive.push_back(settingText(row, now));
        }
    }
    return {listed(std::move(ofPinned)), listed(std::move(ofLive))};
}

}  // namespace phaseladder
