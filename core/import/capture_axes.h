#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/import/capture_tensor.h"
#include "core/import/number_table.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// A captured array with its dimensions named:
///
///     heads × tokens × channels     tokens × heads × channels     tokens × channels (one head)
///
/// Leading dimensions of 1 before these are dropped: [1, 8, 512, 128] is [8, 512, 128].
struct CaptureArray {
    CaptureTensor tensor;
    std::int64_t heads = 1, tokens = 0, channels = 0;
    bool tokensFirst = false;  ///< of three dimensions

    /// Where the rows of a head stand.
    [[nodiscard]] NumberRows rowsOf(std::int64_t head) const;
};

struct CaptureArrays {
    CaptureArray queries, keys;
    std::optional<CaptureArray> values;
    std::vector<std::string> notes;  ///< where the shapes leave more than one reading
};

/// Names the dimensions of queries, keys and values together. Where `axes` leaves it to the shapes, a reading
/// counts whose heads fit (those of the queries are a multiple of those of the keys, which are the values'),
/// and then one with no more queries than keys; where both still fit, heads come first, and a note says both
/// readings. Refused with one sentence: another number of dimensions, an empty array, channels or heads or
/// rows that do not fit.
[[nodiscard]] Result<CaptureArrays> nameAxes(CaptureTensor queries, CaptureTensor keys,
                                             std::optional<CaptureTensor> values, CaptureAxes axes);

}  // namespace phaseladder
