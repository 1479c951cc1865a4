// Writes the seeds of the streams between the program and its GPU helper into a folder, that of
// tests/fuzz/corpus:
//     cmake --build build/dev --target make_streams && build/dev/bin/make_streams tests/fuzz/corpus

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>

#include "tests/gpu/sample_messages.h"

namespace gpu = phaseladder::gpu;
namespace samples = phaseladder::tests;

namespace {

gpu::Bytes joined(std::initializer_list<gpu::Bytes> frames) {
    gpu::Bytes stream;
    for (const gpu::Bytes& frame : frames) {
        stream.insert(stream.end(), frame.begin(), frame.end());
    }
    return stream;
}

void save(const std::filesystem::path& folder, const std::string& name, const gpu::Bytes& stream) {
    std::filesystem::create_directories(folder);
    std::ofstream file(folder / (name + ".bin"), std::ios::binary);
    file.write(reinterpret_cast<const char*>(stream.data()), static_cast<std::streamsize>(stream.size()));
}

/// Cut off in the middle of its payload.
gpu::Bytes cut(gpu::Bytes frame) {
    frame.resize(frame.size() - 5);
    return frame;
}

gpu::Bytes damaged(gpu::Bytes frame) {
    frame.back() ^= std::byte{1};
    return frame;
}

void saveHelperStreams(const std::filesystem::path& folder) {
    const gpu::Bytes hello = gpu::encode(samples::filledHello());
    save(folder, "hello", hello);
    save(folder, "rows", gpu::encode(samples::filledRows()));
    save(folder, "rows_empty", gpu::encode(samples::emptyRows()));
    save(folder, "problem", gpu::encode(samples::filledProblem()));
    save(folder, "problem_empty", gpu::encode(samples::emptyProblem()));
    save(folder, "run", gpu::encode(samples::filledRun()));
    save(folder, "run_empty", gpu::encode(samples::emptyRun()));
    save(folder, "orders", gpu::encode(samples::filledOrders()));
    save(folder, "orders_empty", gpu::encode(samples::emptyOrders()));
    save(folder, "echo", gpu::encode(gpu::EchoMessage{1, 1000}));
    save(folder, "cancel", gpu::encode(gpu::CancelMessage{9}));
    save(folder, "conversation",
         joined({hello, gpu::encode(samples::filledRows()), gpu::encode(samples::filledProblem()),
                 gpu::encode(samples::filledRun()), gpu::encode(gpu::CancelMessage{9}), gpu::encodeBye()}));
    save(folder, "cut", joined({hello, cut(gpu::encode(samples::filledProblem()))}));
    save(folder, "damaged", joined({hello, damaged(gpu::encode(samples::filledRows()))}));
}

void saveClientStreams(const std::filesystem::path& folder) {
    const gpu::Bytes hello = gpu::encode(samples::filledHelperHello());
    save(folder, "hello", hello);
    save(folder, "hello_empty", gpu::encode(gpu::HelperHello()));
    save(folder, "progress", gpu::encode(gpu::ProgressMessage{9, 1, 4}));
    save(folder, "result", gpu::encode(samples::filledResult()));
    save(folder, "result_empty", gpu::encode(gpu::ResultMessage{.id = 1}));
    save(folder, "echo", gpu::encode(gpu::ResultMessage{.id = 1, .map = {1.0f, 2.0f}}));
    save(folder, "error", gpu::encode(samples::filledError()));
    save(folder, "conversation",
         joined({hello, gpu::encode(gpu::ProgressMessage{9, 1, 4}), gpu::encode(samples::filledResult()),
                 gpu::encode(samples::filledError()), gpu::encodeBye()}));
    save(folder, "cut", joined({hello, cut(gpu::encode(samples::filledResult()))}));
    save(folder, "damaged", joined({hello, damaged(gpu::encode(samples::filledResult()))}));
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) {
        std::fputs("make_streams FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = arguments[1];
    saveHelperStreams(folder / "helper_stream");
    saveClientStreams(folder / "client_stream");
    return 0;
}
