#include "tests/fuzz/mutators.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/import/checked_json.h"
#include "core/import/npy_dictionary.h"
#include "core/import/number_table.h"
#include "core/import/safetensors.h"

namespace phaseladder::tests {
namespace {

constexpr std::size_t mostDataBytes = 4096;

std::string littleEndian(std::uint64_t value, std::size_t count) {
    std::string bytes;
    for (std::size_t index = 0; index < count; ++index) {
        bytes += static_cast<char>(value >> (8 * index));
    }
    return bytes;
}

std::uint64_t numberIn(std::string_view bytes) {
    std::uint64_t value = 0;
    for (std::size_t index = bytes.size(); index-- > 0;) {
        value = (value << 8) | static_cast<std::uint8_t>(bytes[index]);
    }
    return value;
}

/// Puts one of some texts that mean something in the place of the text between two places.
template <std::size_t Count>
void replaceOne(std::string& text, std::string_view before, std::string_view after,
                const std::array<std::string_view, Count>& choices, std::uint32_t seed) {
    const std::size_t found = text.find(before);
    if (found == std::string::npos) {
        return;
    }
    const std::size_t begin = found + before.size(), end = text.find(after, begin);
    if (end != std::string::npos) {
        text.replace(begin, end - begin, choices[seed % Count]);
    }
}

std::optional<std::uint64_t> bytesOf(const std::vector<std::int64_t>& shape, std::uint64_t width) {
    const std::optional<std::uint64_t> bytes = checkedProduct(shape, width);
    return bytes && *bytes <= mostDataBytes ? bytes : std::nullopt;
}

/// The size of the data that a header of NumPy asks for, where it is small.
std::optional<std::uint64_t> npyDataBytes(const std::string& header) {
    const Result<NpyDictionary> dictionary = parseNpyDictionary(header);
    if (!dictionary || !dictionary->shape || !dictionary->type || dictionary->type->empty()) {
        return std::nullopt;
    }
    const char width = dictionary->type->back();
    return bytesOf(*dictionary->shape,
                   width == '2' || width == '4' ? static_cast<std::uint64_t>(width - '0') : 8);
}

/// Gives each tensor its place behind the one before, and returns the size of the data.
std::optional<std::uint64_t> placeTensors(nlohmann::ordered_json& header) {
    std::uint64_t reached = 0;
    for (auto& [name, tensor] : header.items()) {
        if (!tensor.is_object() || !tensor.contains("shape") || !tensor["shape"].is_array() ||
            !tensor.contains("dtype") || !tensor["dtype"].is_string()) {
            continue;
        }
        std::vector<std::int64_t> shape;
        for (const auto& length : tensor["shape"]) {
            shape.push_back(length.is_number_unsigned() && length < 100000 ? length.get<std::int64_t>() : 1);
        }
        const std::string type = tensor["dtype"];
        const std::uint64_t width = type.ends_with("64")   ? 8
                                    : type.ends_with("32") ? 4
                                    : type.ends_with("16") ? 2
                                                           : 1;
        const std::optional<std::uint64_t> bytes = bytesOf(shape, width);
        if (!bytes || reached + *bytes > mostDataBytes) {
            return std::nullopt;
        }
        tensor["data_offsets"] = {reached, reached + *bytes};
        reached += *bytes;
    }
    return reached;
}

}  // namespace

std::string mutatedNpy(std::string bytes, std::uint32_t seed, const Mutate& mutate) {
    constexpr std::size_t lengthAt = 8;
    const bool isWide = bytes.size() > 6 && bytes[6] != 1;
    const std::size_t begin = lengthAt + (isWide ? 4 : 2);
    if (seed % 8 == 0 || bytes.size() < begin) {
        return mutate(std::move(bytes));
    }
    const std::size_t length = std::min<std::size_t>(
        numberIn(std::string_view(bytes).substr(lengthAt, begin - lengthAt)), bytes.size() - begin);
    std::string header = bytes.substr(begin, length), data = bytes.substr(begin + length);
    static constexpr std::array<std::string_view, 7> types{"<f2", "<f4", "<f8", "|O", ">f8", "<i8", "<c16"};
    static constexpr std::array<std::string_view, 8> shapes{
        "", "3,", "3, 4", "2, 3, 4", "1, 2, 3, 4", "0, 5", "65536, 65536", "9223372036854775807, 2"};
    switch ((seed >> 3) % 4) {
        case 0:
            replaceOne(header, "'descr': '", "'", types, seed >> 5);
            break;
        case 1:
            replaceOne(header, "'shape': (", ")", shapes, seed >> 5);
            break;
        case 2:
            data = mutate(std::move(data));
            break;
        default:
            header = mutate(std::move(header));
    }
    if (const std::optional<std::uint64_t> wanted = npyDataBytes(header)) {
        data.resize(static_cast<std::size_t>(*wanted));
    }
    return bytes.substr(0, lengthAt) + littleEndian(header.size(), begin - lengthAt) + header + data;
}

std::string mutatedSafetensors(std::string bytes, std::uint32_t seed, const Mutate& mutate) {
    if (seed % 8 == 0 || bytes.size() < safetensorsLengthBytes) {
        return mutate(std::move(bytes));
    }
    const std::size_t length =
        std::min<std::size_t>(numberIn(std::string_view(bytes).substr(0, safetensorsLengthBytes)),
                              bytes.size() - safetensorsLengthBytes);
    std::string header = bytes.substr(safetensorsLengthBytes, length);
    std::string data = bytes.substr(safetensorsLengthBytes + length);
    static constexpr std::array<std::string_view, 7> types{"F16", "BF16",    "F32", "F64",
                                                           "I64", "F8_E4M3", "X9"};
    static constexpr std::array<std::string_view, 6> shapes{"",    "3",     "3,4",
                                                            "0,7", "2,2,2", "4294967296,4294967296"};
    switch ((seed >> 3) % 4) {
        case 0:
            replaceOne(header, "\"dtype\":\"", "\"", types, seed >> 5);
            break;
        case 1:
            replaceOne(header, "\"shape\":[", "]", shapes, seed >> 5);
            break;
        case 2:
            data = mutate(std::move(data));
            break;
        default:
            header = mutate(std::move(header));
    }
    Result<nlohmann::ordered_json> json = parseCheckedJson(header, mostDataBytes * 4);
    if ((seed >> 16) % 4 != 0 && json && json->is_object()) {
        if (const std::optional<std::uint64_t> wanted = placeTensors(*json)) {
            header = json->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
            data.resize(static_cast<std::size_t>(*wanted));
        }
    }
    return littleEndian(header.size(), safetensorsLengthBytes) + header + data;
}

}  // namespace phaseladder::tests
