#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "gpu/protocol/frame.h"

namespace phaseladder::gpu {

// The payloads of frames as values. encode() writes one, decode...() reads one or says in one sentence what
// is wrong with it (ErrorKind::invalidInput): lengths that do not match, numbers outside their range, bytes
// left over. What decode...() accepts is safe to compute with: every index into its own arrays lies inside of
// them; and safe to show: texts are UTF-8 without control characters, of at most 4096 bytes. encode() makes
// texts so (other bytes become ' ' or '?'); all else it takes as it is.

/// Why a helper computes nothing, or why a run has no result. The numbers are part of the protocol.
enum class HelperState : std::uint16_t {
    ready = 0,
    noToolkit = 1,        ///< built without CUDA
    noDriver = 2,         ///< CUDA 35 with driver version 0
    driverTooOld = 3,     ///< CUDA 35
    noDevice = 4,         ///< CUDA 100, also where CUDA_VISIBLE_DEVICES hides all
    deviceBusy = 5,       ///< CUDA 46
    driverMismatch = 6,   ///< CUDA 803
    deviceTooOld = 7,     ///< CUDA 209 or 222
    wrongAnswer = 8,      ///< the known-answer kernel computed something else
    outOfMemory = 9,      ///< CUDA 2, also with the smallest blocks; the helper goes on
    launchTimedOut = 10,  ///< CUDA 702; the helper ends
    deviceLost = 11,      ///< CUDA 700, 714 .. 719, 214, 999 and all others; the helper ends
    hung = 12,            ///< a launch did not end within the deadline; the helper ends
    cancelled = 13,
    unknownRows = 14,  ///< the rows, or the problem, are not there (any more): send them again
    badMessage = 15,   ///< what came was no frame or no message of this protocol; the helper ends
};

/// From the program.
struct Hello {
    std::string program;  ///< "phaseladder 0.1.0"

    friend bool operator==(const Hello&, const Hello&) = default;
};

/// From the helper, once it has looked at its device.
struct HelperHello {
    std::string program;  ///< "phaseladder-gpu 0.1.0"
    HelperState state = HelperState::ready;
    std::string
        reason{};  ///< why it is not ready: one sentence without a full stop, "no NVIDIA driver found"
    bool isEmulated = false;  ///< the kernels run on the processor, thread for thread
    std::string device{};     ///< "NVIDIA H200"
    std::uint64_t memoryBytes = 0, freeBytes = 0;
    std::int32_t capabilityMajor = 0, capabilityMinor = 0;
    std::int32_t driverVersion = 0, runtimeVersion = 0;  ///< as CUDA counts: 13000 is 13.0; 0: none
    double productsPerSecond = 0.0;  ///< roughly, q·k numbers multiplied and added: to cut work into portions

    friend bool operator==(const HelperHello&, const HelperHello&) = default;
};

/// A matrix, rows × width: row i is row rowOf[i] of the distinct ones, or row i itself where rowOf is empty.
struct RowsMessage {
    std::uint64_t key =
        0;  ///< given by the program: the same key is the same matrix as long as a helper lives
    std::uint32_t width = 0;
    std::vector<float> distinct{};       ///< distinct rows × width, row-major
    std::vector<std::uint32_t> rowOf{};  ///< of each row

    [[nodiscard]] std::uint64_t rows() const {
        return rowOf.empty() ? (width == 0 ? 0 : distinct.size() / width) : rowOf.size();
    }
    friend bool operator==(const RowsMessage&, const RowsMessage&) = default;
};

/// PairRotation of core/encodings/plan.h.
struct RotationMessage {
    std::vector<std::uint64_t> turnsPerToken{};
    bool isInterleaved = false;  ///< else halves
    double attentionFactor = 1.0;
    std::uint32_t axes = 1;
    std::vector<std::uint8_t> axisOfPair{};     ///< empty: axis 0; else of each pair
    std::vector<std::int64_t> axisPositions{};  ///< positions × axes; empty: the position itself
    std::vector<double> logGrowthPerToken{};    ///< empty, or of each pair
    std::int64_t growthCentre = 0;

    friend bool operator==(const RotationMessage&, const RotationMessage&) = default;
};

/// A number, or a vector, of each offset key - query from -reach to reach, and the same beyond.
struct OffsetsMessage {
    std::int64_t reach = 0;
    std::vector<float> numbers{};  ///< (2 reach + 1) × 1 or × width

    friend bool operator==(const OffsetsMessage&, const OffsetsMessage&) = default;
};

/// AttentionProblem of core/attention/problem.h.
struct ProblemMessage {
    std::uint64_t key = 0;
    std::uint64_t queries = 0, keys = 0, values = 0;  ///< keys of RowsMessages; values 0: none
    std::uint32_t width = 0;                          ///< d of all three
    std::int64_t queryRows = 0, keyRows = 0;
    std::int64_t queryStart = 0, keyStart = 0;
    std::int64_t defined = 0;  ///< positions from here on have no code
    bool isCausal = false;
    double scale = 1.0;  ///< of q·k and q·r
    std::optional<RotationMessage> rotation{};
    std::optional<OffsetsMessage> scoreBias{};
    std::optional<OffsetsMessage> relativeKeys{}, relativeValues{};
    std::vector<float> contentOffset{}, positionOffset{};  ///< u and v; empty or width numbers each

    friend bool operator==(const ProblemMessage&, const ProblemMessage&) = default;
};

/// MapRequest of core/attention/backend.h.
struct MapMessage {
    std::int64_t rowBegin = 0, rowEnd = 0, columnBegin = 0, columnEnd = 0;
    std::int64_t pixelRows = 0, pixelColumns = 0;
    bool isMax = false;     ///< else mean
    bool isLogits = false;  ///< else weights
    std::int64_t firstPixelRow = 0, endPixelRow = 0;
    std::int64_t sampledRows = 0;

