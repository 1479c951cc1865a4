#pragma once

// Phases, and rows turned by them.
//   fillPhaseTable  one thread a number: cos and sin of p · W. Truth: CosSinTable (core/phase).
//   turnRows        one thread a pair of channels, or two that do not turn: gathers a row, turns it as at its
//                   position, pads it with zeros. Truth: RowTurner (core/attention/turned_rows.h),
//                   rotateKey().
// A phase is the 64-bit product p · W, which wraps by itself; its signed nearest fraction of a turn goes to
// sincospi in double precision. So no position is slow, and the error is one rounding to float.

#include "gpu/kernels/platform.cuh"

namespace phaseladder::gpu {

struct PhaseNumbers {
    float cosine, sine;
};

__device__ inline PhaseNumbers phaseNumbers(std::uint64_t turns) {
    // 2^64 is a turn, so that the signed value times 2^-63 is the angle in units of pi.
    double cosine = 1.0, sine = 0.0;
    sincospi(static_cast<double>(static_cast<std::int64_t>(turns)) * 0x1p-63, &sine, &cosine);
    return {static_cast<float>(cosine), static_cast<float>(sine)};
}

/// The upper half of a number's bits, rounded to nearest even; NaN stays NaN.
__device__ inline std::uint16_t bf16Bits(float number) {
    const std::uint32_t bits = floatBits(number);
    if (number != number) {
        return 0x7FC0U;
    }
    return static_cast<std::uint16_t>((bits + 0x7FFFU + (bits >> 16U & 1U)) >> 16U);
}

__device__ inline std::int64_t positionOnAxis(const Rotation& rotation, int pair, std::int64_t position) {
    if (rotation.axisPositions == nullptr) {
        return position;
    }
    const int axis = rotation.axisOfPair == nullptr ? 0 : rotation.axisOfPair[pair];
    return rotation.axisPositions[position * rotation.axes + axis];
}

__device__ inline PhaseNumbers phaseOf(const Rotation& rotation, int pair, std::int64_t position) {
    const auto onAxis = static_cast<std::uint64_t>(positionOnAxis(rotation, pair, position));
    const PhaseNumbers exact = phaseNumbers(rotation.turnsPerToken[pair] * onAxis);
    return {exact.cosine * rotation.attentionFactor, exact.sine * rotation.attentionFactor};
}

__global__ void __launch_bounds__(plainThreads) fillPhaseTable(PhaseTableArguments table) {
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * plainThreads + threadIdx.x;
    const int pairs = table.rotation.pairs;
    if (at < table.rows * pairs) {
        const PhaseNumbers numbers =
            phaseOf(table.rotation, static_cast<int>(at % pairs), table.start + at / pairs * table.step);
        table.cosine[at] = numbers.cosine;
        table.sine[at] = numbers.sine;
    }
}

__global__ void __launch_bounds__(plainThreads) turnRows(TurnRowsArguments turn) {
    const int couples = turn.stride / 2;
    const std::int64_t at = static_cast<std::int64_t>(blockIdx.x) * plainThreads + threadIdx.x;
    if (at >= turn.rows * couples) {
        return;
    }
    const std::int64_t row = at / couples;
    const int couple = static_cast<int>(at % couples);
    const Rotation& rotation = turn.rotation;
    // The first couples are the pairs that turn; the others take the channels that are left, two by two.
    const bool isTurned = couple < rotation.pairs;
    const bool isHalves = isTurned && !rotation.isInterleaved;
    const int first = isHalves ? couple : 2 * couple;
    const int second = isHalves ? couple + rotation.pairs : first + 1;
    const std::int64_t source = turn.rowOf == nullptr ? row : turn.rowOf[row];
    const float* numbers = turn.distinct + source * turn.width;
    float x = first < turn.width ? numbers[first] : 0.0f;
    float y = second < turn.width ? numbers[second] : 0.0f;
    if (isTurned) {
        const PhaseNumbers phase = phaseOf(rotation, couple, turn.start + row);
        const float turned = x * phase.cosine - y * phase.sine;
        y = x * phase.sine + y * phase.cosine;
        x = turned;
    }
    if (turn.growth.perToken != nullptr) {
        const auto distance = static_cast<double>(row - tileCentre(row));
        x *= static_cast<float>(exp(-turn.growth.perToken[first] * distance));
        y *= static_cast<float>(exp(-turn.growth.perToken[second] * distance));
    }
    if (turn.turned != nullptr) {
        turn.turned[row * turn.stride + first] = x;
        turn.turned[row * turn.stride + second] = y;
    }
    if (turn.inBf16 != nullptr) {
        turn.inBf16[row * turn.stride + first] = bf16Bits(x);
        turn.inBf16[row * turn.stride + second] = bf16Bits(y);
    }
}

}  // namespace phaseladder::gpu
