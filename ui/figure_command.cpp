#include "ui/figure_command.h"

#include "core/parameter.h"
#include "ui/document.h"

namespace phaseladder::ui {

namespace {

/// Part, resolution and pooling of maps, where they are not those of the command line.
QStringList requestWords(const FigureRequest& request) {
    const FigureRequest usual;
    QStringList words;
    if (request.pixelColumns != usual.pixelColumns || request.pixelRows != usual.pixelRows) {
        words << QStringLiteral("--pixels")
              << QStringLiteral("%1x%2").arg(request.pixelColumns).arg(request.pixelRows);
    }
    if (request.window) {
        words << QStringLiteral("--window")
              << QStringLiteral("%1:%2,%3:%4")
                     .arg(request.window->rowBegin)
                     .arg(request.window->rowEnd)
                     .arg(request.window->columnBegin)
                     .arg(request.window->columnEnd);
    }
    if (request.pooling != usual.pooling) {
        words << QStringLiteral("--pool") << QStringLiteral("max");
    }
    return words;
}

}  // namespace

QStringList figureCommand(const SceneDocument& document, const FigureRequest& request) {
    QStringList words{QStringLiteral("phaseladder"), QStringLiteral("figure"),
                      QString::fromStdString(request.id)};
    if (!document.filePath().isEmpty() && !document.isModified()) {
        return words + QStringList{QStringLiteral("--scene"), document.filePath()} + requestWords(request);
    }
    const Scene startUp;
    for (const Parameter& row : parameters()) {
        const ParameterValue value = row.get(document.scene());
        if (value != row.get(startUp)) {
            words << QStringLiteral("--set")
                  << QString::fromStdString(row.id + '=' + formatValue(row, value));
        }
    }
    return words + requestWords(request);
}

}  // namespace phaseladder::ui
