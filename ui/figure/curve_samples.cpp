#include "ui/figure/curve_samples.h"

#include <cmath>

#include "ui/figure/bar_layout.h"

namespace phaseladder::ui {

const Heatmap* mapOf(const Panel& panel) {
    for (const Layer& layer : panel.layers) {
        if (const auto* map = std::get_if<Heatmap>(&layer)) {
            return map;
        }
    }
    return nullptr;
}

QList<Samples> samplesOf(const Panel& panel, const QSet<QString>& hiddenLabels) {
    QList<Samples> all;
    const auto add = [&](const Samples& samples) {
        if (samples.label->empty() || !hiddenLabels.contains(QString::fromStdString(*samples.label))) {
            all.append(samples);
        }
    };
    for (const Layer& layer : panel.layers) {
        if (const auto* curve = std::get_if<Curve>(&layer)) {
            add({&curve->label, curve->role, &curve->x, &curve->y, nullptr});
        } else if (const auto* points = std::get_if<Points>(&layer)) {
            add({&points->label, points->role, &points->x, &points->y, nullptr});
        } else if (const auto* bars = std::get_if<Bars>(&layer)) {
            add({&bars->label, bars->role, &bars->x, &bars->y, nullptr, barOffset(*bars)});
        } else if (const auto* envelope = std::get_if<Envelope>(&layer)) {
            add({&envelope->label, envelope->role, &envelope->x, &envelope->low, &envelope->high});
        }
    }
    return all;
}

double sampleValue(const Axis& y, double drawn) {
    return y.laneHeight > 0.0 ? (drawn - std::round(drawn)) / y.laneHeight : drawn;
}

}  // namespace phaseladder::ui
