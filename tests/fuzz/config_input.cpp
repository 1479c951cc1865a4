#include "core/import/model_config.h"
#include "core/scene_json.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/inputs.h"

namespace phaseladder::tests {

void readFuzzedConfig(std::string_view bytes) {
    static_cast<void>(looksLikeModelConfig(bytes));
    const Result<ModelConfig> model = readModelConfig(bytes, Scene());
    if (!model) {
        requireSentence(model.error());
        return;
    }
    require(validate(model->scene).has_value(), "an invalid scene came from a config");
    const Result<SceneFile> file = readScene(writeScene(model->scene));
    require(file.has_value() && file->scene == model->scene, "the scene of a config cannot be saved");
    for (const std::string& layerType : model->layerTypes) {
        const Result<ModelConfig> layer = readModelConfig(bytes, Scene(), layerType);
        if (!layer) {
            requireSentence(layer.error());
        }
    }
}

}  // namespace phaseladder::tests
