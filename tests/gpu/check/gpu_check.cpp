// gpu_check: what a helper program computes, compared with files, and how long it takes. tests/gpu_check.sh
// builds it, and prints what it prints as one table.
#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/gpu/check/case_files.h"
#include "tests/gpu/check/contract_rows.h"
#include "tests/gpu/check/helper_line.h"
#include "tests/gpu/check/speed_rows.h"

namespace {

namespace tests = phaseladder::tests;
namespace gpu = phaseladder::gpu;

constexpr int wrongExit = 1, usageExit = 2, noDeviceExit = 3;
constexpr const char* help =
    "gpu_check [--device] [--cases FOLDER [--only NAME]...] [--speed LENGTH,...] -- HELPER [ARGUMENT]...\n"
    "  --device   which device the helper has\n"
    "  --cases    what the helper answers to the files NAME.frames, a row each\n"
    "  --speed    how fast it is with texts of these lengths\n"
    "Exit: 0, 1 where something computed is wrong, 2 wrong arguments, 3 the helper has no device.\n";

struct Options {
    bool isDevice = false, isGood = false;
    std::string folder;
    std::vector<std::string> only;
    std::vector<std::int64_t> lengths;
    std::vector<std::string> helper;
};

/// Numbers with a comma between them; none where it is something else.
std::vector<std::int64_t> readLengths(const std::string& text) {
    std::vector<std::int64_t> lengths;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        std::int64_t length = 0;
        const auto [rest, error] = std::from_chars(at, end, length);
        if (error != std::errc() || length < 2 || (rest != end && *rest != ',')) {
            return {};
        }
        lengths.push_back(length);
        at = rest == end ? end : rest + 1;
    }
    return lengths;
}

Options readOptions(const std::vector<std::string>& words) {
    Options options;
    for (std::size_t at = 0; at < words.size(); ++at) {
        const std::string value = at + 1 < words.size() ? words[at + 1] : std::string();
        if (words[at] == "--") {
            options.helper.assign(words.begin() + std::ptrdiff_t(at) + 1, words.end());
            options.isGood = !options.helper.empty();
            return options;
        }
        if (words[at] == "--device") {
            options.isDevice = true;
            continue;
        }
        if (words[at] == "--cases") {
            options.folder = value;
        } else if (words[at] == "--only") {
            options.only.push_back(value);
        } else if (words[at] == "--speed") {
            options.lengths = readLengths(value);
        } else {
            break;
        }
        if (options.folder.empty() && options.lengths.empty()) {
            break;
        }
        ++at;
    }
    options.isGood = false;
    return options;
}

std::string versionText(int version) {
    return version == 0 ? "none" : tests::formatted("%d.%d", version / 1000, version % 1000 / 10);
}

int printDevice(const std::vector<std::string>& helper) {
    const auto hello = tests::HelperLine(helper).greet();
    if (!hello) {
        std::printf("%s\n", hello.error().message.c_str());
        return hello.error().kind == phaseladder::ErrorKind::unavailable ? noDeviceExit : wrongExit;
    }
    std::printf("%s, capability %d.%d, %.0f GiB; CUDA of the driver %s, of the runtime %s\n",
                hello->device.c_str(), hello->capabilityMajor, hello->capabilityMinor,
                static_cast<double>(hello->memoryBytes) / 0x1p30, versionText(hello->driverVersion).c_str(),
                versionText(hello->runtimeVersion).c_str());
    return EXIT_SUCCESS;
}

int printContract(const Options& options) {
    const auto files = tests::caseFiles(options.folder);
    if (!files) {
        std::fprintf(stderr, "gpu_check: %s\n", files.error().message.c_str());
        return usageExit;
    }
    std::size_t printed = 0;
    int exit = EXIT_SUCCESS;
    for (const std::filesystem::path& file : *files) {
        if (!options.only.empty() && std::ranges::count(options.only, file.stem().string()) == 0) {
            continue;
        }
        const tests::Row row = tests::contractRow(file, options.helper);
        tests::print(row);
        printed += 1;
        exit = row.verdict == tests::Verdict::wrong ? wrongExit : exit;
    }
    return printed == 0 || printed < options.only.size() ? usageExit : exit;
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = readOptions({argv + 1, argv + argc});
    if (!options.isGood) {
        std::fputs(help, stderr);
        return usageExit;
    }
    std::signal(SIGPIPE, SIG_IGN);
    int exit = options.isDevice ? printDevice(options.helper) : EXIT_SUCCESS;
    if (exit == EXIT_SUCCESS && !options.folder.empty()) {
        exit = printContract(options);
    }
    if (!options.lengths.empty() && (exit == EXIT_SUCCESS || exit == wrongExit) &&
        tests::printSpeedRows(options.lengths, options.helper) == tests::Outcome::wrong) {
        exit = wrongExit;
    }
    return exit;
}
