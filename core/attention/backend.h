#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/problem.h"
#include "core/result.h"

namespace phaseladder {

enum class Pooling { mean, max };

/// Cells of an attention map: rows are queries, columns are keys; half-open, from 0.
struct CellWindow {
    std::int64_t rowBegin = 0, rowEnd = 0;
    std::int64_t columnBegin = 0, columnEnd = 0;

    friend bool operator==(const CellWindow&, const CellWindow&) = default;
};

/// Part of a map pooled to a grid of pixels. A map is pooled, never enlarged: pixelRows ≤ rows of the window.
struct MapRequest {
    CellWindow window;
    std::int64_t pixelRows = 0, pixelColumns = 0;
    Pooling pooling = Pooling::mean;
    ViewValues values = ViewValues::weights;
    /// Only these rows of pixels are wanted, half-open; 0:0 is all of them.
    std::int64_t firstPixelRow = 0, endPixelRow = 0;
    /// A preview: the map is made of this many rows of the window, spread evenly over it; 0: of all. Pixels
    /// without a row of their own show the nearest one's.
    std::int64_t sampledRows = 0;

    friend bool operator==(const MapRequest&, const MapRequest&) = default;
};

/// A snapshot of what is wanted.
struct AttentionRequest {
    std::shared_ptr<const AttentionProblem> problem;
    std::optional<MapRequest> map{};
    bool hiddenStates = false;
};

struct BackendInfo {
    std::string id;     ///< "reference"
    std::string label;  ///< "CPU, double precision"
    bool available = true;
    std::string reason{};      ///< why not: "no NVIDIA driver found", a sentence without its full stop
    bool isDouble = false;     ///< computes in double precision, else in single
    bool isFault = false;      ///< not available although it should be: a person is told once
    bool isPending = false;    ///< not known yet whether it is available
    bool canTryAgain = false;  ///< what keeps it away may pass (Backend::tryAgain)
};

/// What is computed within about 60 ms, in products of two numbers: on one thread in double precision, and on
/// all threads in single.
[[nodiscard]] double quickDoubleProducts();
[[nodiscard]] double quickSingleProducts();

struct AttentionResult {
    std::int64_t pixelRows = 0, pixelColumns = 0;
    /// pixelRows × pixelColumns, row-major. Pixel i of P along a side covers the cells from begin + ⌊i·N/P⌋.
    /// The mean is over all cells for weights (a masked one weighs 0, so mean × cells sums to 1 along a row),
    /// over the unmasked ones for logits; a wholly masked pixel is 0.
    std::vector<double> map{};
    std::vector<std::uint8_t> masked{};  ///< 1 where all cells of a pixel are masked
    std::int64_t computedRows = 0;       ///< rows of the window that the map is made of
    std::int64_t definedTokens = 0;      ///< positions from here on are masked: their tokens have no code
    double largestRowSumError = 0.0;     ///< max over rows of |Σ weights - 1|
    RowMatrix hiddenStates{};            ///< tokens × d, when asked for; NaN where a token is undefined
    BackendInfo ranOn{};  ///< what computed it: the backend, or one that it left the request to
};

/// What a run would be, before it is one.
struct RunForecast {
    BackendInfo ranOn{};  ///< as the result will say
    /// Rows of the map's window whose sums are still there: they cost the cells of the window only.
    std::int64_t knownRows = 0;
    /// Products of two numbers that it computes within about 60 ms.
    double quickProducts = quickDoubleProducts();
};

/// Where attention runs: the only virtual interface of the core.
class Backend {
public:
    virtual ~Backend() = default;
    [[nodiscard]] virtual BackendInfo info() const = 0;
    /// Deterministic: same request, same bits. Checks the token once per block of rows. One that has become
    /// unavailable, or has no room for the request, says so with ErrorKind::unavailable and a sentence
    /// without its full stop.
    [[nodiscard]] virtual Result<AttentionResult> run(const AttentionRequest& request,
                                                      std::stop_token stop) = 0;
    /// What a run of the request would be, by what the backend holds now.
    [[nodiscard]] virtual RunForecast forecast(const AttentionRequest& /*request*/) const {
        const BackendInfo backend = info();
        const double quick = backend.isDouble ? quickDoubleProducts() : quickSingleProducts();
        return {.ranOn = backend, .quickProducts = quick};
    }
    /// Looks again for what kept it away.
    virtual void tryAgain() {}
};

/// Double precision, row by row, obvious: the truth that other backends are tested against. Holds blocks of
/// rows, never the whole map.
[[nodiscard]] std::unique_ptr<Backend> makeReferenceBackend();

/// Single precision, in tiles, on all threads: the same answers at any length, never with the whole map in
/// memory. Its error against the reference is at most twice that of plain attention in single precision. It
/// keeps the turned keys and the row sums of the last few problems: a further window of one costs its own
/// cells only.
[[nodiscard]] std::unique_ptr<Backend> makeCpuBackend();

}  // namespace phaseladder
