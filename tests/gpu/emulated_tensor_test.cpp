#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <QTest>

#include "core/random.h"
#include "gpu/emulation/thread_blocks.h"
#include "gpu/kernels.cuh"

namespace phaseladder::gpu {
namespace {

constexpr int tokens = 300;  // three tiles of keys, the last one partial
constexpr int queryStart = 7, keyStart = 4, defined = 294;
constexpr int width = 40, stride = 48;  // a chunk of two slices of channels, and one of a single slice
constexpr int biasReach = 100;

double bf16Number(std::uint16_t bits) {
    return double(std::bit_cast<float>(std::uint32_t{bits} << 16U));
}

/// Rows as they stand at their positions under RoPE at theta = 10000, in both precisions.
struct TurnedRows {
    std::vector<float> numbers = std::vector<float>(tokens * stride);
    std::vector<std::uint16_t> bits = std::vector<std::uint16_t>(tokens * stride);

    TurnedRows(std::uint64_t seed, int start) {
        Random random(seed);
        std::vector<float> distinct(tokens * width);
        std::ranges::generate(distinct, [&] { return static_cast<float>(random.normal()); });
        std::vector<std::uint64_t> turns;
        for (int pair = 0; pair < width / 2; ++pair) {
            turns.push_back(static_cast<std::uint64_t>(std::pow(1e-4, 2.0 * pair / width) * 0x1p61));
        }
        TurnRowsArguments turn{};
        turn.distinct = distinct.data();
        turn.rows = tokens;
        turn.width = width;
        turn.stride = stride;
        turn.start = start;
        turn.rotation = {turns.data(), width / 2, false, 1.0f, 1, nullptr, nullptr};
        turn.turned = numbers.data();
        turn.inBf16 = bits.data();
        const unsigned blocks = (tokens * stride / 2 + plainThreads - 1) / plainThreads;
        runBlocks({blocks}, plainThreads, BlockOrder::forward, [&] { turnRows(turn); });
    }
};

/// A head: every second token asks, the last one first, so that its rows are not those of the matrix.
struct Head {
    TurnedRows queries{3, queryStart}, keys{4, keyStart};
    std::vector<std::int32_t> rows;
    std::vector<float> bias;
    bool isCausal = false;
    float scale = 1.0f / std::sqrt(float(width));

    Head() {
        for (std::int32_t query = tokens - 1; query >= 0; query -= 2) {
            rows.push_back(query);
        }
    }

    /// Keys that a query sees.
    [[nodiscard]] int seen(int query) const {
        const int position = queryStart + query;
        const int end = isCausal ? std::min(position + 1, defined) : defined;
        return position >= defined ? 0 : end - keyStart;
    }

    [[nodiscard]] double biasOf(int query, int key) const {
        const int at = std::clamp(keyStart + key - queryStart - query, -biasReach, biasReach) + biasReach;
        return bias.empty() ? 0.0 : double(bias[static_cast<std::size_t>(at)]);
    }

    /// A sum over the channels of a query and a key, scaled.
    [[nodiscard]] double scaledSum(int query, int key, const std::function<double(int, int)>& term) const {
        double sum = 0.0;
        for (int channel = 0; channel < width; ++channel) {
            sum += term(query * stride + channel, key * stride + channel);
        }
        return sum * double(scale);
    }

