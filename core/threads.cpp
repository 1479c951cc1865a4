#include "core/threads.h"

#include <algorithm>
#include <exception>

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

void forEachInParallel(int count, int mostThreads, const std::function<void(int)>& work) {
    [[maybe_unused]] const int threads = std::max(std::min({mostThreads, threadCount(), count}), 1);
    std::exception_ptr thrown;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (int index = 0; index < count; ++index) {
        try {
            work(index);
        } catch (...) {
#pragma omp critical
            thrown = thrown ? thrown : std::current_exception();
        }
    }
    if (thrown) {
        std::rethrow_exception(thrown);
    }
}

}  // namespace phaseladder
