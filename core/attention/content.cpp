#include "core/attention/content.h"

#include <cmath>
#include <map>

#include <fmt/format.h>

#include "core/number_text.h"
#include "core/random.h"

namespace phaseladder {
namespace {

constexpr std::size_t recordWidth = 6;

void fillNormal(RowMatrix::RowXpr row, std::uint64_t seed) {
    Random random(seed);
    for (Eigen::Index channel = 0; channel < row.size(); ++channel) {
        row[channel] = random.normal();
    }
}

/// "W_q" in the first layer, "W_q layer 1" in the second: each has numbers of its own.
std::string streamName(std::string_view name, int layer) {
    return layer == 0 ? std::string(name) : fmt::format("{} layer {}", name, layer);
}

RowMatrix normalMatrix(const Scene& scene, const std::string& name, int head, Eigen::Index rows,
                       Eigen::Index columns, double deviation) {
    RowMatrix matrix(rows, columns);
    Random random(streamSeed(static_cast<std::uint64_t>(scene.seed), name, static_cast<std::uint64_t>(head)));
    for (Eigen::Index at = 0; at < matrix.size(); ++at) {
        matrix.data()[at] = random.normal() * deviation;
    }
    return matrix;
}

/// Whether the scene has the token and the pair of a record; it may have lost them since.
bool isThere(const Scene& scene, const double* record) {
    return record[1] < static_cast<double>(scene.tokens.size()) && record[3] < contentPairs(scene);
}

/// One number of a record: a whole number from 0 below `count`.
Result<void> checkIndex(double value, int count, std::string_view name) {
    if (value >= 0.0 && value < count && value == std::floor(value)) {
        return {};
    }
    return fail(ErrorKind::usage,
                fmt::format("content names {} {}; it must be 0..{}.", name, formatNumber(value), count - 1));
}

}  // namespace

Vocabulary vocabularyOf(const Scene& scene) {
    std::map<std::string_view, Eigen::Index> wordOfText;
    Vocabulary vocabulary;
    for (const std::string& token : scene.tokens) {
        const auto next = static_cast<Eigen::Index>(wordOfText.size());
        vocabulary.wordOfToken.push_back(wordOfText.try_emplace(token, next).first->second);
    }
    vocabulary.vectors.resize(static_cast<Eigen::Index>(wordOfText.size()), scene.headDim);
    for (const auto& [text, word] : wordOfText) {
        fillNormal(vocabulary.vectors.row(word), streamSeed(static_cast<std::uint64_t>(scene.seed), text));
    }
    return vocabulary;
}

std::vector<Eigen::Index> wordsAtPositions(const Scene& scene, const Vocabulary& vocabulary,
                                           std::int64_t tokens) {
    std::vector<Eigen::Index> words;
    words.reserve(static_cast<std::size_t>(tokens));
    for (std::int64_t position = 0; position < tokens; ++position) {
        words.push_back(vocabulary.wordOfToken[static_cast<std::size_t>(tokenAtPosition(scene, position))]);
    }
    return words;
}

HeadWeights headWeights(const Scene& scene, int layer, int head, std::int64_t width) {
    const Eigen::Index channels = scene.headDim;
    const double deviation = 1.0 / std::sqrt(static_cast<double>(channels));
    const auto weights = [&](std::string_view name) {
        RowMatrix matrix(width, channels);
        matrix.topRows(channels) =
            normalMatrix(scene, streamName(name, layer), head, channels, channels, deviation);
        if (width > channels) {
            matrix.bottomRows(width - channels) =
                normalMatrix(scene, streamName(fmt::format("{} of positions", name), layer), head,
                             width - channels, channels, deviation);
        }
        return matrix;
    };
    return {weights("W_q"), weights("W_k"), weights("W_v")};
}

RowMatrix outputWeights(const Scene& scene, int layer, int head, std::int64_t width) {
    const double deviation = 1.0 / std::sqrt(static_cast<double>(scene.headDim) * scene.heads);
    return normalMatrix(scene, streamName("W_o", layer), head, scene.headDim, width, deviation);
}

WordContent wordContent(const Scene& scene, const Vocabulary& vocabulary, const HeadWeights& weights,
                        int head) {
    const Eigen::Index channels = scene.headDim;
    WordContent content{vocabulary.vectors * weights.query.topRows(channels),
                        vocabulary.vectors * weights.key.topRows(channels)};
    for (std::size_t at = 0; at + recordWidth <= scene.content.size(); at += recordWidth) {
        const double* record = scene.content.data() + at;
        if (static_cast<int>(record[0]) != head || !isThere(scene, record)) {
            continue;
        }
        const Eigen::Index word = vocabulary.wordOfToken[static_cast<std::size_t>(record[1])];
        RowMatrix& side = record[2] == 0.0 ? content.queries : content.keys;
        const auto [first, second] = pairChannels(scene, static_cast<int>(record[3]));
        side(word, first) = record[4];
        side(word, second) = record[5];
    }
    return content;
}

ChannelPairs channelPairs(const EncodingPlan& plan, int headDim) {
    if (!plan.rotation) {
        return {headDim / 2, RopeLayout::half};
    }
    return {static_cast<int>(plan.rotation->turnsPerToken.size()), plan.rotation->layout};
}

ChannelPairs channelPairs(const Scene& scene) {
    const Encoding* encoding = findEncoding(scene.encoding);
    const Result<EncodingPlan> plan =
        encoding == nullptr ? fail(ErrorKind::usage, {}) : encoding->plan(scene, 1);
    return channelPairs(plan.value_or(EncodingPlan{}), scene.headDim);
}

int contentPairs(const Scene& scene) {
    return channelPairs(scene).count;
}

std::pair<int, int> pairChannels(const Scene& scene, int pair) {
    return channelPairs(scene).channels(pair);
}

std::size_t unusedContent(const Scene& scene) {
    std::size_t count = 0;
    for (std::size_t at = 0; at + recordWidth <= scene.content.size(); at += recordWidth) {
        const double* record = scene.content.data() + at;
        count += isThere(scene, record) && record[0] < scene.heads ? 0 : 1;
    }
    return count;
}

Result<void> checkContent(const Scene& scene) {
    if (scene.content.size() % recordWidth != 0) {
        return fail(
            ErrorKind::usage,
            fmt::format("content holds {} numbers; it needs 6 a record: head, token, side, pair, x, y.",
                        scene.content.size()));
    }
    for (std::size_t at = 0; at < scene.content.size(); at += recordWidth) {
        const double* record = scene.content.data() + at;
        for (const Result<void>& checked :
             {checkIndex(record[0], 1024, "head"), checkIndex(record[1], 1 << 20, "token"),
              checkIndex(record[2], 2, "side"), checkIndex(record[3], 512, "pair")}) {
            if (!checked) {
                return checked;
            }
        }
    }
    return {};
}

}  // namespace phaseladder
