#include "core/parameter.h"
#include "core/scene_json.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/inputs.h"

namespace phaseladder::tests {

void readFuzzedScene(std::string_view bytes) {
    const Result<SceneFile> file = readScene(bytes);
    if (!file) {
        requireSentence(file.error());
        return;
    }
    require(validate(file->scene).has_value(), "an invalid scene was read");
    const std::string written = writeScene(file->scene);
    const Result<SceneFile> again = readScene(written);
    require(again.has_value(), "a written scene is refused: " + (again ? "" : again.error().message));
    require(again->scene == file->scene && writeScene(again->scene) == written,
            "a scene that is written does not come back");
}

}  // namespace phaseladder::tests
