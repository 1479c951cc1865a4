#include "ui/controls/slider_change.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/number_text.h"

namespace phaseladder::ui {

namespace {

constexpr int mostInnerTicks = 6;

constexpr std::pair<SliderScale, const char*> scales[] = {
    {SliderScale::linear, "linear"}, {SliderScale::log10, "log10"}, {SliderScale::log2, "log2"}};

QString number(double value) {
    return QString::fromStdString(formatNumber(value));
}

/// A limit of the slider, checked as the parameter itself would be.
QString limitRefusal(const Parameter& row, const QString& name, double value) {
    Parameter limit = row;
    limit.id = name.arg(QString::fromStdString(row.label)).toStdString();
    const Result<void> checked = checkParameter(limit, value);
    return checked ? QString() : QString::fromStdString(checked.error().message);
}

/// Between the ends: 1, 2 or 5 times a power of ten apart.
std::vector<double> linearTicks(double minimum, double maximum) {
    const double rough = (maximum - minimum) / (mostInnerTicks - 1);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double lead = rough / power;
    const double apart = power * (lead <= 1.0 ? 1.0 : lead <= 2.0 ? 2.0 : lead <= 5.0 ? 5.0 : 10.0);
    std::vector<double> ticks;
    for (double count = std::floor(minimum / apart) + 1.0; count * apart < maximum; count += 1.0) {
        // 3 × 0.1 is shown as 0.3.
        ticks.push_back(QString::number(count * apart, 'g', 12).toDouble());
    }
    return ticks;
}

/// Between the ends: powers of the base, every second, third ... where there are many.
std::vector<double> powerTicks(double minimum, double maximum, double base) {
    const double first = std::floor(std::log(minimum) / std::log(base) + 1e-9) + 1.0;
    const double last = std::ceil(std::log(maximum) / std::log(base) - 1e-9) - 1.0;
    const double apart = std::max(1.0, std::ceil((last - first + 1.0) / mostInnerTicks));
    std::vector<double> ticks;
    for (double exponent = first; exponent <= last; exponent += apart) {
        ticks.push_back(std::pow(base, exponent));
    }
    return ticks;
}

std::vector<double> ticksOver(const SliderMapping& mapping) {
    std::vector<double> ticks;
    switch (mapping.scale) {
        case SliderScale::log10:
            ticks = powerTicks(mapping.minimum, mapping.maximum, 10.0);
            break;
        case SliderScale::log2:
            ticks = powerTicks(mapping.minimum, mapping.maximum, 2.0);
            break;
        default:
            ticks = linearTicks(mapping.minimum, mapping.maximum);
    }
    std::erase_if(ticks, [&](double tick) {
        return mapping.wholeStep > 0 && std::fmod(tick, mapping.wholeStep) != 0.0;
    });
    ticks.insert(ticks.begin(), mapping.minimum);
    ticks.push_back(mapping.maximum);
    return ticks;
}

}  // namespace

QString refusalOf(const Parameter& row, const SliderChange& change) {
    const QString label = QString::fromStdString(row.label);
    const double minimum = change.minimum.value_or(row.sliderMinimum);
    const double maximum = change.maximum.value_or(row.sliderMaximum);
    for (const QString& refusal : {limitRefusal(row, QObject::tr("Minimum of %1"), minimum),
                                   limitRefusal(row, QObject::tr("Maximum of %1"), maximum)}) {
        if (!refusal.isEmpty()) {
            return refusal;
        }
    }
    if (minimum >= maximum) {
        return QObject::tr("Minimum of %1 must be below its maximum %2 (got %3).")
            .arg(label, number(maximum), number(minimum));
    }
    if (change.scale.value_or(row.scale) != SliderScale::linear && minimum <= 0.0) {
        return QObject::tr("Minimum of %1 must be > 0 on a logarithmic scale (got %2).")
            .arg(label, number(minimum));
    }
    if (!change.step) {
        return {};
    }
    const double step = *change.step;
    if (!(step > 0.0 && step <= maximum - minimum)) {
        return QObject::tr("Step of %1 must be > 0 and ≤ %2, its maximum less its minimum (got %3).")
            .arg(label, number(maximum - minimum), number(step));
    }
    const int wholeStep = SliderMapping::of(row).wholeStep;
    if (wholeStep > 0 && std::fmod(step, wholeStep) != 0.0) {
        return (wholeStep == 1 ? QObject::tr("Step of %1 must be a whole number (got %2).")
                               : QObject::tr("Step of %1 must be even (got %2)."))
            .arg(label, number(step));
    }
    return {};
}

SliderMapping mappingOf(const Parameter& row, const SliderChange& change) {
    SliderMapping mapping = SliderMapping::of(row);
    mapping.minimum = change.minimum.value_or(mapping.minimum);
    mapping.maximum = change.maximum.value_or(mapping.maximum);
    mapping.scale = change.scale.value_or(mapping.scale);
    mapping.step = change.step.value_or(0.0);
    if (change.minimum || change.maximum || change.scale) {
        mapping.ticks = ticksOver(mapping);
    }
    return mapping;
}

SliderChange withoutOwn(const Parameter& row, SliderChange change) {
    if (change.minimum == row.sliderMinimum) {
        change.minimum.reset();
    }
    if (change.maximum == row.sliderMaximum) {
        change.maximum.reset();
    }
    if (change.scale == row.scale) {
        change.scale.reset();
    }
    return change;
}

QStringList textsOf(const SliderChange& change) {
    const auto text = [](const std::optional<double>& value) { return value ? number(*value) : QString(); };
    return {text(change.minimum), text(change.maximum), text(change.step),
            change.scale ? scaleId(*change.scale) : QString()};
}

SliderChange sliderChangeFrom(const QStringList& texts) {
    const auto read = [&texts](qsizetype index) -> std::optional<double> {
        const Result<double> value = parseNumber(texts.value(index).toStdString());
        return value ? std::optional(*value) : std::nullopt;
    };
    return {read(0), read(1), read(2), scaleOf(texts.value(3))};
}

QString scaleId(SliderScale scale) {
    const auto* const found = std::find_if(std::begin(scales), std::end(scales),
                                           [scale](const auto& entry) { return entry.first == scale; });
    return QString::fromLatin1(found == std::end(scales) ? "linear" : found->second);
}

std::optional<SliderScale> scaleOf(const QString& id) {
    const auto* const found = std::find_if(std::begin(scales), std::end(scales), [&id](const auto& entry) {
        return id == QLatin1StringView(entry.second);
    });
    return found == std::end(scales) ? std::nullopt : std::optional(found->first);
}

}  // namespace phaseladder::ui
