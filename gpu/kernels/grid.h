#pragma once

namespace phaseladder::gpu {

/// Blocks of a launch: x × y of them; at most 65,535 along y.
struct Grid {
    unsigned x = 1, y = 1;
};

}  // namespace phaseladder::gpu
