#pragma once

#include <QByteArray>
#include <QSize>
#include <QSizeF>
#include <QString>

#include "core/figures/figure.h"
#include "core/result.h"
#include "core/scene.h"
#include "ui/figure/figure_layout.h"

namespace phaseladder::ui {

/// What a figure file shall be.
struct ExportOptions {
    QString format = QStringLiteral("pdf");  ///< png, svg, pdf, csv, json, npy, txt
    PageOptions page;
    double dpi = 300.0;        ///< png
    bool textAsPaths = false;  ///< svg
    QString commandLine;       ///< that makes the same file; kept in the metadata
};

[[nodiscard]] QStringList exportFormats();

/// Pictures have a page; data files have numbers only.
[[nodiscard]] bool isPictureFormat(const QString& format);

/// Limits of a page, for the command line and the export dialog: a side in points (200 in), dpi, text size.
inline constexpr double mostPagePoints = 14400.0;
inline constexpr double leastDpi = 10.0, mostDpi = 4800.0;
inline constexpr double leastFontPoints = 4.0, mostFontPoints = 40.0;

/// Pixels of a PNG: inches × dpi, rounded. Above 32,767 a side refused with the memory that it would need.
[[nodiscard]] Result<QSize> pngSize(const QSizeF& sizePoints, double dpi);

/// The bytes of the file. PNG: pixels = inches × dpi (at most 32,767 a side), pHYs, scene in a text chunk.
/// PDF: points, text as text in embedded TrueType, lossless maps, scene attached. SVG: size in mm, <text> or
/// paths, scene in <metadata>. A figure that is not whole (Figure::isPartial) is refused: no file holds a
/// preview.
[[nodiscard]] Result<QByteArray> renderFigure(const Figure& figure, const Scene& scene,
                                              const ExportOptions& options);

/// Writes all or nothing (the old file stays until the new one is whole; a symbolic link's target is
/// replaced, the link kept). The message names the folder and the reason.
[[nodiscard]] Result<void> writeFileSafely(const QString& path, const QByteArray& bytes);

/// Scene JSON inside an exported PNG, SVG or PDF, or an empty array.
[[nodiscard]] QByteArray embeddedScene(const QString& path);

}  // namespace phaseladder::ui
