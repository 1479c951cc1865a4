#pragma once

#include <QString>
#include <QStringList>

#include <optional>

#include "core/parameter.h"
#include "ui/controls/slider_mapping.h"

namespace phaseladder::ui {

/// What a person changed of a row's slider: how it is shown and moved, never what the scene may hold. What is
/// absent is the table's own; without a step, an arrow key moves a twentieth of the way.
struct SliderChange {
    std::optional<double> minimum;
    std::optional<double> maximum;
    std::optional<double> step;  ///< in the parameter's unit
    std::optional<SliderScale> scale;

    friend bool operator==(const SliderChange&, const SliderChange&) = default;
};

/// Why a slider cannot be like this, in one sentence with the name, the value seen and the limit; empty when
/// it can. The limits are the table's hard ones.
[[nodiscard]] QString refusalOf(const Parameter& row, const SliderChange& change);

/// The row's slider with the change. A changed range or scale gets ticks of its own.
[[nodiscard]] SliderMapping mappingOf(const Parameter& row, const SliderChange& change);

/// The change without what is the table's own anyway.
[[nodiscard]] SliderChange withoutOwn(const Parameter& row, SliderChange change);

/// Minimum, maximum, step and scale as the settings hold them ("" where absent), and back; what cannot be
/// read is absent.
[[nodiscard]] QStringList textsOf(const SliderChange& change);
[[nodiscard]] SliderChange sliderChangeFrom(const QStringList& texts);

/// "linear", "log10", "log2"; "linear" for none.
[[nodiscard]] QString scaleId(SliderScale scale);
[[nodiscard]] std::optional<SliderScale> scaleOf(const QString& id);

}  // namespace phaseladder::ui
