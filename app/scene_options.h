#pragma once

#include <QString>
#include <QStringList>

#include <string>
#include <vector>

#include "core/result.h"
#include "core/scene.h"

namespace phaseladder::app {

/// Where a command's scene comes from: at most one of the first three, then the settings in order.
struct SceneOptions {
    QString sceneFile;  ///< by what it is: a scene, a model's config.json, or a text
    QString configFile;
    QString model;
    QStringList settings;  ///< "ID=VALUE"
};

struct ChosenScene {
    Scene scene;
    std::vector<std::string> notes, warnings;  ///< of the file or model
};

[[nodiscard]] Result<ChosenScene> chooseScene(const SceneOptions& options);

/// What a figure is compared with: a file, then the settings in order. Neither: nothing.
struct PinOptions {
    QString file;          ///< likewise; a config keeps the text of the live scene, a text its settings
    QStringList settings;  ///< "ID=VALUE"; without a file they change the live scene

    [[nodiscard]] bool isEmpty() const { return file.isEmpty() && settings.isEmpty(); }
};

[[nodiscard]] Result<ChosenScene> choosePin(const PinOptions& options, const Scene& live);

}  // namespace phaseladder::app
