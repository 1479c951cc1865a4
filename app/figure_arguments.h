#pragma once

#include <QString>
#include <QStringList>

#include <optional>

#include "app/backend_options.h"
#include "app/scene_options.h"
#include "core/figures/figure_list.h"
#include "core/result.h"
#include "ui/figure/figure_style.h"

namespace phaseladder::app {

/// Everything `figure` was told, checked.
struct FigureArguments {
    bool asksForHelp = false;  // the rest is not read then
    SceneOptions scene;
    PinOptions pin;  // what the request compares with, read when the scene is known
    FigureRequest request;
    QString commandLine;             // as figures keep it: no folders
    QStringList zooms, colorRanges;  // checked against the figure, when there is one
    QString output;
    QString caption;               // file of the caption's draft; empty: none
    std::optional<QString> title;  // empty: no title; absent: the figure's own
    QString format;
    BackendOptions backends;
    ui::StyleKind style = ui::StyleKind::print;
    QString colormap;
    QString font;  // empty: the bundled one; checked when there is an application
    double widthPoints = 396.0;
    double heightPoints = 0.0;  // 0: from the figure's number of panels
    double dpi = 300.0;
    double fontPoints = 9.0;
    bool transparent = false;
    bool textAsPaths = false;
    bool showLegend = true;
    bool showPanelLetters = false;
};

/// Reads the arguments behind `figure`; the first refusal wins.
[[nodiscard]] Result<FigureArguments> readFigureArguments(const QStringList& arguments);

}  // namespace phaseladder::app
