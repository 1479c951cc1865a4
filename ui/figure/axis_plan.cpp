#include "ui/figure/axis_plan.h"

#include <algorithm>

namespace phaseladder::ui {

namespace {

constexpr double tickLength = 3.0;          // points
constexpr double smallestNameShare = 0.75;  // of the text size, before names are left out

double widestLabel(const AxisPlan& plan) {
    double widest = 0.0;
    for (const Tick& tick : plan.ticks) {
        widest = std::max(widest, tickLabelWidth(tick, plan.text));
    }
    return widest;
}

/// Names side by side, else turned; smaller where they are close, and thinned where that is not enough.
AxisPlan planNames(const Axis& axis, double length, double cap, const TextStyle& text, bool isX) {
    AxisPlan plan;
    plan.text = text;
    const double cell = length / (axis.maximum - axis.minimum);
    const int all = std::max(1, static_cast<int>(axis.labels.size()));
    plan.ticks = axisTicks(axis, axis.minimum, axis.maximum, all);
    plan.turned = isX && widestLabel(plan) + 0.5 * text.sizePoints > cell;
    const double line = 1.1 * text.sizePoints;
    if ((plan.turned || !isX) && line > cell) {
        const double share = std::max(smallestNameShare, cell / line);
        plan.text.sizePoints *= share;
        const int room = std::max(1, static_cast<int>(length / (share * line) + 1e-6));
        plan.ticks = axisTicks(axis, axis.minimum, axis.maximum, std::min(all, room));
    }
    for (Tick& tick : plan.ticks) {
        tick.label = elidedText(tick.label, plan.text, cap);
    }
    plan.extent = isX && !plan.turned ? capHeight(plan.text) : widestLabel(plan);
    return plan;
}

/// Whether the labels stand apart along an axis of this length.
bool labelsFit(const Axis& axis, const QList<Tick>& ticks, double length, const TextStyle& text) {
    QList<std::pair<double, double>> spans;
    for (const Tick& tick : ticks) {
        if (!tick.minor) {
            const double center = axisFraction(axis, axis.minimum, axis.maximum, tick.value) * length;
            const double half = 0.5 * tickLabelWidth(tick, text) + 0.35 * text.sizePoints;
            spans.append({center - half, center + half});
        }
    }
    std::sort(spans.begin(), spans.end());
    return std::adjacent_find(spans.begin(), spans.end(),
                              [](const auto& a, const auto& b) { return a.second > b.first; }) == spans.end();
}

}  // namespace

double tickLabelWidth(const Tick& tick, const TextStyle& text) {
    return textWidth(tick.label + raised(tick.superscript), text);
}

QList<TextRun> tickLabelRuns(const Tick& tick, QPointF anchor, const TextStyle& text,
                             Qt::Alignment alignment) {
    return textRuns(anchor, tick.label + raised(tick.superscript), text, alignment);
}

AxisPlan planXAxis(const Axis& axis, double width, double cap, const TextStyle& text) {
    AxisPlan plan;
    if (!axis.labels.empty()) {
        plan = planNames(axis, width, cap, text, true);
    } else {
        plan.text = text;
        plan.tickLength = tickLength;
        plan.extent = capHeight(text);
        for (int wanted = std::max(2, static_cast<int>(width / (2.5 * text.sizePoints))); wanted >= 2;
             --wanted) {
            plan.ticks = axisTicks(axis, axis.minimum, axis.maximum, wanted);
            if (labelsFit(axis, plan.ticks, width, text)) {
                break;
            }
        }
    }
    for (const Tick& tick : plan.ticks) {
        if (!tick.minor && !plan.turned) {
            const double fraction = axisFraction(axis, axis.minimum, axis.maximum, tick.value);
            const double end = (axis.reversed ? 1.0 - fraction : fraction) * width;
            plan.overhang = std::max(plan.overhang, end + 0.5 * tickLabelWidth(tick, plan.text) - width);
        }
    }
    return plan;
}

AxisPlan planYAxis(const Axis& axis, double height, double cap, const TextStyle& text) {
    if (!axis.labels.empty()) {
        return planNames(axis, height, cap, text, false);
    }
    AxisPlan plan;
    plan.text = text;
    plan.tickLength = tickLength;
    const int wanted = std::clamp(static_cast<int>(height / (2.2 * text.sizePoints)), 2, 8);
    plan.ticks = axisTicks(axis, axis.minimum, axis.maximum, wanted);
    plan.extent = widestLabel(plan);
    return plan;
}

}  // namespace phaseladder::ui
