#include "core/import/safetensors.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/import/checked_json.h"
#include "core/import/text.h"
#include "core/nearest_name.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t maximumHeaderValues = 1u << 20;

tl::unexpected<Error> refuse(std::string sentence) {
    return fail(ErrorKind::invalidInput, std::move(sentence));
}

std::uint64_t littleEndian(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t index = bytes.size(); index-- > 0;) {
        value = (value << 8) | static_cast<std::uint8_t>(bytes[index]);
    }
    return value;
}

/// Bits of one number; nothing for a type that we do not know.
std::optional<std::uint64_t> typeBits(std::string_view type) {
    static constexpr std::pair<std::string_view, std::uint64_t> known[] = {
        {"BOOL", 8}, {"U8", 8},   {"I8", 8},    {"F8_E5M2", 8}, {"F8_E4M3", 8}, {"F8_E8M0", 8}, {"U16", 16},
        {"I16", 16}, {"F16", 16}, {"BF16", 16}, {"U32", 32},    {"I32", 32},    {"F32", 32},    {"U64", 64},
        {"I64", 64}, {"F64", 64}, {"C64", 64},  {"F4", 4},      {"F6_E2M3", 6}, {"F6_E3M2", 6}};
    for (const auto& [name, bits] : known) {
        if (name == type) {
            return bits;
        }
    }
    return std::nullopt;
}

std::optional<NumberType> numberType(std::string_view type) {
    if (type == "F16") {
        return NumberType::float16;
    }
    if (type == "BF16") {
        return NumberType::bfloat16;
    }
    if (type == "F32") {
        return NumberType::float32;
    }
    if (type == "F64") {
        return NumberType::float64;
    }
    return std::nullopt;
}

/// A list of whole numbers from 0 to 2^63 - 1.
std::optional<std::vector<std::int64_t>> wholeNumbers(const Json& list) {
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (!list.is_array()) {
        return std::nullopt;
    }
    std::vector<std::int64_t> numbers;
    for (const Json& number : list) {
        if (!number.is_number_unsigned() || number.get<std::uint64_t>() > largest) {
            return std::nullopt;
        }
        numbers.push_back(number.get<std::int64_t>());
    }
    return numbers;
}

Result<void> checkMetadata(const Json& metadata) {
    const auto isText = [](const Json& value) { return value.is_string(); };
    if (!metadata.is_object() || !std::all_of(metadata.begin(), metadata.end(), isText)) {
        return refuse("'__metadata__' must hold texts only.");
    }
    return {};
}

/// One entry with its bytes still counted from the beginning of the data.
Result<TensorEntry> parseEntry(const std::string& name, const Json& json) {
    const std::string tensor = "Tensor " + quotedText(name);
    const auto member = [&](const char* key) -> const Json* {
        const auto found = json.is_object() ? json.find(key) : json.end();
        return found == json.end() ? nullptr : &*found;
    };
    const Json* const type = member("dtype");
    const Json* const shape = member("shape");
    const Json* const offsets = member("data_offsets");
    if (type == nullptr || !type->is_string() || shape == nullptr || offsets == nullptr) {
        return refuse(tensor + " lacks 'dtype', 'shape' or 'data_offsets'.");
    }
    if (shape->is_array() && shape->size() > maximumTensorRank) {
        return refuse(
            fmt::format("{} has {} dimensions; the limit is {}.", tensor, shape->size(), maximumTensorRank));
    }
    std::optional<std::vector<std::int64_t>> lengths = wholeNumbers(*shape);
    if (!lengths) {
        return refuse(fmt::format("{}: 'shape' must be whole numbers from 0 to 2^63 - 1 (got {}).", tensor,
                                  quotedText(shape->dump(-1, ' ', true))));
    }
    const std::optional<std::vector<std::int64_t>> range = wholeNumbers(*offsets);
    if (!range || range->size() != 2 || range->front() > range->back()) {
        return refuse(fmt::format("{}: 'data_offsets' must be two whole numbers, begin and end (got {}).",
                                  tensor, quotedText(offsets->dump(-1, ' ', true))));
    }
    TensorEntry entry{name, type->get<std::string>(), std::move(*lengths),
                      static_cast<std::uint64_t>(range->front()), static_cast<std::uint64_t>(range->back())};
    const std::optional<std::uint64_t> typeSize = typeBits(entry.type);
    const std::optional<std::uint64_t> bits = checkedProduct(entry.shape, typeSize.value_or(1));
    if (!bits) {
        return refuse(tensor + " size overflows (shape " + shapeText(entry.shape) + ").");
    }
    const std::uint64_t needed = *bits / 8 + (*bits % 8 == 0 ? 0 : 1);
    if (typeSize && needed != entry.end - entry.begin) {
        return refuse(fmt::format("{} needs {}, header gives {}.", tensor, byteText(needed),
                                  byteText(entry.end - entry.begin)));
    }
    return entry;
}

