#include "ui/figure_command.h"

#include "core/attention/captured_scene.h"
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

/// Every setting of `wanted` that `start` does not have, in the table's order, as `option ID=VALUE`. Rows may
/// change others, so each is looked at behind those before it.
QStringList settingWords(const QString& option, const Scene& start, const Scene& wanted) {
    QStringList words;
    Scene reached = start;
    for (const Parameter& row : parameters()) {
        const ParameterValue value = row.get(wanted);
        const bool isOfFiles = hasCapture(wanted) && followsCapture(row.id);
        if (value != row.get(reached) && !isOfFiles) {
            row.set(reached, value);
            words << option << QString::fromStdString(row.id + '=' + formatValue(row, value));
        }
    }
    return words;
}

/// The pinned scene as what it differs in from the live one, and what is shown of the two.
QStringList comparisonWords(const FigureRequest& request, const Scene& live) {
    if (!request.pinned) {
        return {};
    }
    const QString option = QStringLiteral("--pin-set");
    QStringList words = settingWords(option, live, *request.pinned);
    if (words.isEmpty()) {
        words << option << QString::fromStdString("encoding=" + live.encoding);
    }
    const bool isPinned = request.compare == CompareMode::pinned;
    if (request.compare != CompareMode::live) {
        words << QStringLiteral("--compare") << (isPinned ? QStringLiteral("a") : QStringLiteral("delta"));
    }
    return words;
}

}  // namespace

QStringList figureCommand(const SceneDocument& document, const FigureRequest& request) {
    QStringList words{QStringLiteral("phaseladder"), QStringLiteral("figure"),
                      QString::fromStdString(request.id)};
    if (!document.filePath().isEmpty() && !document.isModified()) {
        words << QStringLiteral("--scene") << document.filePath();
    } else {
        words += settingWords(QStringLiteral("--set"), Scene(), document.scene());
    }
    return words + comparisonWords(request, document.scene()) + requestWords(request);
}

}  // namespace phaseladder::ui
