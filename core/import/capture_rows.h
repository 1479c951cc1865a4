#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/head_rows.h"
#include "core/encodings/encoding.h"
#include "core/import/capture.h"
#include "core/result.h"

namespace phaseladder {

/// The rows of one head of an array.
struct CaptureRows {
    HeadRows rows;  ///< in single precision
    /// Rows with a number that is none in single precision: NaN, an infinity, or beyond ±3.4e38; ascending.
    std::vector<std::int64_t> undefined;
    std::int64_t channel = 0;  ///< of the first such number in the first of these rows
    std::string what;          ///< "a NaN", "an infinity", "a number beyond single precision"
};

/// How rows that were taken after RoPE are turned back: row i stood at position start + i.
struct TurnedBy {
    PairRotation rotation;
    std::int64_t start = 0;

    friend bool operator==(const TurnedBy&, const TurnedBy&) = default;
};

/// Reads a head, once: the last heads are kept, for all who ask, as long as their file stays as it is.
/// Numbers are read piece by piece, straight to where they belong; rows are turned back in double precision.
/// Refused (invalidInput): a file that changed since it was opened, or while it is read; more memory than
/// there is.
[[nodiscard]] Result<std::shared_ptr<const CaptureRows>> readCaptureRows(
    const FileState& file, const CaptureArray& array, std::int64_t head,
    const std::optional<TurnedBy>& turned, std::stop_token stop = {});

}  // namespace phaseladder