    friend bool operator==(const MapMessage&, const MapMessage&) = default;
};

struct RunMessage {
    std::uint64_t id = 0;  ///< of this request; answers carry it
    std::uint64_t problem = 0;
    std::optional<MapMessage> map{};
    bool hiddenStates = false;
    bool rowLogSums = false;          ///< log Σ_j exp(s_ij) of all rows
    bool isTensor = false;            ///< scores from bf16 by the tensor cores instead of float32
    bool readsRelativeTable = false;  ///< scores read a relative vector from memory each, for rowLogSums only

    friend bool operator==(const RunMessage&, const RunMessage&) = default;
};

/// Attention of orders of a few tokens; position i of an order holds token order[i]. Orders by their rank in
/// lexicographic order.
struct OrdersMessage {
    std::uint64_t id = 0;
    std::uint32_t tokens = 0;  ///< n, 2 .. 10
    std::uint32_t width = 0;   ///< d
    bool isCausal = false;
    std::vector<float>
        scores{};  ///< n⁴: exp(logit - largest of the query), query × its position × key × its position
    std::vector<float> values{};                ///< n × n × d: of key × its position
    std::int64_t firstOrder = 0, endOrder = 0;  ///< half-open, within n!
    std::vector<float> present{};               ///< n × d: the states that all others are compared with

    friend bool operator==(const OrdersMessage&, const OrdersMessage&) = default;
};

struct EchoMessage {
    std::uint64_t id = 0;
    std::uint64_t numbers = 0;  ///< at most 2^26

    friend bool operator==(const EchoMessage&, const EchoMessage&) = default;
};

struct ProgressMessage {
    std::uint64_t id = 0;  ///< of the request; 0: before the helper's hello
    std::int64_t doneRows = 0, rows = 0;

    friend bool operator==(const ProgressMessage&, const ProgressMessage&) = default;
};

struct CancelMessage {
    std::uint64_t id = 0;

    friend bool operator==(const CancelMessage&, const CancelMessage&) = default;
};

/// The answer to a run, orders or echo: what was not asked for is empty.
struct ResultMessage {
    std::uint64_t id = 0;
    std::int64_t pixelRows = 0, pixelColumns = 0;
    std::vector<float> map{};  ///< pixelRows × pixelColumns; the numbers of an echo
    std::vector<std::uint32_t>
        shownColumns{};  ///< of each row of pixels: columns from here on are wholly masked
    std::int64_t computedRows = 0;
    std::int64_t hiddenRows = 0, hiddenColumns = 0;
    std::vector<float> hidden{};      ///< hiddenRows × hiddenColumns
    std::vector<float> rowLogSums{};  ///< of each query; NaN where it sees nothing
    float largestRowSumError = 0.0f;
    std::vector<float> orderDifferences{};  ///< of each token: max |h - present| over the orders and channels
    double deviceMilliseconds = 0.0;  ///< of the launches alone, by the device's own clock where it has one
    std::uint64_t bytesRead = 0;      ///< of relative vectors, where they were read one by one

    friend bool operator==(const ResultMessage&, const ResultMessage&) = default;
};

struct ErrorMessage {
    std::uint64_t id = 0;  ///< of the request; 0: of none
    HelperState state = HelperState::deviceLost;
    std::string reason{};  ///< one sentence without a full stop, with what was seen

    friend bool operator==(const ErrorMessage&, const ErrorMessage&) = default;
};

// Each as a whole frame.
[[nodiscard]] Bytes encode(const Hello& message);
[[nodiscard]] Bytes encode(const HelperHello& message);
[[nodiscard]] Bytes encode(const RowsMessage& message);
[[nodiscard]] Bytes encode(const ProblemMessage& message);
[[nodiscard]] Bytes encode(const RunMessage& message);
[[nodiscard]] Bytes encode(const OrdersMessage& message);
[[nodiscard]] Bytes encode(const EchoMessage& message);
[[nodiscard]] Bytes encode(const ProgressMessage& message);
[[nodiscard]] Bytes encode(const CancelMessage& message);
[[nodiscard]] Bytes encode(const ResultMessage& message);
[[nodiscard]] Bytes encode(const ErrorMessage& message);
[[nodiscard]] Bytes encodeBye();

// From the payload of a frame of that kind.
[[nodiscard]] Result<Hello> decodeHello(std::span<const std::byte> payload);
[[nodiscard]] Result<HelperHello> decodeHelperHello(std::span<const std::byte> payload);
[[nodiscard]] Result<RowsMessage> decodeRows(std::span<const std::byte> payload);
[[nodiscard]] Result<ProblemMessage> decodeProblem(std::span<const std::byte> payload);
[[nodiscard]] Result<RunMessage> decodeRun(std::span<const std::byte> payload);
[[nodiscard]] Result<OrdersMessage> decodeOrders(std::span<const std::byte> payload);
[[nodiscard]] Result<EchoMessage> decodeEcho(std::span<const std::byte> payload);
[[nodiscard]] Result<ProgressMessage> decodeProgress(std::span<const std::byte> payload);
[[nodiscard]] Result<CancelMessage> decodeCancel(std::span<const std::byte> payload);
[[nodiscard]] Result<ResultMessage> decodeResult(std::span<const std::byte> payload);
[[nodiscard]] Result<ErrorMessage> decodeError(std::span<const std::byte> payload);

}  // namespace phaseladder::gpu
