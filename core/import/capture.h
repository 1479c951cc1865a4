#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "core/import/capture_axes.h"
#include "core/import/read_file.h"
#include "core/result.h"
#include "core/scene.h"

namespace phaseladder {

/// A file as it was found.
struct FileState {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::filesystem::file_time_type changedAt;

    friend bool operator==(const FileState&, const FileState&) = default;
};
[[nodiscard]] FileState stateOf(const OpenFile& file);

/// What the headers and the labels of captured heads say; no number is read yet.
struct Capture {
    FileState queryFile, keyFile, valueFile;
    CaptureArrays arrays;
    SharedList<std::string> tokens;  ///< one for each position from 0; blank where there is no label
    std::vector<std::string> notes, warnings;  ///< sentences about dimensions and labels

    [[nodiscard]] std::int64_t positions() const { return static_cast<std::int64_t>(tokens.size()); }
};

/// Names of the tensors of a .safetensors file that look like captured queries, where it has keys too; of any
/// other file none.
[[nodiscard]] std::vector<std::string> capturedQueries(const std::filesystem::path& path);

/// The files that a person chose together, by what they are: a text or a JSON list is the labels; of tables
/// the one whose name (or whose tensors) looks like keys or values is that, and another one the queries. A
/// file of tokens that stands beside the queries (qk.tokens.json beside qk.safetensors) is found. Refused
/// with one sentence where a side is named twice, or there are no queries.
[[nodiscard]] Result<CaptureSettings> captureOfFiles(const std::vector<std::filesystem::path>& paths);

/// Opens the files of a capture that has queries. Refused with one sentence (invalidInput) that names the
/// file: what the readers of headers, chooseCaptureTensor and nameAxes refuse, more than 2^20 positions,
/// labels that cannot be read.
///
/// The last few answers are kept, refusals too: asking again for unchanged files costs a look at them, and
/// nothing where the newest answer will do (FileLook::remembered, which looks only where there is none). May
/// be called from any thread.
[[nodiscard]] Result<std::shared_ptr<const Capture>> openCapture(const CaptureSettings& settings,
                                                                 FileLook look = FileLook::now);

}  // namespace phaseladder
