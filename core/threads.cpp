#include "core/threads.h"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace phaseladder {

void limitThreads([[maybe_unused]] int count) {
#ifdef _OPENMP
    omp_set_num_threads(count);
#endif
}

int threadCount() {
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

}  // namespace phaseladder
