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
    QString sceneFile;
    QString configFile;
    QString model;
    QStringList settings;  ///< "ID=VALUE"
};

struct ChosenScene {
    Scene scene;
    std::vector<std::string> notes, warnings;  ///< of the file or model
};

[[nodiscard]] Result<ChosenScene> chooseScene(const SceneOptions& options);

}  // namespace phaseladder::app
