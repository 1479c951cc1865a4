#include "core/import/safetensors.h"

#include <algorithm>

#include "core/import/text.h"
#include "tests/fuzz/checks.h"
#include "tests/fuzz/inputs.h"

namespace phaseladder::tests {

void readFuzzedSafetensors(std::string_view bytes) {
    static_cast<void>(looksLikeSafetensors(bytes));
    const MemoryFile memory(bytes);
    OpenFile file = memory.open();
    const Result<std::vector<TensorEntry>> tensors = listTensors(file);
    if (!tensors) {
        requireSentence(tensors.error());
        return;
    }
    constexpr std::size_t mostRead = 16;
    for (std::size_t index = 0; index < std::min(tensors->size(), mostRead); ++index) {
        const TensorEntry& tensor = (*tensors)[index];
        require(tensor.begin <= tensor.end && tensor.end <= bytes.size(), "a tensor outside of the file");
        const Result<NumberTable> table = readTensor(file, tensor);
        if (!table) {
            requireSentence(table.error());
            continue;
        }
        require(table->shape == tensor.shape && checkedProduct(tensor.shape, 1) == table->values.size(),
                "a tensor of another size");
        require(checkUtf8(table->name).replacements == 0, "a name that is not UTF-8");
    }
    const Result<NumberTable> missing = readTensor(file, "wpe.weight");
    if (!missing) {
        requireSentence(missing.error());
    }
}

}  // namespace phaseladder::tests
