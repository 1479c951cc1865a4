#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "core/attention/head_rows.h"
#include "core/encodings/encoding.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// The different words of a text, each with its seeded vector (standard normal; the same word, the same
/// vector).
struct Vocabulary {
    std::vector<Eigen::Index> wordOfToken;  ///< row of vectors for each of scene.tokens
    RowMatrix vectors;                      ///< words × d
};
[[nodiscard]] Vocabulary vocabularyOf(const Scene& scene);

/// Row of Vocabulary::vectors at positions 0 .. tokens-1.
[[nodiscard]] std::vector<Eigen::Index> wordsAtPositions(const Scene& scene, const Vocabulary& vocabulary,
                                                         std::int64_t tokens);

/// Seeded projections of one head in one layer, each width × d, entries normal / √d (q = x W_q). The first d
/// rows meet the token vector; a width of 2d has d more, which meet a concatenated position row.
struct HeadWeights {
    RowMatrix query, key, value;
};
[[nodiscard]] HeadWeights headWeights(const Scene& scene, int layer, int head, std::int64_t width);

/// W_o of a head, d × width, entries normal / √(d · heads): what the head adds to the residual stream.
[[nodiscard]] RowMatrix outputWeights(const Scene& scene, int layer, int head, std::int64_t width);

/// Queries and keys of the words in the first layer, words × d, before positions: projected, then with the
/// hands that scene.content turned for this head.
struct WordContent {
    RowMatrix queries, keys;
};
[[nodiscard]] WordContent wordContent(const Scene& scene, const Vocabulary& vocabulary,
                                      const HeadWeights& weights, int head);

/// How channels pair: those that rotate, as the plan's rotation has it, or d/2 pairs, half-split.
struct ChannelPairs {
    int count = 0;
    RopeLayout layout = RopeLayout::half;

    /// The two channels of a pair.
    [[nodiscard]] std::pair<int, int> channels(int pair) const {
        return layout == RopeLayout::half ? std::pair(pair, pair + count) : std::pair(2 * pair, 2 * pair + 1);
    }
};
[[nodiscard]] ChannelPairs channelPairs(const EncodingPlan& plan, int headDim);
/// Of the scene's encoding; without rotation where it cannot be planned.
[[nodiscard]] ChannelPairs channelPairs(const Scene& scene);

[[nodiscard]] int contentPairs(const Scene& scene);
[[nodiscard]] std::pair<int, int> pairChannels(const Scene& scene, int pair);

/// Records of scene.content that name a head, a token or a pair which the scene does not have (any more).
[[nodiscard]] std::size_t unusedContent(const Scene& scene);

/// Refuses scene.content that is no list of records (head, token, side, pair, x, y).
[[nodiscard]] Result<void> checkContent(const Scene& scene);

}  // namespace phaseladder
