#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/attention/head_rows.h"
#include "core/attention/problem.h"
#include "core/phase/cos_sin_table.h"

namespace phaseladder {

/// cos and sin of a rotation at any position in single precision, from small tables where all positions are
/// those of a text, and turns rows with them. Safe to use from several threads at once.
class RowTurner {
public:
    /// Positions up to lastPosition; no rotation leaves rows as they are.
    RowTurner(const std::optional<PairRotation>& rotation, std::int64_t lastPosition);

    /// Writes rows begin .. end-1 of a head to `to`, (end - begin) × d, row-major, each turned as at the
    /// position start + row. No growth.
    void copyTurned(const HeadRows& rows, std::int64_t begin, std::int64_t end, std::int64_t start,
                    float* to) const;

private:
    struct Angles {
        std::vector<float> cosine, sine;
    };
    void setAngles(std::int64_t position, Angles& angles, Angles& scratch) const;

    const PairRotation* m_rotation = nullptr;
    std::optional<CosSinTable> m_table;  // none: each angle by itself
};

/// What the channels of a head grow by per position: g of each channel's pair, 0 where there is none. Empty
/// without growth.
[[nodiscard]] std::vector<double> channelGrowth(const EncodingPlan& plan, std::int64_t width);

}  // namespace phaseladder
