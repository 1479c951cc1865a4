#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/figures/figure.h"
#include "core/scene.h"

namespace phaseladder {

/// One header line, comma, '.', \n, shortest form that reads back; infinity is inf, no value is empty. A
/// figure with a table writes its columns, else its matrix as row,column,value.
[[nodiscard]] std::string writeCsv(const Figure& figure);

/// Top-level keys id, title, panels, readouts, notes, warnings, scene, version. Infinity and no value are
/// null.
[[nodiscard]] std::string writeJson(const Figure& figure, const Scene& scene);

/// NumPy format 1.0, little-endian float64, C order: the figure's matrix, else its table as rows × columns.
[[nodiscard]] std::vector<std::uint8_t> writeNpy(const Figure& figure);

/// Canonical dump for tests and diffs: every axis, layer, readout and note, one a line, numbers to 12
/// significant digits.
[[nodiscard]] std::string writeCanonicalText(const Figure& figure);

/// The letter of a panel of a figure with several: "(a)", "(b)" ….
[[nodiscard]] std::string panelLetter(std::size_t index);

enum class PanelLetters { hidden, shown };

/// A draft of a caption in plain sentences and one line: what the figure shows, its panels where letters name
/// them, the model, the settings that differ from the start-up scene and have a part in the figure, the
/// readouts, the program with its version.
[[nodiscard]] std::string writeCaption(const Figure& figure, const Scene& scene, PanelLetters letters);

}  // namespace phaseladder
