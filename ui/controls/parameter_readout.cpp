#include "ui/controls/parameter_readout.h"

#include <QObject>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

#include "core/encodings/learned.h"
#include "core/encodings/rope_axes.h"
#include "core/ladder/scaling.h"
#include "core/number_text.h"

namespace phaseladder::ui {

std::optional<double> valueBehindZero(std::string_view parameterId, const Scene& scene) {
    if (parameterId == "scaling.attention_factor") {
        const Result<SceneLadders> ladders = sceneLadders(scene);
        return ladders ? std::optional(ladders->scaled.ladder.attentionFactor) : std::nullopt;
    }
    if (parameterId == "scaling.original_length") {
        return static_cast<double>(originalLength(scene));
    }
    if (parameterId == "rope.dim") {
        return rotaryDim(scene);
    }
    if (parameterId == "text.length") {
        return static_cast<double>(scene.tokens.size());
    }
    return std::nullopt;
}

namespace {

QString longestWavelength(const Scene& scene) {
    const int dim = rotaryDim(scene);
    if (dim < 2) {
        return {};
    }
    const Ladder ladder = plainLadder(scene.rope.theta, dim);
    const double longest = wavelengthTokens(ladder.inverseFrequency.back());
    const QString number = longest < 1e5 ? QString::fromStdString(formatForPeople(longest, 3))
                                         : QString::number(longest, 'e', 1)
                                               .replace(QStringLiteral("e+0"), QStringLiteral("e"))
                                               .replace(QStringLiteral("e+"), QStringLiteral("e"));
    return QObject::tr("longest wavelength %1 tokens").arg(number);
}

/// How many pairs a ramp keeps, blends and divides.
QString rampCounts(const Scene& scene) {
    const Result<SceneLadders> ladders = sceneLadders(scene);
    if (!ladders || ladders->scaled.keptShare.empty()) {
        return {};
    }
    const std::vector<double>& shares = ladders->scaled.keptShare;
    const auto kept = std::count(shares.begin(), shares.end(), 1.0);
    const auto divided = std::count(shares.begin(), shares.end(), 0.0);
    const auto all = static_cast<std::ptrdiff_t>(shares.size());
    return QObject::tr("%1 pairs kept, %2 blended, %3 divided")
        .arg(kept)
        .arg(all - kept - divided)
        .arg(divided);
}

QString targetOverTrained(const Scene& scene) {
    const double ratio = static_cast<double>(scene.length.target) / static_cast<double>(scene.length.trained);
    return QObject::tr("%1 × the trained length").arg(QString::fromStdString(formatForPeople(ratio, 4)));
}

/// "16 + 24 + 24 = 64 of 64 pairs".
QString sectionSum(const Scene& scene) {
    QStringList texts;
    double sum = 0.0;
    for (const double section : numbersOf("rope.sections", scene)) {
        texts.append(QString::number(section));
        sum += section;
    }
    return QObject::tr("%1 = %2 of %3 pairs")
        .arg(texts.join(QStringLiteral(" + ")))
        .arg(sum)
        .arg(rotaryDim(scene) / 2);
}

QString logitsTimes(const Scene& scene) {
    const Result<SceneLadders> ladders = sceneLadders(scene);
    if (!ladders || ladders->scaled.ladder.attentionFactor == 1.0) {
        return {};
    }
    const double factor = ladders->scaled.ladder.attentionFactor;
    return QObject::tr("logits of rotated channels × %1")
        .arg(QString::fromStdString(formatForPeople(factor * factor, 5)));
}

}  // namespace

std::vector<double> numbersOf(std::string_view parameterId, const Scene& scene) {
    if (parameterId != "rope.sections") {
        return {};
    }
    const std::vector<int> sections = mropeSections(scene, rotaryDim(scene) / 2);
    return {sections.begin(), sections.end()};
}

QString problemOf(std::string_view parameterId, const Scene& scene) {
    if (parameterId != "learned.table" || scene.learned.table.empty()) {
        return {};
    }
    const Result<LearnedTable> table = knownLearnedTable(scene);
    return table ? QString() : QString::fromStdString(table.error().message);
}

QString consequenceOf(std::string_view parameterId, const Scene& scene) {
    if (parameterId == "rope.theta") {
        return longestWavelength(scene);
    }
    if (parameterId == "scaling.beta_slow" || parameterId == "scaling.low_freq_factor") {
        return rampCounts(scene);
    }
    if (parameterId == "scaling.attention_factor") {
        return logitsTimes(scene);
    }
    if (parameterId == "rope.sections") {
        return sectionSum(scene);
    }
    return parameterId == "length.target" ? targetOverTrained(scene) : QString();
}

QString unitText(std::string_view parameterId, std::string_view unit, const Scene& scene) {
    if (parameterId == "head") {
        return QObject::tr("of %1").arg(scene.heads);
    }
    return QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()));
}

QString listText(const Parameter& row, const std::vector<double>& list) {
    constexpr std::size_t longestShown = 14;  // bytes
    if (list.empty() && !row.zeroText.empty()) {
        return QString::fromStdString(row.zeroText);
    }
    const std::string text = formatValue(row, list);
    if (!list.empty() && text.size() <= longestShown) {
        return QString::fromStdString(text);
    }
    return list.size() == 1 ? QObject::tr("1 number") : QObject::tr("%1 numbers").arg(list.size());
}

QString valueText(const Parameter& row, const ParameterValue& value) {
    if (const bool* on = std::get_if<bool>(&value)) {
        return *on ? QObject::tr("on") : QObject::tr("off");
    }
    if (const std::string* id = std::get_if<std::string>(&value)) {
        const auto choice = std::find_if(row.choices.begin(), row.choices.end(),
                                         [id](const Choice& one) { return one.id == *id; });
        return QString::fromStdString(choice == row.choices.end() ? *id : choice->label);
    }
    if (const auto* numbers = std::get_if<std::vector<double>>(&value)) {
        return listText(row, *numbers);
    }
    const double* number = std::get_if<double>(&value);
    if (number == nullptr) {
        return {};
    }
    if (*number == 0.0 && !row.zeroText.empty()) {
        return QString::fromStdString(row.zeroText);
    }
    return QString::fromStdString(formatForPeople(*number, 12));
}

QString alphaText(double factor) {
    if (factor == std::floor(factor) && factor < 1e6) {
        return factor == 1.0 ? QStringLiteral("1") : QStringLiteral("1/%1").arg(std::lround(factor));
    }
    return QString::fromStdString(formatForPeople(1.0 / factor, 4));
}

}  // namespace phaseladder::ui
