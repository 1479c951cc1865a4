#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "gpu/helper/device_session.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {

/// A matrix in device memory, as it was sent.
struct DeviceRows {
    DeviceRows(DeviceSession& session, const RowsMessage& message);

    std::int64_t rows;
    int width;
    DeviceArray<float> distinct;       ///< distinct rows × width
    DeviceArray<std::uint32_t> rowOf;  ///< empty: row i is distinct row i
};

/// The matrices of a problem; values may be null.
struct ProblemRows {
    const DeviceRows* queries = nullptr;
    const DeviceRows* keys = nullptr;
    const DeviceRows* values = nullptr;
};

/// A problem in device memory: queries and keys turned once, tables of offsets, and the sums of those rows
/// that were gone through.
class DeviceProblem {
public:
    /// Launches that read the rows may still run when it is made.
    DeviceProblem(DeviceSession& session, const ProblemMessage& message, const ProblemRows& rows);

    [[nodiscard]] int width() const { return m_width; }
    /// Numbers from one row to the next: the width, and zeros up to a multiple of 16.
    [[nodiscard]] int stride() const { return m_stride; }
    [[nodiscard]] std::int64_t queryRows() const { return m_queryRows; }
    [[nodiscard]] std::int64_t keyRows() const { return m_seen.keys; }
    [[nodiscard]] bool hasValues() const { return m_values.size() > 0; }
    [[nodiscard]] bool hasRelativeKeys() const { return m_relativeKeys.size() > 0; }
    /// How many keys, from the first, a query sees.
    [[nodiscard]] std::int64_t seenBy(std::int64_t query) const;

    /// What scoring kernels are given of the problem; rows, columns and parts are left to the caller.
    [[nodiscard]] ScoreColumnsArguments scores() const;
    /// Whether the tensor cores can do it: scores are q·k and a bias, and the device has such cores.
    [[nodiscard]] bool isForTensors(const DeviceSession& session) const;
    /// The same for the tensor cores, in bf16, which is made when it is asked for first.
    [[nodiscard]] TensorScoresArguments tensorScores(DeviceSession& session);
    /// Queries, table, and what of its offsets the rows meet; rows and products are left to the caller.
    [[nodiscard]] RelativeProductsArguments relativeProducts() const;
    [[nodiscard]] HiddenStatesArguments hiddenStates() const;
    [[nodiscard]] RelativeTableArguments relativeTable() const;

    /// Of each query, filled by sumRows and hiddenStates.
    [[nodiscard]] Part* sums() const { return m_sums.data(); }
    [[nodiscard]] float* sumErrors() const { return m_sumErrors.data(); }
    /// Of each query: whether its sum is there.
    std::vector<bool> isSummed;
    /// Of each query: |Σ weights - 1|, where its sum is there.
    std::vector<float> sumErrorOf;

private:
    void turn(DeviceSession& session, const ProblemMessage& message, const ProblemRows& rows);

    int m_width, m_stride;
    std::int64_t m_queryRows;
    SeenKeys m_seen;
    float m_scale;
    std::int64_t m_growthCentre = 0;
    DeviceArray<std::uint64_t> m_turnsPerToken;
    DeviceArray<std::uint8_t> m_axisOfPair;
    DeviceArray<std::int64_t> m_axisPositions;
    DeviceArray<double> m_growth;  // of each channel of the stride
    DeviceArray<float> m_bias, m_relativeKeys, m_relativeValues, m_contentOffset, m_positionOffset;
    std::int64_t m_biasReach = 0, m_keyReach = 0, m_valueReach = 0;
    DeviceArray<float> m_queries, m_keys, m_values;
    DeviceArray<std::uint16_t> m_queriesInBf16, m_keysInBf16;
    DeviceArray<Part> m_sums;
    DeviceArray<float> m_sumErrors;
};

}  // namespace phaseladder::gpu
