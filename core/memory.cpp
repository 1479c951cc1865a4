#include "core/memory.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace phaseladder {

double availableMemoryBytes() {
    constexpr double kibibyte = 1024.0;
    std::ifstream lines("/proc/meminfo");
    std::string key;
    double kibibytes = 0.0;
    std::string unit;
    while (lines >> key >> kibibytes) {
        if (key == "MemAvailable:") {
            return kibibytes * kibibyte;
        }
        std::getline(lines, unit);
    }
    const double pages = static_cast<double>(sysconf(_SC_PHYS_PAGES));
    const double pageBytes = static_cast<double>(sysconf(_SC_PAGESIZE));
    return pages > 0.0 && pageBytes > 0.0 ? 0.5 * pages * pageBytes : 0.0;
}

}  // namespace phaseladder
