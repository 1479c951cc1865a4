#pragma once

// What each kernel is given: plain numbers and pointers to device memory, in C++17, for nvcc and for g++. A
// kernel takes one of these structs by value. Rows of matrices are `stride` numbers apart, a multiple of 16
// of which those beyond the width are 0.

#include <cstdint>

namespace phaseladder::gpu {

/// A tile of scores: queries × keys. Tiles begin at multiples of it.
inline constexpr int tileRows = 128, tileKeys = 128;
/// Threads of a block of the kernels that compute tiles.
inline constexpr int tileThreads = 256;
/// Channels of a row that are brought to the multiprocessor at once; rows are padded to a multiple of it.
inline constexpr int chunkChannels = 16;
/// Threads that go in step and can exchange numbers.
inline constexpr int warpThreads = 32;
/// Threads of a block of all other kernels.
inline constexpr int plainThreads = 128;
/// The longest text whose orders are gone through.
inline constexpr int mostOrderTokens = 10;

/// Which keys a query sees: 0 .. n-1.
struct SeenKeys {
    std::int64_t queryStart, keyStart;  ///< positions of query 0 and key 0
    std::int64_t defined;               ///< positions from here on have no code
    std::int64_t keys;
    bool isCausal;
};

/// Rotation of pairs; without pairs, none.
struct Rotation {
    const std::uint64_t* turnsPerToken;  ///< W of each pair; the phase of position p is p · W of 2^64
    int pairs;
    bool isInterleaved;
    float attentionFactor;
    int axes;
    const std::uint8_t* axisOfPair;     ///< null: axis 0
    const std::int64_t* axisPositions;  ///< positions × axes; null: the position itself
};

/// xPos: g of each channel of the stride, queries grow by exp(g (p - centre)), keys fade by it. Without
/// channels, none. Keys hold what they fade by from the middle of their tile on; queries grow when they meet
/// the tile, so that no number leaves single precision.
struct Growth {
    const double* perToken;  ///< null: none
    std::int64_t centre;
};

/// cos and sin of rows × pairs, row r at position start + r · step.
struct PhaseTableArguments {
    Rotation rotation;
    std::int64_t rows, start, step;
    float *cosine, *sine;
};

/// Rows of a head as they stand at their positions.
struct TurnRowsArguments {
    const float* distinct;       ///< distinct rows × width
    const std::uint32_t* rowOf;  ///< null: row i is distinct row i
    std::int64_t rows;
    int width, stride;
    std::int64_t start;  ///< position of row 0
    Rotation rotation;
    Growth growth;          ///< of keys only
    float* turned;          ///< rows × stride; null: not needed
    std::uint16_t* inBf16;  ///< the same as bits of bf16, rounded to nearest even; null: not needed
};

/// What is added to a score besides q·k.
struct ScoreTerms {
    float scale;        ///< of q·k and q·r
    const float* bias;  ///< of offsets key - query from -biasReach to biasReach; null: none
    std::int64_t biasReach;
    const float* relative;       ///< (q + v)·r of needed rows × relativeOffsets; null: none
    std::int64_t relativeReach;  ///< offsets beyond it are as at it
    std::int64_t relativeLeast;  ///< the first offset of `relative`
    std::int64_t relativeOffsets;
    Growth growth;
    const float* contentOffset;   ///< u, stride numbers; null: none
    const float* positionOffset;  ///< v, likewise
};

/// A part (largest, sum) of a row: of weights Σ exp(s) = exp(largest) · sum.
struct Part {
    float largest, sum;
};

enum class Statistic : int {
    weights,        ///< largest logit, and Σ exp(logit - largest)
    largestLogits,  ///< largest logit
    sumOfLogits,    ///< Σ logit, as the sum
};

/// Parts of rows over columns: ranges of keys that follow each other.
struct ScoreColumnsArguments {
    const float* queries;  ///< queries × stride, turned
    const float* keys;     ///< keys × stride, turned
    int width, stride;
    const std::int32_t* rows;  ///< the queries that are needed
    int rowCount;
    const std::int32_t* edges;  ///< column c is keys edges[c] .. edges[c+1]-1; columns + 1 numbers
    int columns;
    const std::int32_t* groups;  ///< group g is columns groups[g] .. groups[g+1]-1; one block each
    SeenKeys seen;
    ScoreTerms terms;
    Statistic statistic;
    Part* parts;  ///< rowCount × columns; those that a row does not see at all are not written
};

/// The same from products of bf16, which the tensor cores multiply: of devices from capability 8.0 on. Scores
/// with growth, relative products or offsets of queries are left to float32.
struct TensorScoresArguments {
    ScoreColumnsArguments scores;
    const std::uint16_t *queries, *keys;  ///< bits of bf16, queries × stride and keys × stride
};

/// Sums of rows from all their parts.
struct SumRowsArguments {
    const Part* parts;  ///< rowCount × columns
    const std::int32_t* rows;
    int rowCount;
    const std::int32_t* edges;
    int columns;
    SeenKeys seen;
    Part* sums;     ///< of each query
    float* errors;  ///< of each query: |Σ weights - 1|
};

/// Pixels from parts of rows.
struct PoolColumnsArguments {
    const Part* parts;          ///< of rows chunkBegin .. chunkEnd-1 of the needed ones × columns
    const std::int32_t* rows;   ///< all needed ones
    const std::int32_t* edges;  ///< of all columns
    int columns, firstColumn, pixelColumns;  ///< columns firstColumn .. are those of pixels
    const std::int32_t* pixelBegins;  ///< pixel row p is of needed rows pixelBegins[p] .. pixelBegins[p+1]-1
    int firstPixel, endPixel;         ///< rows of pixels that have rows in this chunk
    std::int32_t chunkBegin, chunkEnd;
    SeenKeys seen;
    const Part* sums;  ///< of each query
    bool isMax, isLogits;
    const double* carriedIn;  ///< pixelColumns: of a row of pixels that began in the chunk before
    double* carriedOut;       ///< of one that goes on in the next chunk
    float* map;               ///< pixel rows × pixelColumns
};

/// (q + v)·r of rows × offsets.
struct RelativeProductsArguments {
    const float* queries;  ///< queries × stride, turned
    const float* table;    ///< offsets -reach .. reach × stride
    int width, stride;
    const std::int32_t* rows;
    int rowCount;
    std::int64_t queryStart;
    ScoreTerms terms;  ///< relative*, growth and positionOffset
    float* products;   ///< rowCount × relativeOffsets
};

/// Hidden states of queries firstRow .. endRow-1.
struct HiddenStatesArguments {
    ScoreColumnsArguments scores;  ///< queries, keys, rows, seen, terms
    const float* values;           ///< keys × stride
    const float* relativeValues;   ///< offsets -reach .. reach × stride; null: none
    std::int64_t valueReach;
    float* hidden;  ///< rowCount × stride
    Part* sums;     ///< of each query
};

/// Attention of orders of a few tokens, one thread an order.
struct OrdersArguments {
    int tokens, width;
    bool isCausal;
    const float* scores;   ///< tokens⁴
    const float* values;   ///< tokens × tokens × width
    const float* present;  ///< tokens × width
    std::int64_t firstOrder, endOrder;
    std::int32_t* largest;  ///< of each token: bits of max |h - present|; 0 at first
};

/// Row sums of attention that reads a relative vector from memory for every score.
struct RelativeTableArguments {
    ScoreColumnsArguments scores;  ///< queries, keys, rows, seen, terms
    const float* table;            ///< offsets -reach .. reach × stride
    Part* sums;
};

}  // namespace phaseladder::gpu