    /// The logit of the rounded rows.
    [[nodiscard]] double logit(int query, int key) const {
        const auto product = [this](int at, int of) {
            return bf16Number(queries.bits[static_cast<std::size_t>(at)]) *
                   bf16Number(keys.bits[static_cast<std::size_t>(of)]);
        };
        return scaledSum(query, key, product) + biasOf(query, key);
    }
};

constexpr Part unwritten{-12345.0f, -12345.0f};

/// What the kernel leaves of columns, the groups of which are those from `groups`.
std::vector<Part> tensorParts(const Head& head, const std::vector<std::int32_t>& edges,
                              const std::vector<std::int32_t>& groups, Statistic statistic,
                              BlockOrder order = BlockOrder::forward) {
    const auto rowCount = static_cast<int>(head.rows.size()), columns = static_cast<int>(edges.size()) - 1;
    std::vector<Part> parts(static_cast<std::size_t>(rowCount * columns), unwritten);
    TensorScoresArguments tensor{};
    tensor.queries = head.queries.bits.data();
    tensor.keys = head.keys.bits.data();
    ScoreColumnsArguments& scores = tensor.scores;
    scores.width = width;
    scores.stride = stride;
    scores.rows = head.rows.data();
    scores.rowCount = rowCount;
    scores.edges = edges.data();
    scores.columns = columns;
    scores.groups = groups.data();
    scores.seen = {queryStart, keyStart, defined, tokens, head.isCausal};
    scores.terms.scale = head.scale;
    scores.terms.bias = head.bias.empty() ? nullptr : head.bias.data();
    scores.terms.biasReach = biasReach;
    scores.statistic = statistic;
    scores.parts = parts.data();
    const Grid grid{static_cast<unsigned>((rowCount + tileRows - 1) / tileRows),
                    static_cast<unsigned>(groups.size()) - 1};
    runBlocks(grid, tileThreads, order, [&] { scoreColumnsTensor(tensor); });
    return parts;
}

// Columns that have one key of a strip at an end, most of a tile, and a whole tile within.
const std::vector<std::int32_t> edges{0, 3, 15, 97, 270, tokens}, groups{0, 2, 5};

/// How far a part is from its column's logits, in what the statistic says of it.
double differenceOf(const Part& part, const std::vector<double>& logits, Statistic statistic) {
    const double largest = std::ranges::max(logits);
    double sum = 0.0;
    for (const double logit : logits) {
        sum += statistic == Statistic::sumOfLogits ? logit : std::exp(logit - largest);
    }
    switch (statistic) {
        case Statistic::weights:
            return std::max(std::abs(double(part.largest) - largest), std::abs(double(part.sum) / sum - 1.0));
        case Statistic::largestLogits:
            return std::abs(double(part.largest) - largest);
        case Statistic::sumOfLogits:
            return std::abs(double(part.sum) - sum) / double(logits.size());
    }
    return std::numeric_limits<double>::infinity();
}

}  // namespace

/// The kernel of the tensor cores, each of its threads a thread of the processor.
class EmulatedTensorTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void emulatedProductsTakeTheDocumentedFragments() {
        // Small whole numbers, whose products and sums are exact. The formulas are those of the PTX ISA,
        // "Matrix fragments for mma.m16n8k16 with floating point type".
        constexpr int strips = 4;
        const auto a = [](int row, int k) { return float((row * 5 + k * 3) % 17 - 8); };
        const auto b = [](int k, int column) { return float((k * 7 + column * 11) % 13 - 6); };
        const auto bits = [](float number) { return std::bit_cast<std::uint32_t>(number) >> 16U; };
        std::array<std::array<float, 8 * strips>, 16> products{};
        runBlocks({1}, warpThreads, BlockOrder::forward, [&] {
            const auto lane = static_cast<int>(threadIdx.x);
            const int group = lane >> 2, inGroup = lane % 4;
            std::uint32_t rows[4]{}, columns[strips][2]{};
            for (int i = 0; i < 8; ++i) {
                const int row = (0 <= i && i < 2) || (4 <= i && i < 6) ? group : group + 8;
                const int k = inGroup * 2 + (i & 1) + (i < 4 ? 0 : 8);
                rows[i / 2] |= bits(a(row, k)) << 16 * (i % 2);
            }
            for (int strip = 0; strip < strips; ++strip) {
                for (int i = 0; i < 4; ++i) {
                    const int k = inGroup * 2 + (i & 1) + (i < 2 ? 0 : 8);
                    columns[strip][i / 2] |= bits(b(k, strip * 8 + group)) << 16 * (i % 2);
                }
            }
            float sums[strips][4];
            for (float(&ofStrip)[4] : sums) {
                std::ranges::fill(ofStrip, 100.0f);
            }
            multiplyBf16(sums, rows, columns);
            for (int strip = 0; strip < strips; ++strip) {
                for (int i = 0; i < 4; ++i) {
                    const auto row = static_cast<std::size_t>(i < 2 ? group : group + 8);
                    products[row][static_cast<std::size_t>(strip * 8 + inGroup * 2 + (i & 1))] =
                        sums[strip][i];
                }
            }
        });
        for (int row = 0; row < 16; ++row) {
            for (int column = 0; column < 8 * strips; ++column) {
                float sum = 100.0f;
                for (int k = 0; k < 16; ++k) {
                    sum += a(row, k) * b(k, column);
                }
                QCOMPARE(products[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)], sum);
            }
        }
    }

    void emulatedTensorScoresAreThoseOfRoundedRows() {
        Head head;
        for (const bool isCausal : {false, true}) {
            head.isCausal = isCausal;
            for (const bool isBiased : {false, true}) {
                head.bias.clear();
                for (int at = 0; isBiased && at <= 2 * biasReach; ++at) {
                    head.bias.push_back(std::sin(0.1f * float(at)));
                }
                for (const Statistic statistic :
                     {Statistic::weights, Statistic::largestLogits, Statistic::sumOfLogits}) {
                    const std::vector<Part> parts = tensorParts(head, edges, groups, statistic);
                    double difference = 0.0;
                    for (std::size_t at = 0; at < parts.size(); ++at) {
                        const std::size_t columns = edges.size() - 1, column = at % columns;
                        const std::int32_t query = head.rows[at / columns];
                        std::vector<double> logits;
                        for (int key = edges[column]; key < std::min(edges[column + 1], head.seen(query));
                             ++key) {
                            logits.push_back(head.logit(query, key));
                        }
                        if (logits.empty()) {
                            QCOMPARE(parts[at].largest, unwritten.largest);
                            QCOMPARE(parts[at].sum, unwritten.sum);
                        } else {
                            difference = std::max(difference, differenceOf(parts[at], logits, statistic));
                        }
                    }
                    QVERIFY2(difference < 1e-5, qPrintable(QString::number(difference)));
                }
            }
        }
    }

    void emulatedTensorLogitsDifferFromExactOnesAsBf16Does() {
        // A number of bf16 is within 2^-9 of itself, so a product of two is within 2^-8 + 2^-18.
        const Head head;
        std::vector<std::int32_t> singleKeys{0, 1, 2, 3, 130, 131, 132, 133};
        const std::vector<std::int32_t> oneGroup{0, static_cast<std::int32_t>(singleKeys.size()) - 1};
        const std::vector<Part> parts = tensorParts(head, singleKeys, oneGroup, Statistic::largestLogits);
        double largest = 0.0;
        for (std::size_t at = 0; at < parts.size(); ++at) {
            const std::size_t columns = singleKeys.size() - 1, column = at % columns;
            const std::int32_t query = head.rows[at / columns], key = singleKeys[column];
            if (head.seen(query) == 0 || singleKeys[column + 1] != key + 1) {
                continue;
            }
            const auto exact = [&head](int of, int with) {
                return double(head.queries.numbers[static_cast<std::size_t>(of)]) *
                       double(head.keys.numbers[static_cast<std::size_t>(with)]);
            };
            const double difference = std::abs(double(parts[at].largest) - head.scaledSum(query, key, exact));
            const double sizes =
                head.scaledSum(query, key, [&](int of, int with) { return std::abs(exact(of, with)); });
            QVERIFY(difference <= sizes * (0x1p-8 + 0x1p-18) + 1e-5);
            largest = std::max(largest, difference);
        }
        qInfo("the largest difference of logits of %d channels is %.2g", width, largest);
        QVERIFY(largest > 1e-3);  // what was multiplied was bf16
    }

    void emulatedTensorBlocksMayRunInAnyOrder() {
        const auto same = [](const Part& first, const Part& second) {
            return first.largest == second.largest && first.sum == second.sum;
        };
        const Head head;
        const std::vector<Part> forward = tensorParts(head, edges, groups, Statistic::weights);
        for (const BlockOrder order : {BlockOrder::reverse, BlockOrder::shuffled}) {
            QVERIFY(std::ranges::equal(tensorParts(head, edges, groups, Statistic::weights, order), forward,
                                       same));
        }
    }
};

}  // namespace phaseladder::gpu

QTEST_GUILESS_MAIN(phaseladder::gpu::EmulatedTensorTest)
#include "emulated_tensor_test.moc"
