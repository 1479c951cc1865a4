#include "ui/controls/parameter_readout.h"

#include <QCoreApplication>

#include <cmath>

#include "core/ladder/scaling.h"
#include "core/number_text.h"

namespace phaseladder::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("ParameterReadout", text);
}

}  // namespace

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

QString consequenceOf(std::string_view parameterId, const Scene& scene) {
    if (parameterId != "rope.theta") {
        return {};
    }
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
    return tr("longest wavelength %1 tokens").arg(number);
}

QString unitText(std::string_view parameterId, std::string_view unit, const Scene& scene) {
    if (parameterId == "head") {
        return tr("of %1").arg(scene.heads);
    }
    return QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()));
}

QString alphaText(double factor) {
    if (factor == std::floor(factor) && factor < 1e6) {
        return factor == 1.0 ? QStringLiteral("1") : QStringLiteral("1/%1").arg(std::lround(factor));
    }
    return QString::fromStdString(formatForPeople(1.0 / factor, 4));
}

}  // namespace phaseladder::ui
