#pragma once

#include <QString>

#include <span>

namespace phaseladder::ui {

/// A width and text size that a journal or conference asks for.
struct PagePreset {
    const char* id;
    const char* label;
    const char* unit;  ///< in, mm
    double width;      ///< in that unit
    double fontPoints;
    const char* source;
    double mostHeight = 0.0;  ///< in that unit; 0: no limit is known
};

[[nodiscard]] std::span<const PagePreset> pagePresets();

/// Null when there is none of that id.
[[nodiscard]] const PagePreset* findPagePreset(const QString& id);

/// Points of a length unit ("in", "mm", "pt"; 72 points are an inch). An unknown unit gives points.
[[nodiscard]] double pointsPerUnit(const QString& unit);

}  // namespace phaseladder::ui
