#pragma once

#include <QByteArray>

#include "ui/figure/figure_layout.h"

namespace phaseladder::ui {

enum class SvgText { text, paths };

/// What an SVG file carries besides its picture.
struct SvgMetadata {
    QString commandLine;  ///< that makes the same file; may be empty
    QByteArray sceneJson;
};

/// A laid-out figure as SVG 1.1, sized in millimetres with 1 pt as the user unit. Data is cut by a clip path
/// for each plot, a curve is one path, maps are PNG images with hard edges. Valid XML for any title.
[[nodiscard]] QByteArray writeSvg(const LaidOutFigure& page, SvgText text, const SvgMetadata& metadata);

/// The scene of a file that writeSvg made, or an empty array.
[[nodiscard]] QByteArray sceneInSvg(const QByteArray& svg);

}  // namespace phaseladder::ui
