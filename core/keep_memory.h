#pragma once

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace phaseladder {

/// Keeps memory that was given back for the next one who asks: maps are megabytes that come and go, and fresh
/// pages cost more than what is computed into them. For the beginning of a program.
inline void keepFreedMemory() {
#ifdef __GLIBC__
    constexpr int ownMapping = 32 << 20, kept = 256 << 20;  // bytes; the first is the most that glibc takes
    mallopt(M_MMAP_THRESHOLD, ownMapping);
    mallopt(M_TRIM_THRESHOLD, kept);
#endif
}

}  // namespace phaseladder
