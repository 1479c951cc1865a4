#include "core/import/table_file.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "core/import/npy.h"
#include "core/import/safetensors.h"

namespace phaseladder {

Result<TableFile> tableFileKind(const OpenFile& file) {
    std::string beginning(std::min<std::uint64_t>(file.bytes(), safetensorsLengthBytes + 1), '\0');
    if (const Result<void> read = file.read(0, beginning); !read) {
        return tl::unexpected(read.error());
    }
    const std::filesystem::path ending = file.path().extension();
    const bool known = looksLikeNpy(beginning) || looksLikeSafetensors(beginning);
    if (looksLikeArchive(beginning) && ending != ".npz") {
        return fail(ErrorKind::invalidInput,
                    "Archives, PyTorch's files too, are not read; save the table as .npy or .safetensors.");
    }
    if (looksLikeNpy(beginning) || looksLikeArchive(beginning) || (!known && ending == ".npy")) {
        return TableFile::npy;
    }
    if (known || ending == ".safetensors") {
        return TableFile::safetensors;
    }
    return fail(ErrorKind::invalidInput, "Neither a .npy nor a .safetensors file.");
}

}  // namespace phaseladder
