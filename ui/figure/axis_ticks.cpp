#include "ui/figure/axis_ticks.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace phaseladder::ui {

namespace {

constexpr QChar minusSign(0x2212);

/// Far more ticks than any picture shows; a guard against ranges that doubles cannot resolve.
constexpr int mostTicks = 500;

QString withMinusSign(QString text) {
    return text.replace(QLatin1Char('-'), minusSign);
}

/// Digits after the point that tell multiples of a step apart.
int decimalsOf(double step) {
    int decimals = 0;
    for (double scaled = step; decimals < 12 && std::abs(scaled - std::round(scaled)) > 1e-6 * scaled;
         ++decimals) {
        scaled *= 10.0;
    }
    return decimals;
}

QString withCommas(QString digits) {
    const qsizetype point = digits.indexOf(QLatin1Char('.'));
    for (qsizetype at = (point < 0 ? digits.size() : point) - 3; at > 0; at -= 3) {
        digits.insert(at, QLatin1Char(','));
    }
    return digits;
}

/// A number on an axis with a given step: "0.25", "8,192", "−3", or "2 × 10" with superscript "7" where that
/// is shorter.
void labelNumber(Tick& tick, double step) {
    const double size = std::abs(tick.value);
    if (size > 0.0 && (size >= 1e7 || step < 1e-4)) {
        const int exponent = static_cast<int>(std::floor(std::log10(size) + 1e-9));
        const double unit = std::pow(10.0, exponent);
        const QString factor = QString::number(size / unit, 'f', decimalsOf(step / unit));
        const QString sign = tick.value < 0.0 ? QString(minusSign) : QString();
        tick.label = sign + (factor == QLatin1String("1") ? QStringLiteral("10")
                                                          : QStringLiteral("%1\u2009×\u200910").arg(factor));
        tick.superscript = withMinusSign(QString::number(exponent));
        return;
    }
    const bool isZeroOfTiny = size == 0.0 && step < 1e-4;
    const QString digits = withCommas(QString::number(size, 'f', isZeroOfTiny ? 0 : decimalsOf(step)));
    tick.label = (tick.value < 0.0 ? QString(minusSign) : QString()) + digits;
}

/// The nice step (1, 2 or 5 times a power of ten) that gives at most `wanted` ticks and a little more.
double niceStep(double range, int wanted, bool wholeNumbers) {
    const double raw = range / std::max(wanted, 1);
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    double step = 10.0 * power;
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (factor * power >= raw * (1.0 - 1e-9)) {
            step = factor * power;
            break;
        }
    }
    return wholeNumbers ? std::max(step, 1.0) : step;
}

QList<Tick> linearTicks(double minimum, double maximum, double step) {
    QList<Tick> ticks;
    const double slack = 1e-9 * (maximum - minimum);
    const double first = std::ceil((minimum - slack) / step);
    const double last = std::floor((maximum + slack) / step);
    if (!(last - first < mostTicks)) {
        return ticks;
    }
    for (double index = first; index <= last; index += 1.0) {
        Tick tick;
        tick.value = index == 0.0 ? 0.0 : index * step;
        labelNumber(tick, step);
        ticks.append(tick);
    }
    return ticks;
}

/// Linear ticks, refined until at least two are inside (unless whole numbers do not allow it).
QList<Tick> atLeastTwoLinearTicks(double minimum, double maximum, int wanted, bool wholeNumbers) {
    QList<Tick> ticks;
    for (int count = wanted; count <= 8 * wanted; count *= 2) {
        const double step = niceStep(maximum - minimum, count, wholeNumbers);
        ticks = linearTicks(minimum, maximum, step);
        if (ticks.size() >= 2 || (wholeNumbers && step <= 1.0)) {
            break;
        }
    }
    return ticks;
}

/// Every stride-th power of ten with a label, the others as minor ticks, and 2 … 9 as minor ticks where all
/// powers are labelled.
QList<Tick> decadeTicks(double minimum, double maximum, int firstPower, int lastPower, int wanted) {
    const int powers = lastPower - firstPower + 1;
    const int stride = std::max(1, (powers + wanted - 1) / std::max(wanted, 1));
    int anchor = (firstPower + 1000 * stride) % stride == 0
                     ? firstPower
                     : firstPower + stride - (firstPower + 1000 * stride) % stride;
    if (anchor + stride > lastPower) {
        anchor = firstPower;
    }
    const int usedStride = anchor + stride > lastPower ? std::max(1, lastPower - firstPower) : stride;
    QList<Tick> ticks;
    for (int power = firstPower - 1; power <= lastPower; ++power) {
        const double value = std::pow(10.0, power);
        if (power >= firstPower) {
            Tick tick;
            tick.value = value;
            tick.minor = (power - anchor) % usedStride != 0;
            if (!tick.minor) {
                tick.label = QStringLiteral("10");
                tick.superscript = withMinusSign(QString::number(power));
            }
            ticks.append(tick);
        }
        for (int factor = 2; usedStride == 1 && factor <= 9; ++factor) {
            const double between = factor * value;
            if (between >= minimum && between <= maximum) {
                ticks.append({between, {}, {}, true});
            }
        }
    }
    return ticks;
}

