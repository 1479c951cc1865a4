#include "ui/figure/readout_words.h"

#include <QCoreApplication>

#include <cmath>
#include <numbers>

#include "core/number_text.h"

namespace phaseladder::ui {
namespace {

constexpr int shownDigits = 6;

QString number(double value, int digits) {
    return QString::fromStdString(formatForPeople(value, digits));
}

}  // namespace

AxisName splitTitle(const std::string& title) {
    const QString text = QString::fromStdString(title);
    const qsizetype open = text.lastIndexOf(QLatin1String(" ("));
    if (open > 0 && text.endsWith(QLatin1Char(')'))) {
        return {text.left(open), text.mid(open + 2, text.size() - open - 3)};
    }
    return {text, {}};
}

AxisName nameOf(const Axis& axis) {
    switch (axis.meaning) {
        case AxisMeaning::queryToken:
            return {QCoreApplication::translate("Readout", "query"), {}};
        case AxisMeaning::keyToken:
            return {QCoreApplication::translate("Readout", "key"), {}};
        case AxisMeaning::pair:
            return {QCoreApplication::translate("Readout", "pair"), {}};
        case AxisMeaning::position:
            return {QCoreApplication::translate("Readout", "position"), {}};
        case AxisMeaning::dimension:
            return {QCoreApplication::translate("Readout", "dimension"), {}};
        case AxisMeaning::head:
            return {QCoreApplication::translate("Readout", "head"), {}};
        case AxisMeaning::layer:
            return {QCoreApplication::translate("Readout", "layer"), {}};
        case AxisMeaning::order:
            return {QCoreApplication::translate("Readout", "order"), {}};
        default:
            return splitTitle(axis.title);
    }
}

QString shownNumber(double value) {
    return number(value, shownDigits);
}

QString spanText(double low, double high) {
    return QCoreApplication::translate("Readout", "%1 to %2").arg(shownNumber(low), shownNumber(high));
}

QString withUnit(const QString& text, const QString& unit) {
    return unit.isEmpty() ? text : text + QLatin1Char(' ') + unit;
}

QString axisValueText(const Axis& axis, double value) {
    const double whole = std::round(value);
    if (const std::string* label = axis.labelAt(whole)) {
        const QString name = QString::fromStdString(*label);
        return axis.namesRepeat
                   ? QCoreApplication::translate("Readout", "%1 at %2", "a word and its position")
                         .arg(name, number(whole, 15))
                   : name;
    }
    return axis.wholeNumbers ? number(whole, 15) : shownNumber(value);
}

QString axisText(const Axis& axis, double value) {
    const AxisName name = nameOf(axis);
    const QString text =
        withUnit(name.name + QLatin1Char(' ') + axisValueText(axis, value), name.unit).trimmed();
    const double whole = std::round(value);
    const bool hasAside = whole >= 0.0 && whole < static_cast<double>(axis.asides.size());
    return hasAside ? text + QStringLiteral(", ") +
                          QString::fromStdString(axis.asides[static_cast<std::size_t>(whole)])
                    : text;
}

QString clockName(const Clock& clock) {
    const QString label = QString::fromStdString(clock.label);
    bool isNumber = false;
    static_cast<void>(label.toDouble(&isNumber));
    if (clock.meaning == AxisMeaning::none || !(label.isEmpty() || isNumber)) {
        return label;
    }
    Axis axis;
    axis.meaning = clock.meaning;
    return axisText(axis, clock.value);
}

QString handText(const ClockHand& hand) {
    const QString degrees = shownNumber(hand.angle * 180.0 / std::numbers::pi);
    return QStringLiteral("%1 rad (%2°)").arg(shownNumber(hand.angle), degrees);
}

QString cellSpanText(const Axis& axis, double start, double step) {
    // Pixel i of a pooled map begins at the whole number below its edge; the map starts half a cell before 0.
    constexpr double rounding = 1e-9;
    const double first = std::floor(start + 0.5 + rounding);
    const double last = std::floor(start + step + 0.5 + rounding) - 1.0;
    if (!axis.wholeNumbers && axis.labels.empty()) {
        return axisText(axis, start + step / 2.0);
    }
    if (last <= first) {
        return axisText(axis, first);
    }
    return axisText(axis, first) + QStringLiteral("–") + axisValueText(axis, last);
}

QString cellNumberText(const Heatmap& map, std::int64_t row, std::int64_t column) {
    const auto cell = static_cast<std::size_t>(row * map.columns + column);
    switch (map.stateAt(cell)) {
        case CellState::masked:
            return QCoreApplication::translate("Readout", "masked");
        case CellState::undefined:
            return QCoreApplication::translate("Readout", "undefined");
        case CellState::noKeys:
            return QCoreApplication::translate("Readout", "no visible keys");
        case CellState::aliased:
            return QCoreApplication::translate("Readout",
                                               "aliased: it turns faster than the pixels can show");
        case CellState::shown:
            break;
    }
    return shownNumber(map.values[cell]);
}

QString cellValueText(const Heatmap& map, std::int64_t row, std::int64_t column) {
    const auto cell = static_cast<std::size_t>(row * map.columns + column);
    const QString number = cellNumberText(map, row, column);
    if (map.stateAt(cell) != CellState::shown) {
        return number;
    }
    const AxisName name = splitTitle(map.valueTitle);
    return withUnit((name.name + QLatin1Char(' ') + number).trimmed(), name.unit);
}

}  // namespace phaseladder::ui
