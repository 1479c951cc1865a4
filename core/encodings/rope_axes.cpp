#include "core/encodings/rope_axes.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/number_text.h"

namespace phaseladder {
namespace {

bool isMrope(RopeAxes axes) {
    return axes == RopeAxes::mrope || axes == RopeAxes::mrope_interleaved;
}

/// Interleaved: every third pair is a row's or a column's, while its section lasts (Qwen3-VL).
std::uint8_t interleavedAxis(int pair, const std::vector<int>& sections) {
    const int axis = pair % 3;
    return axis > 0 && pair < 3 * sections[static_cast<std::size_t>(axis)] ? static_cast<std::uint8_t>(axis)
                                                                           : 0;
}

std::uint8_t sectionAxis(int pair, const std::vector<int>& sections) {
    return pair < sections[0] ? 0 : pair < sections[0] + sections[1] ? 1 : 2;
}

}  // namespace

std::vector<int> mropeSections(const Scene& scene, int pairs) {
    if (scene.rope.sections.size() == 3) {
        return {static_cast<int>(scene.rope.sections[0]), static_cast<int>(scene.rope.sections[1]),
                static_cast<int>(scene.rope.sections[2])};
    }
    const bool isInterleaved = scene.rope.axes == RopeAxes::mrope_interleaved;
    const int rowsAndColumns = isInterleaved ? pairs * 20 / 64 : pairs * 24 / 64;
    return {pairs - 2 * rowsAndColumns, rowsAndColumns, rowsAndColumns};
}

std::vector<std::string> axisNames(RopeAxes axes) {
    if (axes == RopeAxes::text) {
        return {"position"};
    }
    return isMrope(axes) ? std::vector<std::string>{"time", "row", "column"}
                         : std::vector<std::string>{"row", "column"};
}

std::vector<std::uint8_t> axisOfPair(const Scene& scene, int pairs) {
    std::vector<std::uint8_t> axes;
    const std::vector<int> sections =
        isMrope(scene.rope.axes) ? mropeSections(scene, pairs) : std::vector<int>();
    for (int pair = 0; pair < pairs; ++pair) {
        switch (scene.rope.axes) {
            case RopeAxes::text:
                return {};
            case RopeAxes::mrope:
                axes.push_back(sectionAxis(pair, sections));
                break;
            case RopeAxes::mrope_interleaved:
                axes.push_back(interleavedAxis(pair, sections));
                break;
            case RopeAxes::vision_2d:
                axes.push_back(pair < pairs / 2 ? 0 : 1);
                break;
            case RopeAxes::vision_2d_alternating:
                axes.push_back(static_cast<std::uint8_t>(pair % 2));
                break;
        }
    }
    return axes;
}

std::vector<std::int64_t> axisPositions(const Scene& scene, std::int64_t tokens) {
    const RopeSettings& rope = scene.rope;
    std::vector<std::int64_t> positions;
    if (rope.axes == RopeAxes::text) {
        return positions;
    }
    if (!isMrope(rope.axes)) {
        for (std::int64_t token = 0; token < tokens; ++token) {
            positions.insert(positions.end(), {token / rope.gridColumns, token % rope.gridColumns});
        }
        return positions;
    }
    const std::int64_t patches = rope.gridRows * rope.gridColumns;
    const std::int64_t afterImage = rope.gridStart + std::max(rope.gridRows, rope.gridColumns);
    for (std::int64_t token = 0; token < tokens; ++token) {
        const std::int64_t patch = token - rope.gridStart;
        if (patch < 0) {
            positions.insert(positions.end(), 3, token);
        } else if (patch < patches) {
            positions.insert(positions.end(), {rope.gridStart, rope.gridStart + patch / rope.gridColumns,
                                               rope.gridStart + patch % rope.gridColumns});
        } else {
            positions.insert(positions.end(), 3, afterImage + patch - patches);
        }
    }
    return positions;
}

Result<void> checkAxes(const Scene& scene, int pairs) {
    const RopeSettings& rope = scene.rope;
    if (rope.axes == RopeAxes::vision_2d && pairs % 2 != 0) {
        return fail(
            ErrorKind::usage,
            fmt::format("rope.axes vision_2d halves the pairs: the rotary width must be a multiple of 4 "
                        "(got {}).",
                        2 * pairs));
    }
    if (!isMrope(rope.axes) || rope.sections.empty()) {
        return {};
    }
    if (rope.sections.size() != 3) {
        return fail(ErrorKind::usage,
                    fmt::format("rope.sections needs 3 numbers, pairs of time, row and column (got {}).",
                                rope.sections.size()));
    }
    for (const double section : rope.sections) {
        if (!(section >= 0.0 && section <= 512.0) || section != std::floor(section)) {
            return fail(ErrorKind::usage,
                        fmt::format("rope.sections holds whole numbers of pairs, 0..512 (got {}).",
                                    formatNumber(section)));
        }
    }
    const double sum = std::accumulate(rope.sections.begin(), rope.sections.end(), 0.0);
    if (sum != pairs) {
        return fail(
            ErrorKind::usage,
            fmt::format("rope.sections {} sum to {}; they must sum to the {} pairs of the rotary width {}.",
                        fmt::join(rope.sections, " + "), sum, pairs, 2 * pairs));
    }
    // Interleaved, an axis has every third pair at most.
    const std::vector<std::uint8_t> owners = axisOfPair(scene, pairs);
    for (std::uint8_t axis = 0; axis < 3; ++axis) {
        const auto turned = std::ranges::count(owners, axis);
        if (static_cast<double>(turned) != rope.sections[axis]) {
            return fail(
                ErrorKind::usage,
                fmt::format("rope.sections gives {} {} pairs; interleaved, every third of {} can be its: {}.",
                            axisNames(rope.axes)[axis], rope.sections[axis], pairs, turned));
        }
    }
    return {};
}

}  // namespace phaseladder