/// 1, 2 and 5 times powers of ten as plain numbers.
QList<Tick> oneTwoFiveTicks(double minimum, double maximum) {
    QList<Tick> ticks;
    const int firstPower = static_cast<int>(std::floor(std::log10(minimum)));
    const int lastPower = static_cast<int>(std::floor(std::log10(maximum)));
    for (int power = firstPower; power <= lastPower; ++power) {
        for (int factor = 1; factor <= 9; ++factor) {
            Tick tick;
            const double unit = std::pow(10.0, power);
            tick.value = factor * unit;
            tick.minor = factor != 1 && factor != 2 && factor != 5;
            if (tick.value < minimum * (1.0 - 1e-12) || tick.value > maximum * (1.0 + 1e-12)) {
                continue;
            }
            if (!tick.minor) {
                labelNumber(tick, unit);
            }
            ticks.append(tick);
        }
    }
    return ticks;
}

qsizetype labelledCount(const QList<Tick>& ticks) {
    return std::count_if(ticks.begin(), ticks.end(), [](const Tick& tick) { return !tick.minor; });
}

QList<Tick> logTicks(double minimum, double maximum, int wanted) {
    const int firstPower = static_cast<int>(std::ceil(std::log10(minimum) - 1e-9));
    const int lastPower = static_cast<int>(std::floor(std::log10(maximum) + 1e-9));
    if (lastPower > firstPower) {
        return decadeTicks(minimum, maximum, firstPower, lastPower, wanted);
    }
    const QList<Tick> ticks = oneTwoFiveTicks(minimum, maximum);
    return labelledCount(ticks) >= 2 ? ticks
                                     : atLeastTwoLinearTicks(minimum, maximum, std::max(wanted, 2), false);
}

QList<Tick> nameTicks(const Axis& axis, double minimum, double maximum, int wanted) {
    const auto begin = static_cast<double>(axis.firstLabel);
    const double end = begin + static_cast<double>(axis.labels.size());
    const int first = static_cast<int>(std::clamp(std::ceil(minimum), begin, end));
    const int last = static_cast<int>(std::clamp(std::floor(maximum), begin - 1.0, end - 1.0));
    QList<Tick> ticks;
    const int stride = std::max(1, (last - first + wanted) / std::max(wanted, 1));
    for (int index = (first + stride - 1) / stride * stride; index <= last; index += stride) {
        ticks.append({double(index), QString::fromStdString(*axis.labelAt(index)), {}, false});
    }
    return ticks;
}

}  // namespace

QList<Tick> axisTicks(const Axis& axis, double minimum, double maximum, int wanted) {
    if (!(maximum > minimum) || !std::isfinite(minimum) || !std::isfinite(maximum)) {
        return {};
    }
    const int count = std::max(wanted, 2);
    if (!axis.labels.empty()) {
        return nameTicks(axis, minimum, maximum, std::max(wanted, 1));
    }
    if (axis.scale == AxisScale::log10) {
        return minimum > 0.0 ? logTicks(minimum, maximum, count) : QList<Tick>();
    }
    return atLeastTwoLinearTicks(minimum, maximum, count, axis.wholeNumbers);
}

QString groupedNumber(double value) {
    if (!std::isfinite(value)) {
        return std::isnan(value) ? QStringLiteral("–")
                                 : (value > 0.0 ? QStringLiteral("∞") : QStringLiteral("\u2212∞"));
    }
    const double size = std::abs(value);
    const QString digits =
        QString::number(size, size < 1e15 && size >= 1000.0 ? 'f' : 'g',
                        size < 1e15 && size >= 1000.0 ? (size == std::floor(size) ? 0 : 1) : 6);
    return (value < 0.0 ? QString(minusSign) : QString()) + withCommas(digits);
}

double axisFraction(const Axis& axis, double minimum, double maximum, double value) {
    if (axis.scale == AxisScale::log10) {
        return std::log10(value / minimum) / std::log10(maximum / minimum);
    }
    return (value - minimum) / (maximum - minimum);
}

double axisValue(const Axis& axis, double minimum, double maximum, double fraction) {
    if (axis.scale == AxisScale::log10) {
        return minimum * std::pow(maximum / minimum, fraction);
    }
    return minimum + fraction * (maximum - minimum);
}

}  // namespace phaseladder::ui
