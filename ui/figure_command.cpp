#include "ui/figure_command.h"

#include "core/parameter.h"
#include "ui/dialogs/export_choices.h"
#include "ui/document.h"

namespace phaseladder::ui {

QString figureCommand(const SceneDocument& document, const QString& figureId) {
    QString command = QStringLiteral("phaseladder figure ") + shellWord(figureId);
    if (!document.filePath().isEmpty() && !document.isModified()) {
        return command + QStringLiteral(" --scene ") + shellWord(document.filePath());
    }
    const Scene startUp;
    for (const Parameter& row : parameters()) {
        const ParameterValue value = row.get(document.scene());
        if (value != row.get(startUp)) {
            command += QStringLiteral(" --set ") +
                       shellWord(QString::fromStdString(row.id + '=' + formatValue(row, value)));
        }
    }
    return command;
}

}  // namespace phaseladder::ui
