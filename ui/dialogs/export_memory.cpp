#include "ui/dialogs/export_memory.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "ui/settings.h"

namespace phaseladder::ui {

namespace {

constexpr qsizetype mostProjects = 20;

const QString lastState = QStringLiteral("export");
const QString projectsState = QStringLiteral("export_projects");
const QString fileKey = QStringLiteral("file");
const QString choicesKey = QStringLiteral("choices");

/// Newest first.
QJsonArray rememberedProjects(const Settings& settings) {
    return QJsonDocument::fromJson(settings.state(projectsState)).array();
}

bool isOf(const QJsonValue& entry, const QString& project) {
    return entry.toObject().value(fileKey).toString() == project;
}

}  // namespace

ExportChoices rememberedChoices(const Settings& settings, const QString& project) {
    if (!project.isEmpty()) {
        for (const QJsonValue& entry : rememberedProjects(settings)) {
            if (isOf(entry, project)) {
                return readChoices(QJsonDocument(entry.toObject().value(choicesKey).toObject()).toJson());
            }
        }
    }
    return readChoices(settings.state(lastState));
}

void rememberChoices(Settings& settings, const QString& project, const ExportChoices& choices) {
    const QByteArray written = writeChoices(choices);
    settings.setState(lastState, written);
    if (project.isEmpty()) {
        return;
    }
    QJsonArray projects{
        QJsonObject{{fileKey, project}, {choicesKey, QJsonDocument::fromJson(written).object()}}};
    for (const QJsonValue& entry : rememberedProjects(settings)) {
        if (projects.size() < mostProjects && !isOf(entry, project)) {
            projects.append(entry);
        }
    }
    settings.setState(projectsState, QJsonDocument(projects).toJson(QJsonDocument::Compact));
}

}  // namespace phaseladder::ui