/// Every byte of the data belongs to one tensor.
Result<void> checkRanges(const std::vector<TensorEntry>& tensors, std::uint64_t dataBytes) {
    std::vector<const TensorEntry*> byPlace;
    for (const TensorEntry& tensor : tensors) {
        if (tensor.end > dataBytes) {
            return refuse(fmt::format("Tensor {} ends at byte {} of the data, file has {} of data.",
                                      quotedText(tensor.name), formatGrouped(tensor.end),
                                      byteText(dataBytes)));
        }
        byPlace.push_back(&tensor);
    }
    std::sort(byPlace.begin(), byPlace.end(), [](const TensorEntry* left, const TensorEntry* right) {
        return std::pair(left->begin, left->end) < std::pair(right->begin, right->end);
    });
    std::uint64_t reached = 0;
    const TensorEntry* before = nullptr;
    for (const TensorEntry* tensor : byPlace) {
        if (tensor->begin < reached) {
            return refuse(fmt::format("Tensor {} overlaps {} at byte {}.", quotedText(tensor->name),
                                      quotedText(before->name), formatGrouped(tensor->begin)));
        }
        if (tensor->begin > reached) {
            return refuse(fmt::format("Gap of {} bytes before {}.", formatGrouped(tensor->begin - reached),
                                      quotedText(tensor->name)));
        }
        reached = tensor->end;
        before = tensor;
    }
    if (reached < dataBytes) {
        return refuse(
            fmt::format("{} unused bytes after the data; refused.", formatGrouped(dataBytes - reached)));
    }
    return {};
}

/// " (did you mean 'wpe.weight'?)", or nothing. Looks at short names only, and not at thousands of them.
std::string nearestTensor(std::string_view wanted, const std::vector<TensorEntry>& tensors) {
    constexpr std::size_t longestName = 200, mostNames = 10'000;
    std::vector<std::string> names;
    for (const TensorEntry& tensor : tensors) {
        if (tensor.name.size() <= longestName && names.size() < mostNames) {
            names.push_back(tensor.name);
        }
    }
    const std::string nearest = nearestName(wanted, names);
    return nearest.empty() ? std::string() : " (did you mean " + quotedText(nearest, longestName) + "?)";
}

}  // namespace

Result<std::vector<TensorEntry>> parseSafetensorsHeader(std::string_view header, std::uint64_t dataBytes) {
    if (!header.starts_with('{')) {
        return refuse(header.empty() ? "Not a safetensors file (its header is empty)."
                                     : fmt::format("Not a safetensors file (first byte 0x{:02x}).",
                                                   static_cast<std::uint8_t>(header.front())));
    }
    const Result<Json> json = parseCheckedJson(header, maximumSafetensorsHeaderBytes, maximumHeaderValues);
    if (!json) {
        return refuse("In the header: " + json.error().message);
    }
    const std::size_t count = json->size() - json->count("__metadata__");
    if (count > maximumTensors) {
        return refuse(fmt::format("Header lists {} tensors; the limit is {}.", formatGrouped(count),
                                  formatGrouped(maximumTensors)));
    }
    std::vector<TensorEntry> tensors;
    for (const auto& [name, value] : json->items()) {
        if (name == "__metadata__") {
            if (const Result<void> checked = checkMetadata(value); !checked) {
                return tl::unexpected(checked.error());
            }
            continue;
        }
        Result<TensorEntry> entry = parseEntry(name, value);
        if (!entry) {
            return tl::unexpected(entry.error());
        }
        tensors.push_back(std::move(*entry));
    }
    if (const Result<void> checked = checkRanges(tensors, dataBytes); !checked) {
        return tl::unexpected(checked.error());
    }
    for (TensorEntry& tensor : tensors) {
        tensor.begin += safetensorsLengthBytes + header.size();
        tensor.end += safetensorsLengthBytes + header.size();
    }
    return tensors;
}

