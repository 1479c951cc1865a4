#include "ui/figure/figure_link.h"

#include <utility>

namespace phaseladder::ui {

std::optional<double> FigureLink::mark(AxisMeaning meaning) const {
    const std::map<AxisMeaning, double>& marks = shown().values;
    const auto find = [&marks](AxisMeaning wanted) -> std::optional<double> {
        const auto found = marks.find(wanted);
        return found == marks.end() ? std::nullopt : std::optional(found->second);
    };
    if (meaning == AxisMeaning::none) {
        return std::nullopt;
    }
    if (const std::optional<double> exact = find(meaning)) {
        return exact;
    }
    if (meaning == AxisMeaning::queryToken || meaning == AxisMeaning::keyToken) {
        return find(AxisMeaning::position);
    }
    if (meaning == AxisMeaning::position) {
        return find(AxisMeaning::queryToken);
    }
    return std::nullopt;
}

void FigureLink::setMarks(const std::map<AxisMeaning, double>& marks, QObject* source) {
    change(m_hovered, Marks{marks, source});
}

void FigureLink::clearMarks() {
    change(m_hovered, Marks{});
}

QObject* FigureLink::source() const {
    return shown().source;
}

void FigureLink::select(const std::map<AxisMeaning, double>& marks, QObject* source) {
    change(m_selected, Marks{marks, source});
}

void FigureLink::clearSelection() {
    change(m_selected, Marks{});
}

void FigureLink::change(Marks& marks, Marks value) {
    if (marks == value) {
        return;
    }
    marks = std::move(value);
    Q_EMIT marksChanged();
}

}  // namespace phaseladder::ui
