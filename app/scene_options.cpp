#include "app/scene_options.h"

#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "core/import/model_config.h"
#include "core/import/read_file.h"
#include "core/parameter.h"
#include "core/scene_json.h"
#include "ui/model_library.h"

namespace phaseladder::app {
namespace {

using Setting = std::pair<std::string, std::string>;

constexpr std::size_t maximumSceneBytes = 16u << 20;

Result<std::vector<Setting>> splitSettings(const QStringList& settings) {
    std::vector<Setting> pairs;
    for (const QString& setting : settings) {
        const qsizetype equals = setting.indexOf(QLatin1Char('='));
        if (equals <= 0) {
            return fail(ErrorKind::usage,
                        fmt::format("--set must be ID=VALUE, got \"{}\".", setting.toStdString()));
        }
        pairs.emplace_back(setting.first(equals).toStdString(), setting.sliced(equals + 1).toStdString());
    }
    return pairs;
}

std::filesystem::path filePath(const QString& path) {
    return std::filesystem::path(path.toStdString());
}

Result<ChosenScene> sceneFromModel(Result<ModelConfig> config) {
    if (!config) {
        return tl::unexpected(config.error());
    }
    return ChosenScene{std::move(config->scene), std::move(config->notes), std::move(config->warnings)};
}

Result<ChosenScene> startingScene(const SceneOptions& options, const std::string& layerType) {
    Scene start;
    start.layerType = layerType;
    if (!options.sceneFile.isEmpty()) {
        const Result<std::string> text = readFile(filePath(options.sceneFile), maximumSceneBytes);
        if (!text) {
            return tl::unexpected(text.error());
        }
        Result<SceneFile> file = readScene(*text);
        if (!file) {
            return tl::unexpected(file.error());
        }
        return ChosenScene{std::move(file->scene), {}, std::move(file->warnings)};
    }
    if (!options.configFile.isEmpty()) {
        const Result<std::string> text = readFile(filePath(options.configFile), maximumConfigBytes);
        if (!text) {
            return tl::unexpected(text.error());
        }
        return sceneFromModel(readModelConfig(*text, start, layerType));
    }
    if (!options.model.isEmpty()) {
        return sceneFromModel(ui::loadBuiltInModel(options.model, start));
    }
    return ChosenScene{start, {}, {}};
}

}  // namespace

Result<ChosenScene> chooseScene(const SceneOptions& options) {
    const int starts = int(!options.sceneFile.isEmpty()) + int(!options.configFile.isEmpty()) +
                       int(!options.model.isEmpty());
    if (starts > 1) {
        return fail(ErrorKind::usage, "At most one of --scene, --config and --model can be given.");
    }
    const Result<std::vector<Setting>> settings = splitSettings(options.settings);
    if (!settings) {
        return tl::unexpected(settings.error());
    }
    std::string layerType = Scene().layerType;  // a file that differs by layer is read for one of its types
    for (const auto& [id, value] : *settings) {
        if (id == "layer_type") {
            layerType = value;
        }
    }
    Result<ChosenScene> chosen = startingScene(options, layerType);
    if (!chosen) {
        return chosen;
    }
    Result<Scene> scene = applySettings(chosen->scene, *settings);
    if (!scene) {
        return tl::unexpected(scene.error());
    }
    chosen->scene = std::move(*scene);
    return chosen;
}

}  // namespace phaseladder::app
