#pragma once

#include <string>
#include <vector>

#include "core/figures/figure.h"

namespace phaseladder::ui {

/// The colour ranges of a figure's maps, kept so that what comes next is drawn in the same colours and can be
/// compared.
struct ColorLock {
    struct Range {
        std::string panelId, valueTitle;  ///< a map of other values (logits for weights) is not touched
        double low = 0.0, high = 1.0;
    };
    std::vector<Range> ranges;

    /// The ranges of now; none for phases, whose colours always go once around.
    [[nodiscard]] static ColorLock of(const Figure& figure);
    [[nodiscard]] bool isEmpty() const { return ranges.empty(); }
    /// Puts the ranges into the figure's maps and says so in its notes.
    void apply(Figure& figure) const;
};

}  // namespace phaseladder::ui