bool looksLikeSafetensors(std::string_view beginning) {
    return beginning.size() > safetensorsLengthBytes && beginning[safetensorsLengthBytes] == '{' &&
           littleEndian(beginning.substr(0, safetensorsLengthBytes)) <= maximumSafetensorsHeaderBytes;
}

Result<std::vector<TensorEntry>> listTensors(OpenFile& file) {
    if (file.bytes() < safetensorsLengthBytes) {
        return refuse(
            fmt::format("File is {} bytes; a header length needs {}.", file.bytes(), safetensorsLengthBytes));
    }
    std::string length(safetensorsLengthBytes, '\0');
    if (const Result<void> read = file.read(0, length); !read) {
        return tl::unexpected(read.error());
    }
    const std::uint64_t headerBytes = littleEndian(length);
    const std::uint64_t rest = file.bytes() - safetensorsLengthBytes;
    if (headerBytes > rest) {
        return refuse(fmt::format("Header claims {}, file has {}. Not a safetensors file, or cut off.",
                                  byteText(headerBytes), byteText(file.bytes())));
    }
    if (headerBytes > maximumSafetensorsHeaderBytes) {
        return refuse(fmt::format("Header is {}; the limit is {}.", byteText(headerBytes),
                                  byteText(maximumSafetensorsHeaderBytes)));
    }
    std::string header(static_cast<std::size_t>(headerBytes), '\0');
    if (const Result<void> read = file.read(safetensorsLengthBytes, header); !read) {
        return tl::unexpected(read.error());
    }
    if (const Result<void> unchanged = file.checkUnchanged(); !unchanged) {
        return tl::unexpected(unchanged.error());
    }
    return parseSafetensorsHeader(header, rest - headerBytes);
}

Result<NumberLayout> layoutOf(const TensorEntry& tensor) {
    const std::optional<NumberType> type = numberType(tensor.type);
    if (!type) {
        return refuse(fmt::format("Type {} of {} is not supported; F32, F16, BF16, F64 are.",
                                  quotedText(tensor.type), quotedText(tensor.name)));
    }
    return NumberLayout{tensor.shape, *type, NumberOrder::rowMajor, tensor.begin};
}

Result<TensorEntry> findTensor(const std::vector<TensorEntry>& tensors, std::string_view name) {
    const auto found = std::ranges::find(tensors, name, &TensorEntry::name);
    if (found != tensors.end()) {
        return *found;
    }
    return refuse(fmt::format("No tensor {} in the file{}.", quotedText(name), nearestTensor(name, tensors)));
}

std::string tensorNames(const std::vector<TensorEntry>& tensors) {
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t index = 0; index < std::min(tensors.size(), most); ++index) {
        text += fmt::format("{}{} {}", index == 0 ? "" : ", ", quotedText(tensors[index].name),
                            shapeText(tensors[index].shape));
    }
    return tensors.size() > most ? fmt::format("{} and {} more", text, tensors.size() - most) : text;
}

Result<NumberTable> readTensor(OpenFile& file, const TensorEntry& tensor) {
    const Result<NumberLayout> layout = layoutOf(tensor);
    if (!layout) {
        return tl::unexpected(layout.error());
    }
    Result<std::vector<double>> values = readNumbers(file, *layout);
    if (!values) {
        return tl::unexpected(values.error());
    }
    return NumberTable{tensor.shape, std::move(*values), tensor.name};
}

Result<NumberTable> readTensor(OpenFile& file, std::string_view name) {
    const Result<std::vector<TensorEntry>> tensors = listTensors(file);
    if (!tensors) {
        return tl::unexpected(tensors.error());
    }
    const Result<TensorEntry> tensor = findTensor(*tensors, name);
    return tensor ? readTensor(file, *tensor) : tl::unexpected(tensor.error());
}

}  // namespace phaseladder
