#include "ui/model_library.h"

#include <algorithm>
#include <vector>

#include <QDir>
#include <QFile>

#include <fmt/format.h>

#include "core/import/checked_json.h"
#include "core/import/text.h"
#include "core/nearest_name.h"
#include "ui/resources.h"

namespace phaseladder::ui {

namespace {

QString textOf(const nlohmann::ordered_json& object, const char* key) {
    return QString::fromStdString(object.value(key, std::string()));
}

/// Our own resources: a file that cannot be read is a programmer's mistake, which the tests find.
BuiltInModel readModel(const QString& path) {
    QFile file(path);
    const bool opened = file.open(QIODevice::ReadOnly);
    Q_ASSERT(opened);
    const Result<nlohmann::ordered_json> json =
        parseCheckedJson(opened ? file.readAll().toStdString() : std::string("{}"), maximumConfigBytes);
    Q_ASSERT(json.has_value());
    return {.id = textOf(*json, "id"),
            .label = textOf(*json, "label"),
            .source = textOf(*json, "source"),
            .note = textOf(*json, "note"),
            .config = QByteArray::fromStdString(json->at("config").dump())};
}

QList<BuiltInModel> readModels() {
    loadResources();
    QList<BuiltInModel> models;
    const QDir folder(QStringLiteral(":/models"));
    for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files)) {
        models.append(readModel(folder.filePath(name)));
    }
    std::ranges::sort(models, {}, &BuiltInModel::id);
    return models;
}

}  // namespace

const QList<BuiltInModel>& builtInModels() {
    static const QList<BuiltInModel> models = readModels();
    return models;
}

Result<ModelConfig> loadBuiltInModel(const QString& id, const Scene& scene) {
    const QList<BuiltInModel>& models = builtInModels();
    const auto model = std::ranges::find(models, id, &BuiltInModel::id);
    if (model == models.end()) {
        std::vector<std::string> ids;
        std::ranges::transform(models, std::back_inserter(ids),
                               [](const BuiltInModel& known) { return known.id.toStdString(); });
        return fail(ErrorKind::usage,
                    fmt::format("Unknown model {}{}; `phaseladder list models` names all.",
                                quotedText(id.toStdString()), didYouMean(id.toStdString(), ids)));
    }
    Result<ModelConfig> config = readModelConfig(model->config.toStdString(), scene, scene.layerType);
    if (config) {
        config->scene.model = model->label.toStdString();
        if (!model->note.isEmpty()) {
            config->notes.insert(config->notes.begin(), model->note.toStdString());
        }
    }
    return config;
}

}  // namespace phaseladder::ui
