#include "tests/gpu/check/case_files.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <span>
#include <system_error>

namespace phaseladder::tests {

Result<std::vector<std::filesystem::path>> caseFiles(const std::filesystem::path& folder) {
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        if (entry.path().extension() == ".frames") {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    if (files.empty()) {
        return fail(ErrorKind::invalidInput, folder.string() + " has no files NAME.frames.");
    }
    return files;
}

Result<std::vector<gpu::Frame>> readFrames(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(stream), {}};
    gpu::FrameReader reader;
    reader.add(std::as_bytes(std::span(bytes)));
    std::vector<gpu::Frame> frames;
    for (;;) {
        Result<std::optional<gpu::Frame>> frame = reader.next();
        if (!frame) {
            return fail(ErrorKind::invalidInput, file.string() + ": " + frame.error().message);
        }
        if (!*frame) {
            break;
        }
        frames.push_back(std::move(**frame));
    }
    if (frames.empty() || reader.waiting() > 0) {
        return fail(ErrorKind::invalidInput, file.string() + " does not end with a whole frame.");
    }
    return frames;
}

double largestError(const std::vector<float>& ours, const std::vector<float>& right) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    if (ours.size() != right.size()) {
        return infinity;
    }
    double largest = 0.0;
    for (std::size_t at = 0; at < right.size(); ++at) {
        if (std::isfinite(ours[at]) && std::isfinite(right[at])) {
            const double error = std::abs(double(ours[at]) - double(right[at]));
            largest = std::max(largest, error / std::max(1.0, std::abs(double(right[at]))));
        } else if (std::isnan(ours[at]) != std::isnan(right[at]) || !std::isnan(ours[at])) {
            return infinity;
        }
    }
    return largest;
}

}  // namespace phaseladder::tests
