#include "core/scene.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/attention/content.h"
#include "core/attention/permutations.h"
#include "core/encodings/learned.h"
#include "core/encodings/rope_axes.h"
#include "core/encodings/t5.h"
#include "core/import/capture.h"
#include "core/import/text.h"
#include "core/number_text.h"
#include "core/parameter.h"

namespace phaseladder {
namespace {

constexpr std::int64_t positionCount = std::int64_t{1} << 31;

bool isProportional(const Scene& scene) {
    return scene.encoding == "rope" && scene.scaling.method == "proportional";
}

/// "head_dim 64 × rope.partial 0.3", or the one field that says it.
std::string rotarySource(const Scene& scene) {
    return scene.rope.dim > 0 ? fmt::format("rope.dim {}", scene.rope.dim)
                              : fmt::format("head_dim {} × rope.partial {}", scene.headDim,
                                            formatNumber(scene.rope.partial));
}

/// The rotary width before it is cut to a whole number.
double rotaryShare(const Scene& scene) {
    return scene.headDim * scene.rope.partial;
}

bool isCut(const Scene& scene) {
    const double share = rotaryShare(scene);
    return scene.rope.dim == 0 && !isProportional(scene) && share != std::floor(share);
}

Result<void> checkLimits(const Scene& scene) {
    for (const Parameter& row : parameters()) {
        const bool isText = row.kind == ParameterKind::tokens || row.kind == ParameterKind::order;
        if (!isText) {
            if (Result<void> checked = checkParameter(row, row.get(scene)); !checked) {
                return checked;
            }
        }
    }
    return {};
}

Result<void> checkRotaryWidth(const Scene& scene) {
    if (isProportional(scene)) {
        if (rotaryShare(scene) < 2.0) {
            return fail(ErrorKind::usage,
                        fmt::format("No pair rotates: {} is {} channels; at least 2 are needed.",
                                    rotarySource(scene), formatNumber(rotaryShare(scene))));
        }
        return {};
    }
    const int width = rotaryDim(scene);
    if (width > scene.headDim) {
        return fail(ErrorKind::usage, fmt::format("Rotary width r = {} ({}) must be at most head_dim {}.",
                                                  width, rotarySource(scene), scene.headDim));
    }
    if (width >= 2 && width % 2 == 0) {
        return {};
    }
    const std::string cut = isCut(scene) ? fmt::format(", cut to {}", width) : std::string();
    const std::string wanted = width < 2 ? fmt::format("2..{}", scene.headDim)
                                         : fmt::format("even ({} or {})", width - 1, width + 1);
    const double channels = scene.rope.dim > 0 ? width : rotaryShare(scene);
    return fail(ErrorKind::usage,
                fmt::format("Rotary part r is {} channels ({}){}; must be {}.", formatForPeople(channels, 6),
                            rotarySource(scene), cut, wanted));
}

/// Of a list that the target length or the setting can choose.
Result<void> checkLongRopeList(const Scene& scene, const char* id, const std::vector<double>& factors) {
    const auto pairs = static_cast<std::size_t>(rotaryDim(scene) / 2);
    if (factors.size() == pairs) {
        return {};
    }
    return fail(
        ErrorKind::usage,
        fmt::format("{} holds {} numbers; longrope needs {}, one a pair (r = {}){}.", id, factors.size(),
                    pairs, rotaryDim(scene), factors.empty() ? ": open a model that brings them" : ""));
}

Result<void> checkLongRope(const Scene& scene) {
    const ScalingSettings& scaling = scene.scaling;
    if (originalLength(scene) < 2) {
        return fail(ErrorKind::usage, "scaling.original_length must be ≥ 2 under longrope (got 1).");
    }
    if (scaling.longRopeList != LongRopeList::always_long) {
        if (Result<void> checked = checkLongRopeList(scene, "scaling.short_factors", scaling.shortFactors);
            !checked) {
            return checked;
        }
    }
    if (scaling.longRopeList != LongRopeList::always_short) {
        return checkLongRopeList(scene, "scaling.long_factors", scaling.longFactors);
    }
    return {};
}

Result<void> checkScaling(const Scene& scene) {
    const std::string& method = scene.scaling.method;
    if ((method == "ntk" || method == "dynamic_ntk") && rotaryDim(scene) == 2) {
        return fail(
            ErrorKind::usage,
            fmt::format(
                "{} needs a rotary width r of at least 4 (got 2, from {}): its exponent is r/(r - 2).",
                method, rotarySource(scene)));
    }
    if (method == "yarn" && scene.rope.theta == 1.0) {
        return fail(ErrorKind::usage,
                    "rope.theta must not be 1 under yarn (got 1): its ramp divides by ln theta.");
    }
    if (method == "longrope") {
        return checkLongRope(scene);
    }
    return {};
}

/// What an encoding that does not rotate leaves aside may stay as it is.
Result<void> checkRotation(const Scene& scene) {
    if (scene.encoding != "rope" && scene.encoding != "xpos") {
        return {};
    }
    if (Result<void> checked = checkRotaryWidth(scene); !checked || scene.encoding != "rope") {
        return checked;
    }
    if (Result<void> checked = checkScaling(scene); !checked) {
        return checked;
    }
    return checkAxes(scene, rotaryDim(scene) / 2);
}

void noteLengths(const Scene& scene, SceneNotes& result) {
    const ScalingSettings& scaling = scene.scaling;
    if (scene.length.target < scene.length.trained) {
        result.notes.push_back(
            {"length.target",
             fmt::format("New length {} is shorter than training length {}; no extension needed.",
                         scene.length.target, scene.length.trained)});
    }
    const std::int64_t original = originalLength(scene);
    const double implied = static_cast<double>(scene.length.target) / static_cast<double>(original);
    const bool isStated = scaling.method == "linear" || scaling.method == "ntk" || scaling.method == "yarn";
    if (isStated && implied > 1.0 && std::abs(implied - scaling.factor) > 1e-9 * implied) {
        result.notes.push_back(
            {"scaling.factor",
             fmt::format("Factor {} is used; the lengths say {} ({} / {}).", formatNumber(scaling.factor),
                         formatForPeople(implied, 6), scene.length.target, original)});
    }
}

void noteYarn(const Scene& scene, SceneNotes& result) {
    const ScalingSettings& scaling = scene.scaling;
    if (Result<void> ordered = checkBetaOrder(scaling); !ordered) {
        result.warnings.push_back({"scaling.beta_fast", ordered.error().message});
    } else if (scaling.betaFast == scaling.betaSlow) {
        result.warnings.push_back(
            {"scaling.beta_fast",
             fmt::format("Ramp width is zero (beta_fast = beta_slow = {}): pairs switch abruptly.",
                         formatNumber(scaling.betaFast))});
    }
    const auto original = static_cast<double>(originalLength(scene));
    if (original <= 2.0 * std::numbers::pi * scaling.betaFast) {
        result.notes.push_back(
            {"scaling.beta_fast",
             fmt::format("No pair is kept by its turns: within {} tokens none makes beta_fast = {} of them.",
                         formatNumber(original), formatNumber(scaling.betaFast))});
    }
    if ((scaling.mscale == 0.0) != (scaling.mscaleAllDim == 0.0)) {
        result.notes.push_back(
            {scaling.mscale != 0.0 ? "scaling.mscale" : "scaling.mscale_all_dim",
             "Only one of mscale and mscale_all_dim is set: both are ignored, as in Hugging Face."});
    }
}

void noteLearned(const Scene& scene, SceneNotes& result) {
    const Result<LearnedTable> table = knownLearnedTable(scene);
    const std::int64_t tokens = sequenceLength(scene);
    if (table && tokens > table->usable) {
        result.warnings.push_back(
            {"learned.rows",
             fmt::format("Positions {} .. {} have no row in the table of {} rows{}: undefined, and hatched.",
                         table->usable, tokens - 1, table->tableRows,
                         scene.learned.offset > 0 ? fmt::format(" ({} usable)", table->usable) : "")});
    }
}

/// What a table file leaves aside.
void noteTableFile(const Scene& scene, SceneNotes& result) {
    const LearnedSettings& learned = scene.learned;
    if (!learned.table.empty() && learned.rows != LearnedSettings().rows) {
        result.notes.push_back(
            {"learned.table", fmt::format("learned.rows {} is not read: the file brings its own rows.",
                                          formatGrouped(learned.rows))});
    }
    if (!learned.tensor.empty() && (learned.table.empty() || learned.table.ends_with(".npy"))) {
        result.notes.push_back(
            {"learned.table",
             fmt::format("learned.tensor {} is not read: {}.", quotedText(learned.tensor),
                         learned.table.empty() ? "the table is seeded" : "a .npy file holds one table")});
    }
}

/// RoPE's choices that xPos has made for itself.
void noteXpos(const Scene& scene, SceneNotes& result) {
    if (scene.rope.layout != RopeSettings().layout) {
        result.notes.push_back(
            {"encoding", "rope.layout is not read under xPos, whose pairs are always interleaved."});
    }
    if (scene.rope.axes != RopeAxes::text) {
        result.notes.push_back(
            {"encoding", "rope.axes is not read under xPos, which knows positions in a text only."});
    }
}

void noteBuckets(const Scene& scene, SceneNotes& result) {
    const int exact = t5ExactDistances(scene);
    if (scene.t5.maximumDistance <= exact) {
        result.notes.push_back(
            {"t5.max_distance",
             fmt::format("t5.max_distance {} has no effect: distances below {} have a bucket each, and all "
                         "others share the last one. It acts above {}.",
                         scene.t5.maximumDistance, exact, exact)});
    }
}

/// The start-up choice is quietly the last token of a shorter text.
void noteViewed(const Scene& scene, SceneNotes& result) {
    const auto count = static_cast<int>(scene.tokens.size());
    for (const auto& [id, chosen, usual] : {std::tuple("view.token", scene.view.token, ViewSettings{}.token),
                                            std::tuple("view.key", scene.view.key, ViewSettings{}.key)}) {
        if (count > 0 && chosen >= count && chosen != usual) {
            result.notes.push_back(
                {id, fmt::format("{} {} is past the text's {} tokens: the last one is shown.", id, chosen,
                                 count)});
        }
    }
}

Result<void> checkCapture(const Scene& scene) {
    if (hasCapture(scene) && scene.layers != 1) {
        return fail(
            ErrorKind::usage,
            fmt::format("layers must be 1 with captured heads, which are those of one layer (got {}).",
                        scene.layers));
    }
    return {};
}

/// Of captured heads: what their headers and labels leave open, and what they leave aside. Files that cannot
/// be read are the figures' to tell.
void noteCapture(const Scene& scene, SceneNotes& result) {
    if (!hasCapture(scene)) {
        if (!scene.capture.keys.empty() || !scene.capture.values.empty() || !scene.capture.labels.empty()) {
            result.notes.push_back(
                {"capture.queries", "capture.queries is empty: the other files of real heads are not read."});
        }
        return;
    }
    if (const auto capture = openCapture(scene.capture, FileLook::remembered)) {
        for (const std::string& note : (*capture)->notes) {
            result.notes.push_back({"capture.axes", note});
        }
        for (const std::string& warning : (*capture)->warnings) {
            result.warnings.push_back({"capture.labels", warning});
        }
    }
    if (!scene.content.empty()) {
        result.notes.push_back(
            {"content", "Turned hands are not used: they are of words, not of captured heads."});
    }
}

/// Of a drawn table, which must fit the heads and K.
Result<void> checkBiasTable(const Scene& scene) {
    const RelativeBiasSettings& bias = scene.relativeBias;
    const std::size_t width = 2 * static_cast<std::size_t>(bias.clip) + 1;
    const std::size_t wanted = bias.shared ? width : width * static_cast<std::size_t>(scene.heads);
    if (bias.values.empty() || bias.values.size() == wanted || scene.encoding != "relative_bias") {
        return {};
    }
    return fail(ErrorKind::usage,
                fmt::format("relative_bias.values holds {} numbers; K = {} needs {} a table and {} in all.",
                            bias.values.size(), bias.clip, width, wanted));
}

}  // namespace

Scene withWords(Scene scene, SharedList<std::string> words) {
    scene.capture = {};
    scene.tokens = std::move(words);
    scene.order.clear();
    scene.textLength = 0;
    return scene;
}

std::int64_t sequenceLength(const Scene& scene) {
    const auto count = static_cast<std::int64_t>(scene.tokens.size());
    return scene.textLength > 0 && count > 0 ? scene.textLength : count;
}

std::int64_t tokenAtPosition(const Scene& scene, std::int64_t position) {
    const std::int64_t index = position % static_cast<std::int64_t>(scene.tokens.size());
    return scene.order.empty() ? index : scene.order[static_cast<std::size_t>(index)];
}

std::int64_t positionOfToken(const Scene& scene, int token) {
    const auto found = std::ranges::find(scene.order, token);
    const std::int64_t position = scene.order.empty() ? token : found - scene.order.begin();
    return std::min(position, sequenceLength(scene));
}

int viewedToken(const Scene& scene) {
    return std::min(scene.view.token, static_cast<int>(scene.tokens.size()) - 1);
}

int viewedKey(const Scene& scene) {
    return std::min(scene.view.key, static_cast<int>(scene.tokens.size()) - 1);
}

std::vector<int> chosenHeads(const Scene& scene) {
    std::vector<int> heads(scene.view.heads.begin(), scene.view.heads.end());
    if (heads.empty()) {
        heads.push_back(scene.head);
    }
    std::ranges::sort(heads);
    heads.erase(std::unique(heads.begin(), heads.end()), heads.end());
    return heads;
}

std::string headsText(const std::vector<int>& heads) {
    std::vector<std::string> parts;
    for (std::size_t first = 0, end = 0; first < heads.size(); first = end) {
        end = first + 1;
        while (end < heads.size() && heads[end] == heads[end - 1] + 1) {
            ++end;
        }
        const std::size_t count = end - first;
        if (count > 2) {
            parts.push_back(fmt::format("{}–{}", heads[first], heads[end - 1]));
        } else {
            parts.push_back(
                fmt::format("{}", fmt::join(heads.begin() + static_cast<std::ptrdiff_t>(first),
                                            heads.begin() + static_cast<std::ptrdiff_t>(end), ", ")));
        }
    }
    return fmt::format("{} {}", heads.size() == 1 ? "head" : "heads", fmt::join(parts, ", "));
}

int rotaryDim(const Scene& scene) {
    if (isProportional(scene)) {
        return scene.headDim;
    }
    return scene.rope.dim > 0 ? scene.rope.dim : static_cast<int>(rotaryShare(scene));
}

std::int64_t originalLength(const Scene& scene) {
    return scene.scaling.originalLength > 0 ? scene.scaling.originalLength : scene.length.trained;
}

Result<void> validate(const Scene& scene) {
    if (Result<void> checked = checkLimits(scene); !checked) {
        return checked;
    }
    if (scene.head >= scene.heads) {
        return fail(ErrorKind::usage, fmt::format("head must be 0..{} with heads = {} (got {}).",
                                                  scene.heads - 1, scene.heads, scene.head));
    }
    for (const double head : scene.view.heads) {
        if (head != std::floor(head) || head >= scene.heads) {
            return fail(ErrorKind::usage,
                        fmt::format("view.heads must be whole numbers of 0..{} with heads = {} (got {}).",
                                    scene.heads - 1, scene.heads, formatNumber(head)));
        }
    }
    if (!scene.order.empty()) {
        if (Result<void> checked = checkPermutation(scene.order, static_cast<int>(scene.tokens.size()));
            !checked) {
            return checked;
        }
    }
    if (scene.view.start + scene.view.positions > positionCount) {
        return fail(ErrorKind::usage,
                    fmt::format("view.start + view.positions must be at most {} (got {}).",
                                formatGrouped(positionCount), scene.view.start + scene.view.positions));
    }
    if (Result<void> checked = checkRotation(scene); !checked) {
        return checked;
    }
    if (Result<void> checked = checkBiasTable(scene); !checked) {
        return checked;
    }
    if (Result<void> checked = checkCapture(scene); !checked) {
        return checked;
    }
    if (scene.encoding == "learned" && scene.learned.table.empty() &&
        scene.learned.offset >= scene.learned.rows) {
        return fail(ErrorKind::usage, fmt::format("learned.offset must be below learned.rows {} (got {}).",
                                                  scene.learned.rows, scene.learned.offset));
    }
    return checkContent(scene);
}

Result<void> checkBetaOrder(const ScalingSettings& scaling) {
    if (scaling.betaFast >= scaling.betaSlow) {
        return {};
    }
    return fail(ErrorKind::usage,
                fmt::format("beta_fast must be larger than beta_slow ({} < {}).",
                            formatNumber(scaling.betaFast), formatNumber(scaling.betaSlow)));
}

SceneNotes sceneNotes(const Scene& scene) {
    SceneNotes result;
    noteCapture(scene, result);
    if (const std::size_t unused = unusedContent(scene); unused > 0 && !hasCapture(scene)) {
        result.notes.push_back(
            {"content",
             fmt::format("{} turned {} a head, token or pair that is not there, and {} "
                         "not used.",
                         unused, unused == 1 ? "hand is of" : "hands are of", unused == 1 ? "is" : "are")});
    }
    noteViewed(scene, result);
    if (scene.encoding == "learned") {
        noteLearned(scene, result);
        noteTableFile(scene, result);
    } else if (scene.encoding == "xpos") {
        noteXpos(scene, result);
    } else if (scene.encoding == "t5") {
        noteBuckets(scene, result);
    }
    if (scene.encoding != "rope") {
        return result;
    }
    if (scene.rope.theta == 1.0) {
        result.notes.push_back({"rope.theta", "Theta is 1: all pairs rotate at the same speed."});
    } else if (scene.rope.theta < 1.0) {
        result.warnings.push_back(
            {"rope.theta", fmt::format("Theta is below 1 ({}): later pairs rotate faster, not slower.",
                                       formatNumber(scene.rope.theta))});
    }
    if (isCut(scene)) {
        result.notes.push_back({"rope.partial", fmt::format("Rotary part is {} channels ({}), cut to {}.",
                                                            formatForPeople(rotaryShare(scene), 6),
                                                            rotarySource(scene), rotaryDim(scene))});
    }
    noteLengths(scene, result);
    if (scene.scaling.method == "yarn") {
        noteYarn(scene, result);
    }
    if (isProportional(scene) && scene.rope.dim > 0) {
        result.notes.push_back(
            {"rope.dim",
             fmt::format("rope.dim {} is not read under proportional scaling, which uses rope.partial.",
                         scene.rope.dim)});
    }
    return result;
}

std::vector<std::string> sentencesOf(const std::vector<SceneNote>& notes) {
    std::vector<std::string> sentences;
    for (const SceneNote& note : notes) {
        sentences.push_back(note.sentence);
    }
    return sentences;
}

}  // namespace phaseladder
