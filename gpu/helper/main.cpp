// phaseladder-gpu: attention on a GPU, or on an emulated one, for phaseladder, which starts it and speaks to
// it over standard input and output (gpu/README.md). On a terminal it says what it finds.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/keep_memory.h"
#include "gpu/helper/conversation.h"
#include "gpu/helper/cuda_device.h"
#include "gpu/helper/device_probe.h"
#include "gpu/helper/emulated_device.h"
#include "gpu/helper/faulty_device.h"

namespace {

namespace gpu = phaseladder::gpu;

constexpr int usageExit = 2;
constexpr const char* help =
    "phaseladder-gpu [--emulate [--order forward|reverse|shuffled]] [--fault CALL:CODE[@REQUEST][*]]...\n"
    "                [--deadline SECONDS]\n"
    "Attention on a GPU for phaseladder, which starts it by itself or with --helper \"COMMAND\".\n"
    "  --emulate         run the kernels on the processor, a thread for each of theirs: slow, for tests\n"
    "  --order ORDER     in which emulated blocks run\n"
    "  --fault FAULT     let a call to the device go wrong, for tests: launch:700@2, allocate:2*, "
    "query:hang@1\n"
    "  --deadline N      seconds after which a launch will not end any more (5; emulated 600)\n"
    "On a terminal it says which GPU it finds. Exit: 0, or 1 after a fault, 2 wrong arguments.\n";

struct Options {
    bool isEmulated = false, isHelp = false, isVersion = false;
    gpu::BlockOrder order = gpu::BlockOrder::forward;
    std::vector<gpu::PlannedFault> faults;
    double deadlineSeconds = 0.0;  // 0: of the device
};

/// The options, or one sentence about what is wrong with them.
phaseladder::Result<Options> readOptions(const std::vector<std::string>& words) {
    const auto refuse = [](std::string sentence) {
        return phaseladder::fail(phaseladder::ErrorKind::usage, std::move(sentence));
    };
    Options options;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string& name = words[at];
        const bool takesValue = name == "--order" || name == "--fault" || name == "--deadline";
        if (takesValue && at + 1 == words.size()) {
            return refuse(name + " needs a value.");
        }
        const std::string value = takesValue ? words[++at] : std::string();
        if (name == "--emulate") {
            options.isEmulated = true;
        } else if (name == "--help") {
            options.isHelp = true;
        } else if (name == "--version") {
            options.isVersion = true;
        } else if (name == "--order" && (value == "forward" || value == "reverse" || value == "shuffled")) {
            options.order = value == "forward"   ? gpu::BlockOrder::forward
                            : value == "reverse" ? gpu::BlockOrder::reverse
                                                 : gpu::BlockOrder::shuffled;
        } else if (name == "--order") {
            return refuse("--order is forward, reverse or shuffled (got \"" + value + "\").");
        } else if (name == "--fault") {
            phaseladder::Result<gpu::PlannedFault> fault = gpu::readFault(value);
            if (!fault) {
                return tl::unexpected(fault.error());
            }
            options.faults.push_back(*std::move(fault));
        } else if (name == "--deadline") {
            char* end = nullptr;
            options.deadlineSeconds = std::strtod(value.c_str(), &end);
            if (value.empty() || *end != '\0' || !(options.deadlineSeconds > 0.0) ||
                options.deadlineSeconds > 3600.0) {
                return refuse("--deadline is above 0 and at most 3600 seconds (got \"" + value + "\").");
            }
        } else {
            return refuse("phaseladder-gpu does not know \"" + name + "\"; --help lists what it knows.");
        }
    }
    return options;
}

gpu::DeviceCalls makeDevice(const Options& options) {
    gpu::DeviceCalls device =
        options.isEmulated ? gpu::makeEmulatedDevice(options.order) : gpu::makeCudaDevice();
    if (options.deadlineSeconds > 0.0) {
        device.deadlineSeconds = options.deadlineSeconds;
    }
    return options.faults.empty() ? device : gpu::makeFaulty(std::move(device), options.faults);
}

bool writeAll(const gpu::Bytes& bytes) {
    std::size_t written = 0;
    while (written < bytes.size()) {
        const ssize_t count = write(STDOUT_FILENO, bytes.data() + written, bytes.size() - written);
        if (count < 0 && errno != EINTR) {
            return false;
        }
        written += count < 0 ? 0 : static_cast<std::size_t>(count);
    }
    return true;
}

int tellWhatIsFound(gpu::DeviceSession& session) {
    const gpu::HelperHello hello = gpu::probeDevice(session, [] {});
    if (hello.state != gpu::HelperState::ready) {
        std::printf("phaseladder-gpu: %s.\n", hello.reason.c_str());
        return EXIT_FAILURE;
    }
    std::printf("phaseladder-gpu: %s is ready. Use it with: phaseladder --backend gpu\n",
                hello.device.c_str());
    return EXIT_SUCCESS;
}

int speak(gpu::DeviceSession& session) {
#ifdef F_SETPIPE_SZ
    constexpr int pipeBytes = 1 << 20;
    (void)fcntl(STDOUT_FILENO, F_SETPIPE_SZ, pipeBytes);  // where it is no pipe, or may not grow, it stays
#endif
    gpu::Inbox inbox(STDIN_FILENO);
    const gpu::Conversation::End end = gpu::Conversation(session, inbox, writeAll).run();
    if (end == gpu::Conversation::End::ofSelf) {
        std::_Exit(EXIT_FAILURE);  // the line is still open, and a lost device must not be asked to end
    }
    return EXIT_SUCCESS;
}

}  // namespace

int main(int argc, char** argv) {
    const phaseladder::Result<Options> options = readOptions({argv + 1, argv + argc});
    if (!options) {
        std::fprintf(stderr, "phaseladder-gpu: %s\n", options.error().message.c_str());
        return usageExit;
    }
    if (options->isHelp || options->isVersion) {
        std::fputs(options->isHelp ? help : "phaseladder-gpu " PHASELADDER_VERSION "\n", stdout);
        return EXIT_SUCCESS;
    }
    std::signal(SIGPIPE, SIG_IGN);
    phaseladder::keepFreedMemory();
    if (options->isEmulated) {
        constexpr int politeness = 10;  // hundreds of threads leave the processor to the window
        [[maybe_unused]] const int now = nice(politeness);
    }
    gpu::DeviceSession session(makeDevice(*options));
    return isatty(STDIN_FILENO) != 0 ? tellWhatIsFound(session) : speak(session);
}
