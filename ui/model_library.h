#pragma once

#include <QList>
#include <QString>

#include "core/import/model_config.h"
#include "core/result.h"

namespace phaseladder::ui {

/// A built-in model (resources/models/ID.json): its config fields and where they were read.
struct BuiltInModel {
    QString id;     ///< lower-case letters, digits, dots and dashes
    QString label;  ///< "Llama 3.1 8B"
    QString source;
    QString note;       ///< may be empty
    QByteArray config;  ///< JSON of the fields
};

/// All built-in models, sorted by id. Read from the program's resources once.
[[nodiscard]] const QList<BuiltInModel>& builtInModels();

/// The model's settings put into a scene (its `model` is the label), or a usage error that names the nearest
/// known id. scene.layerType picks the layers of a model whose layers differ.
[[nodiscard]] Result<ModelConfig> loadBuiltInModel(const QString& id, const Scene& scene);

}  // namespace phaseladder::ui
