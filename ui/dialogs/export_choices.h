#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "core/figures/figure.h"
#include "ui/figure/figure_files.h"

namespace phaseladder::ui {

/// How the height of a page follows from its width.
enum class HeightRule { suited, golden, fourToThree, free };

/// Ids of the height rules, in order: "suited", "golden", "4:3", "free".
[[nodiscard]] QStringList heightRuleNames();

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
    QString font;  ///< of figureFonts(); empty: the bundled one
    double fontPoints = 9.0;
    QString style = QStringLiteral("print");  ///< light, dark, print
    QString colormap = QStringLiteral("viridis");
    bool transparent = false;
    bool textAsPaths = false;
    bool showLegend = true;
    bool showPanelLetters = false;
    bool showTitle = true;
    QString title;   ///< empty: the figure's own
    QString folder;  ///< of the last file

    friend bool operator==(const ExportChoices&, const ExportChoices&) = default;
};

/// Height over width that a rule keeps when either is typed; 0 for the rules that keep none.
[[nodiscard]] double lockedRatio(HeightRule rule);

/// Sets the height by the rule, to a thousandth of the unit; leaves a free height alone.
void applyHeightRule(ExportChoices& choices, const Figure& figure);

[[nodiscard]] ExportOptions exportOptions(const ExportChoices& choices);

/// The words of a command that makes the same file: the given start ("phaseladder figure ladder --model
/// llama-3.1-8b") and the choices as options.
[[nodiscard]] QStringList exportCommand(const QStringList& start, const ExportChoices& choices,
                                        const QString& path);

/// For the settings file and back; what is missing or out of range keeps its default. The title is not
/// remembered.
[[nodiscard]] QByteArray writeChoices(const ExportChoices& choices);
[[nodiscard]] ExportChoices readChoices(const QByteArray& json);

}  // namespace phaseladder::ui
