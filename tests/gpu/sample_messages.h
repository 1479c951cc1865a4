#pragma once

#include <vector>

#include "gpu/protocol/messages.h"

namespace phaseladder::tests {

// A message of each kind with a number in every field, small, and one with nothing that can be left out.

[[nodiscard]] inline gpu::Hello filledHello() {
    return {.program = "phaseladder 0.1.0"};
}

[[nodiscard]] inline gpu::HelperHello filledHelperHello() {
    return {.program = "phaseladder-gpu 0.1.0",
            .state = gpu::HelperState::driverTooOld,
            .reason = "the driver is of CUDA 11.4, 13.0 is needed",
            .isEmulated = true,
            .device = "NVIDIA H200",
            .memoryBytes = 150'000'000'000,
            .freeBytes = 149'000'000'000,
            .capabilityMajor = 9,
            .capabilityMinor = 1,
            .driverVersion = 11040,
            .runtimeVersion = 13000,
            .productsPerSecond = 1.5e13};
}

[[nodiscard]] inline gpu::RowsMessage filledRows() {
    return {.key = 0x8000'0000'0000'0001,
            .width = 3,
            .distinct = {1.0f, -2.0f, 0.5f, 3.0f, 4.0f, -0.25f},
            .rowOf = {1, 0, 0, 1}};
}

[[nodiscard]] inline gpu::RowsMessage emptyRows() {
    return {.key = 1, .width = 1, .distinct = {}, .rowOf = {}};
}

/// Positions 0 .. 4, as keys stand at 2, 3 and 4; of width 4, so that two pairs turn.
[[nodiscard]] inline gpu::ProblemMessage filledProblem() {
    return {.key = 1,
            .queries = 2,
            .keys = 3,
            .values = 4,
            .width = 4,
            .queryRows = 2,
            .keyRows = 3,
            .queryStart = 1,
            .keyStart = 2,
            .defined = 4,
            .isCausal = true,
            .scale = 0.5,
            .rotation = gpu::RotationMessage{.turnsPerToken = {0x28BE60DB9391054A, 0xFFFF'FFFF'FFFF'FFFF},
                                             .isInterleaved = true,
                                             .attentionFactor = 1.25,
                                             .axes = 2,
                                             .axisOfPair = {0, 1},
                                             .axisPositions = {0, 0, 1, 1, 2, -2, 3, 3, 4, 7},
                                             .logGrowthPerToken = {-0.5, 0.25},
                                             .growthCentre = -3},
            .scoreBias = gpu::OffsetsMessage{.reach = 1, .numbers = {-1.0f, 0.0f, 2.0f}},
            .relativeKeys = gpu::OffsetsMessage{.reach = 0, .numbers = {1.0f, 2.0f, 3.0f, 4.0f}},
            .relativeValues = gpu::OffsetsMessage{.reach = 1, .numbers = std::vector<float>(12, 0.5f)},
            .contentOffset = {1.0f, 2.0f, 3.0f, 4.0f},
            .positionOffset = {5.0f, 6.0f, 7.0f, 8.0f}};
}

[[nodiscard]] inline gpu::ProblemMessage emptyProblem() {
    return {.key = 1, .queries = 1, .keys = 1, .width = 1};
}

/// A 2 × 2 map of the rows 4 .. 6 and columns 1 .. 5, of which the second row of pixels is wanted.
[[nodiscard]] inline gpu::RunMessage filledRun() {
    return {.id = 9,
            .problem = 1,
            .map = gpu::MapMessage{.rowBegin = 4,
                                   .rowEnd = 7,
                                   .columnBegin = 1,
                                   .columnEnd = 6,
                                   .pixelRows = 2,
                                   .pixelColumns = 2,
                                   .isMax = true,
                                   .isLogits = true,
                                   .firstPixelRow = 1,
                                   .endPixelRow = 2,
                                   .sampledRows = 2},
            .hiddenStates = true,
            .rowLogSums = true,
            .isTensor = true};
}

[[nodiscard]] inline gpu::RunMessage emptyRun() {
    return {.id = 1, .problem = 1};
}

/// The third to fifth order of three tokens of width 2.
[[nodiscard]] inline gpu::OrdersMessage filledOrders() {
    return {.id = 10,
            .tokens = 3,
            .width = 2,
            .isCausal = true,
            .scores = std::vector<float>(81, 0.75f),
            .values = std::vector<float>(18, -1.5f),
            .firstOrder = 2,
            .endOrder = 5,
            .present = std::vector<float>(6, 2.0f)};
}

[[nodiscard]] inline gpu::OrdersMessage emptyOrders() {
    return {.id = 1,
            .tokens = 2,
            .width = 1,
            .scores = std::vector<float>(16),
            .values = std::vector<float>(4),
            .present = std::vector<float>(2)};
}

[[nodiscard]] inline gpu::ResultMessage filledResult() {
    return {.id = 9,
            .pixelRows = 2,
            .pixelColumns = 3,
            .map = {0.5f, 0.25f, 0.0f, 1.0f, 0.125f, 0.75f},
            .shownColumns = {2, 3},
            .computedRows = 4,
            .hiddenRows = 1,
            .hiddenColumns = 2,
            .hidden = {-1.0f, 1.0f},
            .rowLogSums = {0.0f, 2.5f},
            .largestRowSumError = 1e-6f,
            .orderDifferences = {0.0f, 0.5f, 0.25f},
            .deviceMilliseconds = 1.75,
            .bytesRead = 4096};
}

[[nodiscard]] inline gpu::ErrorMessage filledError() {
    return {.id = 9, .state = gpu::HelperState::outOfMemory, .reason = "out of memory: 3 GiB of 2 GiB"};
}

}  // namespace phaseladder::tests
