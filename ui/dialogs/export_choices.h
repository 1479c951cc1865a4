#pragma once

#include <QByteArray>
#include <QString>

#include "core/figures/figure.h"
#include "ui/figure/figure_files.h"

namespace phaseladder::ui {

/// How the height of a page follows from its width.
enum class HeightRule { suited, golden, free };

/// Everything that the export dialog asks for. Lengths are kept in their unit, so that the command line says
/// what the person said.
struct ExportChoices {
    QString format = QStringLiteral("pdf");
    QString preset = QStringLiteral("neurips");  ///< empty: own size
    QString unit = QStringLiteral("in");         ///< in, mm, pt
    double width = 5.5;
    double height = 3.4;
    HeightRule heightRule = HeightRule::suited;
    double dpi = 300.0;
    double fontPoints = 9.0;
    QString style = QStringLiteral("print");  ///< light, dark, print
    QString colormap = QStringLiteral("viridis");
    bool transparent = false;
    bool textAsPaths = false;
    bool showTitle = true;
    QString title;   ///< empty: the figure's own
    QString folder;  ///< of the last file

    friend bool operator==(const ExportChoices&, const ExportChoices&) = default;
};

/// Sets the height by the rule, to a thousandth of the unit; leaves a free height alone.
void applyHeightRule(ExportChoices& choices, const Figure& figure);

[[nodiscard]] ExportOptions exportOptions(const ExportChoices& choices);

/// A command that makes the same file: the given start ("phaseladder figure ladder --model llama-3.1-8b") and
/// the choices as options.
[[nodiscard]] QString exportCommand(const QString& start, const ExportChoices& choices, const QString& path);

/// A word for a POSIX shell, in quotes where it needs them.
[[nodiscard]] QString shellWord(const QString& text);

/// For the settings file and back; what is missing or out of range keeps its default. The title is not
/// remembered.
[[nodiscard]] QByteArray writeChoices(const ExportChoices& choices);
[[nodiscard]] ExportChoices readChoices(const QByteArray& json);

}  // namespace phaseladder::ui
