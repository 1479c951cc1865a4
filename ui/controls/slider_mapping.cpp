#include "ui/controls/slider_mapping.h"

#include <algorithm>
#include <cmath>

#include "core/number_text.h"

namespace phaseladder::ui {

namespace {

constexpr double arrowShare = 0.05;
constexpr double smallShare = 0.01;
constexpr double pageShare = 0.1;

bool isLogarithmic(SliderScale scale) {
    return scale == SliderScale::log10 || scale == SliderScale::log2;
}

double roundedToDigits(double value, int digits) {
    if (value == 0.0) {
        return 0.0;
    }
    const double exponent = digits - 1 - std::floor(std::log10(std::abs(value)));
    const double power = std::pow(10.0, std::abs(exponent));
    return exponent >= 0.0 ? std::round(value * power) / power : std::round(value / power) * power;
}

}  // namespace

SliderMapping SliderMapping::of(const Parameter& row) {
    const int wholeStep = row.kind != ParameterKind::integer ? 0 : row.evenOnly ? 2 : 1;
    return {row.scale, row.sliderMinimum, row.sliderMaximum, row.ticks, wholeStep, 0.0};
}

double SliderMapping::fraction(double value) const {
    if (std::isnan(value) || !(maximum > minimum)) {
        return 0.0;
    }
    const double cut = std::clamp(value, minimum, maximum);
    return isLogarithmic(scale) ? std::log(cut / minimum) / std::log(maximum / minimum)
                                : (cut - minimum) / (maximum - minimum);
}

double SliderMapping::value(double fraction) const {
    if (fraction <= 0.0) {
        return minimum;
    }
    if (fraction >= 1.0) {
        return maximum;
    }
    return isLogarithmic(scale) ? minimum * std::exp(fraction * std::log(maximum / minimum))
                                : minimum + fraction * (maximum - minimum);
}

double SliderMapping::tidied(double value) const {
    if (value <= minimum || value >= maximum) {
        return std::clamp(value, minimum, maximum);
    }
    double tidy = value;
    if (wholeStep > 0) {
        tidy = std::round(value / wholeStep) * wholeStep;
    } else if (isLogarithmic(scale)) {
        tidy = roundedToDigits(value, 4);
    } else {
        const double quantum = std::pow(10.0, std::floor(std::log10((maximum - minimum) / 1000.0)));
        tidy = quantum < 1.0 ? std::round(value * std::round(1.0 / quantum)) / std::round(1.0 / quantum)
                             : std::round(value / quantum) * quantum;
    }
    return std::clamp(tidy, minimum, maximum);
}

double SliderMapping::nearestTick(double value) const {
    const auto isCloser = [&](double first, double second) {
        return std::abs(fraction(first) - fraction(value)) < std::abs(fraction(second) - fraction(value));
    };
    const auto nearest = std::min_element(ticks.begin(), ticks.end(), isCloser);
    return nearest == ticks.end() ? value : *nearest;
}

SliderMapping SliderMapping::widenedTo(double value) const {
    SliderMapping wide = *this;
    const bool hasPlace = std::isfinite(value) && (value > 0.0 || !isLogarithmic(scale));
    if (hasPlace && value < minimum) {
        wide.minimum = value;
        wide.ticks.insert(wide.ticks.begin(), value);
    } else if (hasPlace && value > maximum) {
        wide.maximum = value;
        wide.ticks.push_back(value);
    }
    return wide;
}

double SliderMapping::stepped(double oldValue, double share) const {
    double target = 0.0;
    if (step == 0.0) {
        target = tidied(value(fraction(oldValue) + share));
    } else {
        const double exact = oldValue + share / arrowShare * step;
        target =
            std::clamp(wholeStep > 0 ? std::round(exact / wholeStep) * wholeStep : roundedToDigits(exact, 12),
                       minimum, maximum);
    }
    if (wholeStep == 0 || std::abs(target - oldValue) >= wholeStep) {
        return target;
    }
    return std::clamp(oldValue + (share < 0.0 ? -wholeStep : wholeStep), minimum, maximum);
}

double SliderMapping::notchShare() const {
    return step > 0.0 ? arrowShare : smallShare;
}

std::optional<double> keyTarget(const SliderMapping& mapping, double value, int key,
                                Qt::KeyboardModifiers modifiers, Qt::LayoutDirection direction) {
    if ((modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) != Qt::NoModifier) {
        return std::nullopt;
    }
    const double arrow = (modifiers & Qt::ShiftModifier) != Qt::NoModifier ? smallShare : arrowShare;
    const double right = direction == Qt::RightToLeft ? -arrow : arrow;
    switch (key) {
        case Qt::Key_Right:
            return mapping.stepped(value, right);
        case Qt::Key_Left:
            return mapping.stepped(value, -right);
        case Qt::Key_Up:
            return mapping.stepped(value, arrow);
        case Qt::Key_Down:
            return mapping.stepped(value, -arrow);
        case Qt::Key_PageUp:
            return mapping.stepped(value, pageShare);
        case Qt::Key_PageDown:
            return mapping.stepped(value, -pageShare);
        case Qt::Key_Home:
            return mapping.minimum;
        case Qt::Key_End:
            return mapping.maximum;
        default:
            return std::nullopt;
    }
}

QString tickLabel(double value, SliderScale scale) {
    if (scale == SliderScale::log10 && value > 0.0) {
        const double exponent = std::log10(value);
        if (std::abs(exponent - std::round(exponent)) < 1e-9 && std::abs(exponent) >= 2.0) {
            return QStringLiteral("1e%1").arg(std::lround(exponent));
        }
    }
    const double mebi = value / 1048576.0;
    const double kibi = value / 1024.0;
    if (mebi >= 1.0 && mebi == std::floor(mebi)) {
        return QStringLiteral("%1M").arg(std::lround(mebi));
    }
    if (kibi >= 1.0 && kibi < 1024.0 && kibi == std::floor(kibi)) {
        return QStringLiteral("%1k").arg(std::lround(kibi));
    }
    if (value == 0.25) {
        return QStringLiteral("¼");
    }
    if (value == 0.5) {
        return QStringLiteral("½");
    }
    return QString::fromStdString(formatForPeople(value, 4));
}

}  // namespace phaseladder::ui
