#include "core/attention/captured_scene.h"

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/encodings/absolute.h"
#include "core/import/capture.h"
#include "core/import/read_file.h"
#include "core/parameter.h"

namespace phaseladder {
namespace {

using SharedCapture = std::shared_ptr<const Capture>;

void moveStartUpChoice(int& token, int startUp, std::int64_t first, std::int64_t count) {
    if (token == startUp && (token < first || token >= first + count)) {
        token = static_cast<int>(first);
    }
}

}  // namespace

Result<Scene> withCapture(Scene scene) {
    if (!hasCapture(scene)) {
        return scene;
    }
    const Result<SharedCapture> capture = openCapture(scene.capture);
    if (!capture) {
        return tl::unexpected(capture.error());
    }
    const CaptureArrays& arrays = (*capture)->arrays;
    for (const auto& [id, value] :
         {std::pair("head_dim", arrays.queries.channels), std::pair("heads", arrays.queries.heads)}) {
        const Result<const Parameter*> row = requireParameter(id);
        if (const Result<void> set = setParameter(scene, **row, static_cast<double>(value)); !set) {
            return fail(ErrorKind::invalidInput,
                        quotedPath(scene.capture.queries) + ": " + set.error().message);
        }
    }
    if (scene.tokens != (*capture)->tokens) {
        const Parameter& row = *findParameter("tokens");
        if (const Result<void> set = setParameter(scene, row, (*capture)->tokens); !set) {
            return fail(ErrorKind::invalidInput,
                        quotedPath(scene.capture.labels) + ": " + set.error().message);
        }
    }
    moveStartUpChoice(scene.view.token, ViewSettings{}.token, scene.capture.rowOffset, arrays.queries.tokens);
    moveStartUpChoice(scene.view.key, ViewSettings{}.key, scene.capture.columnOffset, arrays.keys.tokens);
    return scene;
}

bool followsCapture(std::string_view parameterId) {
    return parameterId == "tokens" || parameterId == "heads" || parameterId == "head_dim";
}

Result<void> followCapture(Scene& scene, std::span<const std::string> changedIds) {
    const bool concernsFiles = std::ranges::any_of(
        changedIds, [](const std::string& id) { return id.starts_with("capture.") || followsCapture(id); });
    if (!hasCapture(scene) || !concernsFiles) {
        return {};
    }
    Result<Scene> followed = withCapture(scene);
    if (!followed) {
        return tl::unexpected(followed.error());
    }
    for (const std::string& id : changedIds) {
        const Parameter* row = findParameter(id);
        if (row == nullptr || !followsCapture(id) || row->get(scene) == row->get(*followed)) {
            continue;
        }
        return fail(ErrorKind::usage,
                    id == "tokens" ? "tokens are those of the captured heads: name them in capture.labels."
                                   : fmt::format("{} is that of the captured heads, {} (got {}).", id,
                                                 formatValue(*row, row->get(*followed)),
                                                 formatValue(*row, row->get(scene))));
    }
    scene = *std::move(followed);
    return {};
}

OpenedCapture reopenHeads(Scene scene) {
    Result<Scene> followed = withCapture(scene);
    const Result<void> fits = followed ? validate(*followed) : Result<void>(tl::unexpected(followed.error()));
    return fits ? OpenedCapture{*std::move(followed), {}}
                : OpenedCapture{std::move(scene), {fits.error().message}};
}

Result<OpenedCapture> openHeads(Scene scene, CaptureSettings settings) {
    OpenedCapture opened;
    if (const std::vector<std::string> queries = capturedQueries(settings.queries);
        queries.size() > 1 && settings.queryTensor.empty()) {
        settings.queryTensor = queries.front();
        opened.notes.push_back(fmt::format("{} tensors look like queries: {} is shown (Query tensor).",
                                           queries.size(), queries.front()));
    }
    scene.capture = std::move(settings);
    scene.order.clear();
    scene.textLength = 0;
    scene.content.clear();
    scene.layers = 1;
    scene.head = 0;
    scene.view.heads.clear();
    scene.view.token = ViewSettings().token;
    scene.view.key = ViewSettings().key;
    if (isAbsolute(scene)) {
        scene.encoding = Scene().encoding;
        opened.notes.emplace_back(
            "RoPE is chosen: rows of positions cannot act on captured queries and keys.");
    }
    Result<Scene> followed = withCapture(std::move(scene));
    if (!followed) {
        return tl::unexpected(followed.error());
    }
    if (const Result<void> valid = validate(*followed); !valid) {
        return tl::unexpected(valid.error());
    }
    if (const Result<SharedCapture> capture = openCapture(followed->capture)) {
        for (const std::vector<std::string>* sentences : {&(*capture)->warnings, &(*capture)->notes}) {
            opened.notes.insert(opened.notes.end(), sentences->begin(), sentences->end());
        }
    }
    opened.scene = *std::move(followed);
    return opened;
}

}  // namespace phaseladder
