#include "core/attention/captured.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "core/import/model_config.h"
#include "core/import/read_file.h"
#include "core/index.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

using SharedCapture = std::shared_ptr<const Capture>;

/// The capture of a scene that fits it.
Result<SharedCapture> fittingCapture(const Scene& scene, FileLook look = FileLook::now) {
    Result<SharedCapture> capture = openCapture(scene.capture, look);
    if (!capture) {
        return capture;
    }
    const CaptureArray& queries = (*capture)->arrays.queries;
    const auto tokens = static_cast<std::int64_t>(scene.tokens.size());
    if (queries.heads == scene.heads && queries.channels == scene.headDim &&
        (*capture)->positions() == tokens) {
        return capture;
    }
    return fail(
        ErrorKind::invalidInput,
        fmt::format("The scene has {} heads of {} channels and {} tokens, the captured heads are {} of "
                    "{} and {}: open the file again.",
                    scene.heads, scene.headDim, formatGrouped(tokens), queries.heads, queries.channels,
                    formatGrouped((*capture)->positions())));
}

/// What the files hold, whatever the scene's order and length.
MapShape shapeOf(const Capture& capture, const CaptureSettings& settings) {
    return {capture.arrays.queries.tokens, capture.arrays.keys.tokens, settings.rowOffset,
            settings.columnOffset};
}

/// What turned rows that were taken after RoPE: the ladder of a config.json, or a plain one.
Result<PairRotation> turningOf(const Scene& scene, std::int64_t positions) {
    Scene turned;
    turned.headDim = scene.headDim;
    turned.rope.theta = scene.capture.theta;
    if (!scene.capture.config.empty()) {
        const Result<ModelConfig> config =
            readFile(scene.capture.config, maximumConfigBytes).and_then([&](const std::string& json) {
                return readModelConfig(json, turned, scene.layerType);
            });
        if (!config) {
            return fail(config.error().kind,
                        fmt::format("{}: {}", quotedPath(scene.capture.config), config.error().message));
        }
        turned = config->scene;
        if (turned.headDim != scene.headDim) {
            return fail(ErrorKind::invalidInput,
                        fmt::format("{}: head_dim is {}, Q has {} channels.",
                                    quotedPath(scene.capture.config), turned.headDim, scene.headDim));
        }
        turned.rope.axes = RopeAxes::text;
    }
    if (scene.capture.layout != CaptureLayout::by_config) {
        turned.rope.layout =
            scene.capture.layout == CaptureLayout::half ? RopeLayout::half : RopeLayout::interleaved;
    }
    const Result<EncodingPlan> plan = makePlan(turned, positions);
    if (!plan) {
        return tl::unexpected(plan.error());
    }
    if (!plan->rotation) {
        return fail(ErrorKind::invalidInput,
                    fmt::format("{}: its encoding, {}, turns nothing: nothing is to be turned back "
                                "(capture.rotation).",
                                quotedPath(scene.capture.config), turned.encoding));
    }
    return *plan->rotation;
}

/// Rows at positions 0 .. tokens-1 of a text: the file's own, where they stand as they are.
HeadRows arranged(const HeadRows& rows, const Scene& scene, std::int64_t tokens) {
    if (scene.order.empty() && tokens == rows.rows()) {
        return rows;
    }
    FloatRows moved(tokens, rows.cols());
    for (std::int64_t position = 0; position < tokens; ++position) {
        const std::int64_t token = tokenAtPosition(scene, position);
        rows.copyRows(token, token + 1, moved.row(position).data());
    }
    return moved;
}

std::vector<std::int64_t> arrangedRows(const std::vector<std::int64_t>& rows, const Scene& scene,
                                       const MapShape& shape) {
    if (rows.empty() || !shape.isOfOneText()) {
        return rows;
    }
    std::vector<std::int64_t> moved;
    for (std::int64_t position = 0; position < shape.keys; ++position) {
        if (std::ranges::binary_search(rows, tokenAtPosition(scene, position))) {
            moved.push_back(position);
        }
    }
    return moved;
}

void addWarning(std::vector<std::string>& warnings, const CaptureRows* rows, std::string_view side,
                std::string_view effect) {
    if (rows == nullptr || rows->undefined.empty()) {
        return;
    }
    warnings.push_back(fmt::format("{} row {} has {} at channel {}; {}; {} of {} rows affected.", side,
                                   formatGrouped(rows->undefined.front()), rows->what, rows->channel, effect,
                                   formatGrouped(rows->undefined.size()), formatGrouped(rows->rows.rows())));
}

}  // namespace

Result<MapShape> mapShape(const Scene& scene, FileLook look) {
    if (!hasCapture(scene)) {
        const std::int64_t tokens = sequenceLength(scene);
        return MapShape{tokens, tokens, 0, 0};
    }
    const Result<SharedCapture> capture = fittingCapture(scene, look);
    if (!capture) {
        return tl::unexpected(capture.error());
    }
    const MapShape held = shapeOf(**capture, scene.capture);
    if (!held.isOfOneText()) {
        const std::string_view what = !scene.order.empty()                               ? "order"
                                      : sequenceLength(scene) != (*capture)->positions() ? "text.length"
                                                                                         : "";
        if (!what.empty()) {
            return fail(ErrorKind::usage,
                        fmt::format("{} acts on captured heads only where queries and keys are those of all "
                                    "positions (got {} queries from {} and {} keys from {}).",
                                    what, formatGrouped((*capture)->arrays.queries.tokens),
                                    formatGrouped(scene.capture.rowOffset),
                                    formatGrouped((*capture)->arrays.keys.tokens),
                                    formatGrouped(scene.capture.columnOffset)));
        }
    }
    return held.isOfOneText() ? MapShape{sequenceLength(scene), sequenceLength(scene), 0, 0} : held;
}

