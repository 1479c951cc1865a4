#pragma once

namespace phaseladder::app {

/// What this machine can do at most, measured now with all threads: what benchmark rows are compared with.
struct Ceilings {
    double fmaGigaflops = 0.0;        ///< float multiply-adds in registers, as wide as this build has them
    double gemmGigaflops = 0.0;       ///< the engine's own product alone, 96 × 128 tiles, depth 128
    double eigenGemmGigaflops = 0.0;  ///< Eigen's, to compare it with: float, 64 × 512 tiles, depth 128
    double expPerSecond = 0.0;        ///< float exponentials of an array
    double loadGigabytesPerSecond = 0.0;   ///< summing up 64 MiB of floats
    double storeGigabytesPerSecond = 0.0;  ///< writing 64 MiB of fresh floats
    double copyGigabytesPerSecond = 0.0;   ///< memcpy of 64 MiB, bytes read + written
};

/// Takes about one second.
[[nodiscard]] Ceilings measureCeilings();

}  // namespace phaseladder::app
