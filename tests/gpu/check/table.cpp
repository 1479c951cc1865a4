#include "tests/gpu/check/table.h"

namespace phaseladder::tests {

void print(const Row& row) {
    const char* verdict = row.verdict == Verdict::ok      ? "ok"
                          : row.verdict == Verdict::wrong ? "WRONG"
                                                          : "MISSED";
    std::printf("| %s | %d | %s | %s | %s |\n", row.what.c_str(), row.cases, row.result.c_str(),
                row.bar.c_str(), verdict);
    std::fflush(stdout);
}

}  // namespace phaseladder::tests