Result<CapturedHead> readCapturedHead(const Scene& scene, std::stop_token stop) {
    const Result<SharedCapture> opened = fittingCapture(scene);
    if (!opened) {
        return tl::unexpected(opened.error());
    }
    const Capture& capture = **opened;
    const CaptureArrays& arrays = capture.arrays;
    std::optional<TurnedBy> turnedQueries, turnedKeys;
    if (scene.capture.rotation == CaptureRotation::after) {
        const Result<PairRotation> rotation = turningOf(scene, capture.positions());
        if (!rotation) {
            return tl::unexpected(rotation.error());
        }
        turnedQueries = TurnedBy{*rotation, scene.capture.rowOffset};
        turnedKeys = TurnedBy{*rotation, scene.capture.columnOffset};
    }
    const std::int64_t keyHead = scene.head / (arrays.queries.heads / arrays.keys.heads);
    CapturedHead head;
    const auto read = [&](std::shared_ptr<const CaptureRows>& into, const FileState& file,
                          const CaptureArray& array, std::int64_t index,
                          const std::optional<TurnedBy>& turned) {
        return readCaptureRows(file, array, index, turned, stop)
            .map([&](std::shared_ptr<const CaptureRows> rows) { into = std::move(rows); })
            .map_error([&](const Error& error) {
                return error.kind == ErrorKind::cancelled
                           ? error
                           : Error{error.kind, quotedPath(file.path) + ": " + error.message};
            });
    };
    Result<void> done = read(head.queries, capture.queryFile, arrays.queries, scene.head, turnedQueries);
    if (done) {
        done = read(head.keys, capture.keyFile, arrays.keys, keyHead, turnedKeys);
    }
    if (done && arrays.values) {
        done = read(head.values, capture.valueFile, *arrays.values, keyHead, std::nullopt);
    }
    return done ? Result<CapturedHead>(std::move(head)) : tl::unexpected(done.error());
}

Result<void> checkCapturedPlan(const EncodingPlan& plan) {
    if (!hasRows(plan)) {
        return {};
    }
    return fail(ErrorKind::usage,
                "Rows of positions are added to token vectors, before W_q and W_k: they cannot act on "
                "captured queries and keys, which are past them. Choose RoPE, ALiBi or another encoding of "
                "offsets.");
}

Result<std::shared_ptr<const AttentionProblem>> makeCapturedProblem(const Scene& scene, EncodingPlan plan,
                                                                    const CapturedHead& head) {
    if (const Result<void> acts = checkCapturedPlan(plan); !acts) {
        return tl::unexpected(acts.error());
    }
    const Result<MapShape> shape = mapShape(scene);
    if (!shape) {
        return tl::unexpected(shape.error());
    }
    const auto rowsOf = [&](const std::shared_ptr<const CaptureRows>& rows) {
        return !rows                  ? HeadRows()
               : shape->isOfOneText() ? arranged(rows->rows, scene, shape->keys)
                                      : rows->rows;
    };
    auto problem = std::make_shared<AttentionProblem>();
    problem->queries = rowsOf(head.queries);
    problem->keys = rowsOf(head.keys);
    problem->values = rowsOf(head.values);
    problem->plan = std::move(plan);
    problem->causal = scene.causal;
    problem->queryStart = shape->queryStart;
    problem->keyStart = shape->keyStart;
    return problem;
}

Result<UndefinedRows> undefinedRows(const Scene& scene, std::stop_token stop) {
    if (!hasCapture(scene)) {
        return UndefinedRows();
    }
    const Result<MapShape> shape = mapShape(scene);
    if (!shape) {
        return tl::unexpected(shape.error());
    }
    return readCapturedHead(scene, std::move(stop)).map([&](const CapturedHead& head) {
        return UndefinedRows{arrangedRows(head.queries->undefined, scene, *shape),
                             arrangedRows(head.keys->undefined, scene, *shape)};
    });
}

std::vector<std::string> capturedWarnings(const CapturedHead& head, const UndefinedRowEffects& effects) {
    std::vector<std::string> warnings;
    addWarning(warnings, head.queries.get(), "Query", effects.ofQuery);
    addWarning(warnings, head.keys.get(), "Key", effects.ofKey);
    return warnings;
}

std::string missingRow(const Scene& scene) {
    if (!hasCapture(scene) || scene.tokens.empty()) {
        return {};
    }
    const Result<MapShape> shape = mapShape(scene, FileLook::remembered);  // the window asks this too
    if (!shape) {
        return {};  // the figure says why
    }
    const auto refusal = [&](int token, std::string_view side, std::string_view id, std::int64_t first,
                             std::int64_t count) -> std::string {
        if (token >= first && token < first + count) {
            return {};
        }
        return fmt::format("Token {} has no {} in the file, which holds those of {} .. {}: choose one ({}).",
                           token, side, formatGrouped(first), formatGrouped(first + count - 1), id);
    };
    if (shape->isOfOneText()) {
        return {};
    }
    std::string query = refusal(viewedToken(scene), "query", "view.token", shape->queryStart, shape->queries);
    return query.empty() ? refusal(viewedKey(scene), "key", "view.key", shape->keyStart, shape->keys) : query;
}

std::string tokenVectorsWanted(const Scene& scene) {
    return hasCapture(scene) ? "Captured queries and keys come without token vectors, which this shows. Take "
                               "the text's own words: clear capture.queries."
                             : "";
}

}  // namespace phaseladder
