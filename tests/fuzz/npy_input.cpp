#include "core/import/npy.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/inputs.h"

namespace phaseladder::tests {

void readFuzzedNpy(std::string_view bytes) {
    static_cast<void>(looksLikeNpy(bytes));
    static_cast<void>(looksLikeArchive(bytes));
    const std::string_view beginning = bytes.substr(0, maximumNpyPrefixBytes + maximumNpyHeaderBytes);
    const Result<NumberLayout> layout = parseNpyHeader(beginning, bytes.size());
    const MemoryFile memory(bytes);
    OpenFile file = memory.open();
    const Result<NumberTable> table = readNpy(file);
    if (!layout) {
        requireSentence(layout.error());
        require(!table && table.error().message == layout.error().message,
                "the file is read differently from its header");
        return;
    }
    const auto count = checkedProduct(layout->shape, 1);
    require(count && layout->offset + *count * bytesPerNumber(layout->type) == bytes.size(),
            "the layout is not that of the file");
    if (*count > maximumTableNumbers) {  // of no bytes each: never
        require(!table, "a table above the limit");
        return;
    }
    require(table.has_value() && table->values.size() == *count && table->shape == layout->shape,
            "a file whose header is right was not read");
}

}  // namespace phaseladder::tests
