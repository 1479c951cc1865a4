#pragma once

#include "core/import/read_file.h"
#include "core/result.h"

namespace phaseladder {

/// The files that tables of numbers are read from.
enum class TableFile { npy, safetensors };

/// Which of them a file is, by its content; one that looks like neither is judged by its ending, so that it
/// gets that reader's sentence. Archives and everything else are refused.
[[nodiscard]] Result<TableFile> tableFileKind(const OpenFile& file);

}  // namespace phaseladder
