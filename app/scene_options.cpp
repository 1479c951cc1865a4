#include "app/scene_options.h"

#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/attention/captured_scene.h"
#include "core/import/model_config.h"
#include "core/import/read_file.h"
#include "core/import/text.h"
#include "core/parameter.h"
#include "core/scene_json.h"
#include "ui/model_library.h"

namespace phaseladder::app {
namespace {

using Setting = std::pair<std::string, std::string>;

constexpr std::size_t maximumSceneBytes = 16u << 20;

Result<std::vector<Setting>> splitSettings(const char* option, const QStringList& settings) {
    std::vector<Setting> pairs;
    for (const QString& setting : settings) {
        const qsizetype equals = setting.indexOf(QLatin1Char('='));
        if (equals <= 0) {
            return fail(ErrorKind::usage,
                        fmt::format("{} must be ID=VALUE, got \"{}\".", option, setting.toStdString()));
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

Result<ChosenScene> sceneFromText(std::string_view text) {
    Result<SceneFile> file = readScene(text);
    if (!file) {
        return tl::unexpected(file.error());
    }
    OpenedCapture opened = reopenHeads(std::move(file->scene));
    file->warnings.insert(file->warnings.end(), opened.notes.begin(), opened.notes.end());
    return ChosenScene{std::move(opened.scene), {}, std::move(file->warnings)};
}

Result<ChosenScene> sceneFromWords(const std::filesystem::path& path, const Scene& base) {
    // One byte more than allowed: the text's own sentence names the limit.
    const Result<std::string> text = readFile(path, maximumTextBytes + 1);
    if (!text) {
        return tl::unexpected(text.error());
    }
    Result<TokenText> words = readTokens(*text);
    if (!words) {
        return tl::unexpected(words.error());
    }
    return ChosenScene{withWords(base, std::move(words->tokens)), {}, std::move(words->warnings)};
}

/// A file by what it is: a scene; or a model's config.json or the words of a .txt, which keep the rest of
/// `base`.
Result<ChosenScene> sceneFromFile(const QString& file, const Scene& base, const std::string& layerType) {
    if (file.endsWith(QLatin1String(".txt"), Qt::CaseInsensitive)) {
        return sceneFromWords(filePath(file), base);
    }
    const Result<std::string> text = readFile(filePath(file), maximumSceneBytes);
    if (!text) {
        return tl::unexpected(text.error());
    }
    return looksLikeModelConfig(*text) ? sceneFromModel(readModelConfig(*text, base, layerType))
                                       : sceneFromText(*text);
}

/// A file for a model that differs by layer is read for one of its types.
std::string layerTypeOf(const std::vector<Setting>& settings, std::string layerType) {
    for (const auto& [id, value] : settings) {
        if (id == "layer_type") {
            layerType = value;
        }
    }
    return layerType;
}

Result<ChosenScene> withSettings(Result<ChosenScene> chosen, const std::vector<Setting>& settings) {
    if (!chosen) {
        return chosen;
    }
    Result<Scene> scene = applySettings(chosen->scene, settings);
    if (!scene) {
        return tl::unexpected(scene.error());
    }
    chosen->scene = std::move(*scene);
    return chosen;
}

Result<ChosenScene> startingScene(const SceneOptions& options, const std::string& layerType) {
    Scene start;
    start.layerType = layerType;
    if (!options.sceneFile.isEmpty()) {
        return sceneFromFile(options.sceneFile, start, layerType);
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
    const Result<std::vector<Setting>> settings = splitSettings("--set", options.settings);
    if (!settings) {
        return tl::unexpected(settings.error());
    }
    return withSettings(startingScene(options, layerTypeOf(*settings, Scene().layerType)), *settings);
}

Result<ChosenScene> choosePin(const PinOptions& options, const Scene& live) {
    const Result<std::vector<Setting>> settings = splitSettings("--pin-set", options.settings);
    if (!settings) {
        return tl::unexpected(settings.error());
    }
    if (options.file.isEmpty()) {
        return withSettings(ChosenScene{live, {}, {}}, *settings);
    }
    return withSettings(sceneFromFile(options.file, live, layerTypeOf(*settings, live.layerType)), *settings);
}

}  // namespace phaseladder::app
