#include <algorithm>
#include <iterator>
#include <system_error>

#include <fmt/format.h>

#include "core/import/capture.h"
#include "core/import/safetensors.h"
#include "core/import/table_file.h"

namespace phaseladder {
namespace {

tl::unexpected<Error> refuse(std::string sentence) {
    return fail(ErrorKind::invalidInput, std::move(sentence));
}

Result<void> take(std::string& place, const std::filesystem::path& path, std::string_view what) {
    if (!place.empty()) {
        return refuse(fmt::format("Two files are {}: {} and {}; choose one of them.", what, quotedPath(place),
                                  quotedPath(path)));
    }
    place = path.string();
    return {};
}

/// Where a table belongs, by its file's name; a file without a telling name takes the next free place.
Result<void> takeTable(CaptureSettings& settings, const std::filesystem::path& path) {
    const std::string name = path.stem().string();
    if (looksLikeSide(name, CaptureSide::keys)) {
        return take(settings.keys, path, "keys");
    }
    if (looksLikeSide(name, CaptureSide::values)) {
        return take(settings.values, path, "values");
    }
    if (!settings.queries.empty() && !looksLikeSide(name, CaptureSide::queries) && settings.keys.empty()) {
        return take(settings.keys, path, "keys");
    }
    return take(settings.queries, path, "queries");
}

}  // namespace

std::vector<std::string> capturedQueries(const std::filesystem::path& path) {
    Result<OpenFile> file = OpenFile::open(path);
    const Result<TableFile> kind = file.and_then([](const OpenFile& open) { return tableFileKind(open); });
    if (!kind || *kind != TableFile::safetensors) {
        return {};
    }
    const Result<std::vector<TensorEntry>> tensors = listTensors(*file);
    if (!tensors) {
        return {};
    }
    std::vector<std::string> queries;
    bool hasKeys = false;
    for (const TensorEntry& tensor : *tensors) {
        hasKeys = hasKeys || looksLikeSide(tensor.name, CaptureSide::keys);
        if (looksLikeSide(tensor.name, CaptureSide::queries)) {
            queries.push_back(tensor.name);
        }
    }
    return hasKeys ? queries : std::vector<std::string>();
}

Result<CaptureSettings> captureOfFiles(const std::vector<std::filesystem::path>& paths) {
    CaptureSettings settings;
    for (const std::filesystem::path& path : paths) {
        const bool isTable = path.extension() == ".npy" || path.extension() == ".safetensors";
        const Result<void> taken =
            isTable ? takeTable(settings, path) : take(settings.labels, path, "labels");
        if (!taken) {
            return tl::unexpected(taken.error());
        }
    }
    if (settings.queries.empty()) {
        return refuse("None of the files holds queries: choose a .safetensors or .npy file with them.");
    }
    std::filesystem::path tokens = settings.queries;
    tokens.replace_extension(".tokens.json");
    std::error_code error;
    if (settings.labels.empty() && std::filesystem::is_regular_file(tokens, error)) {
        settings.labels = tokens.string();
    }
    return settings;
}

}  // namespace phaseladder
