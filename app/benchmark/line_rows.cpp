#include <chrono>
#include <stdexcept>

#include "app/benchmark/parts.h"
#include "gpu/helper_process.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::app {

/// The numbers of a map of 1024 × 1024 pixels from the helper program, which has them at once: what the line
/// costs, checksums and reading included.
std::vector<BenchmarkRow> helperLineRows() {
    constexpr std::uint64_t numbers = 1024 * 1024;
    constexpr double longestMs = 3.0;
    const QStringList words = gpu::helperWords(QStringLiteral("phaseladder-gpu"))
                              << QStringLiteral("--emulate");
    gpu::HelperProcess helper(words, "phaseladder-gpu", std::chrono::seconds(30));
    helper.send(encode(gpu::Hello{"phaseladder " PHASELADDER_VERSION}));
    const auto receive = [&helper] {
        Result<gpu::Frame> frame = helper.receive({});
        if (!frame) {
            throw std::runtime_error(frame.error().message);
        }
        return *std::move(frame);
    };
    (void)receive();
    BenchmarkRow row = measure("G_line_1024", "1024 x 1024 numbers from phaseladder-gpu", 101, [&](int run) {
        helper.send(encode(gpu::EchoMessage{static_cast<std::uint64_t>(run) + 1, numbers}));
        const Result<gpu::ResultMessage> result = gpu::decodeResult(receive().payload);
        if (!result || result->map.size() != numbers) {
            throw std::runtime_error(
                "The helper sent something else than the numbers that it was asked for.");
        }
    });
    row.amount = longestMs;
    return {row};
}

}  // namespace phaseladder::app
