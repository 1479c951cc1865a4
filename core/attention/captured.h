#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "core/attention/problem.h"
#include "core/import/capture_rows.h"
#include "core/import/read_file.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

// What a scene with captured heads means. Token t of the scene is what stands at position t of the capture;
// queries and keys may cover a part of the positions each:
//
//     tokens    0 1 2 ... columnOffset ...... rowOffset ......... positions - 1
//     keys                [ keys .............................. ]
//     queries                                 [ queries ....... ]
//
// Where both cover all positions, the text's order and length act as on words.

/// Rows and columns of a scene's attention map, and the positions of the first of them.
struct MapShape {
    std::int64_t queries = 0, keys = 0;
    std::int64_t queryStart = 0, keyStart = 0;

    /// Whether rows and columns are the positions of one text, so that an order and a length mean something.
    [[nodiscard]] bool isOfOneText() const { return queries == keys && queryStart == 0 && keyStart == 0; }
};
/// Of a scene with words: its length, twice. Of one with captured heads refused: what openCapture refuses, a
/// scene whose tokens, heads or head_dim are not those of the files (any more), an order or a text.length
/// where queries and keys are not those of all positions.
[[nodiscard]] Result<MapShape> mapShape(const Scene& scene, FileLook look = FileLook::now);

/// scene.head of the files: rows before their positions, in the order of the file.
struct CapturedHead {
    std::shared_ptr<const CaptureRows> queries, keys, values;  ///< values may be null

    friend bool operator==(const CapturedHead&, const CapturedHead&) = default;
};
[[nodiscard]] Result<CapturedHead> readCapturedHead(const Scene& scene, std::stop_token stop = {});

/// Attention of a captured head, in the scene's order. A plan with rows of positions is refused: they belong
/// to token vectors, before W_q and W_k.
[[nodiscard]] Result<std::shared_ptr<const AttentionProblem>> makeCapturedProblem(const Scene& scene,
                                                                                  EncodingPlan plan,
                                                                                  const CapturedHead& head);

/// Refuses a plan that cannot act on projected queries and keys.
[[nodiscard]] Result<void> checkCapturedPlan(const EncodingPlan& plan);

/// Rows and columns of the map whose query or key holds a number that is none, ascending.
struct UndefinedRows {
    std::vector<std::int64_t> queries, keys;

    [[nodiscard]] bool isEmpty() const { return queries.empty() && keys.empty(); }
};
/// Of the scene's head; none for words.
[[nodiscard]] Result<UndefinedRows> undefinedRows(const Scene& scene, std::stop_token stop = {});

/// What a figure makes of a row that is no number: as a map does, or in words of its own.
struct UndefinedRowEffects {
    std::string_view ofQuery = "row hatched";
    std::string_view ofKey = "every query that sees it has no weights, its column no logits (hatched)";
};
/// "Query row 3 has a NaN at channel 17; row hatched; 1 of 1024 rows affected." and the like.
[[nodiscard]] std::vector<std::string> capturedWarnings(const CapturedHead& head,
                                                        const UndefinedRowEffects& effects = {});

/// Why the viewed tokens have no query or no key in the files; an empty text where they have, and for words.
[[nodiscard]] std::string missingRow(const Scene& scene);

/// Why a figure of token vectors draws nothing for captured heads; an empty text for words.
[[nodiscard]] std::string tokenVectorsWanted(const Scene& scene);

}  // namespace phaseladder
