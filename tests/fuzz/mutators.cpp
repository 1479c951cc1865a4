#include "tests/fuzz/mutators.h"

#include <algorithm>
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

/// A binary file: what stands before the length of its header, the header, and the numbers behind it.
///
///     prefix | length, lengthBytes wide | header | data
struct Parts {
    std::string prefix, header, data;
    std::size_t lengthBytes = 0;
};

/// Nothing where the file ends before the header begins.
std::optional<Parts> partsOf(const std::string& bytes, std::size_t lengthAt, std::size_t lengthBytes) {
    const std::size_t begin = lengthAt + lengthBytes;
    if (bytes.size() < begin) {
        return std::nullopt;
    }
    const std::uint64_t said = numberIn(std::string_view(bytes).substr(lengthAt, lengthBytes));
    const std::size_t length = std::min<std::size_t>(said, bytes.size() - begin);
    return Parts{bytes.substr(0, lengthAt), bytes.substr(begin, length), bytes.substr(begin + length),
                 lengthBytes};
}

std::string joined(const Parts& parts) {
    return parts.prefix + littleEndian(parts.header.size(), parts.lengthBytes) + parts.header + parts.data;
}

/// Where a header says something in words, and texts that mean something there.
struct Field {
    std::string_view before, after;
    std::vector<std::string_view> choices;
};

void replaceOne(std::string& text, const Field& field, std::uint32_t seed) {
    const std::size_t found = text.find(field.before);
    if (found == std::string::npos) {
        return;
    }
    const std::size_t begin = found + field.before.size(), end = text.find(field.after, begin);
    if (end != std::string::npos) {
        text.replace(begin, end - begin, field.choices[seed % field.choices.size()]);
    }
}

/// Another type, another shape, other data, or another header.
void changeOne(Parts& parts, const Field& type, const Field& shape, std::uint32_t seed,
               const Mutate& mutate) {
    switch ((seed >> 3) % 4) {
        case 0:
            replaceOne(parts.header, type, seed >> 5);
            break;
        case 1:
            replaceOne(parts.header, shape, seed >> 5);
            break;
        case 2:
            parts.data = mutate(std::move(parts.data));
            break;
        default:
            parts.header = mutate(std::move(parts.header));
    }
}

bool isPlainChange(std::uint32_t seed) {
    return seed % 8 == 0;
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
    std::optional<Parts> parts = partsOf(bytes, lengthAt, isWide ? 4 : 2);
    if (isPlainChange(seed) || !parts) {
        return mutate(std::move(bytes));
    }
    static const Field type{"'descr': '", "'", {"<f2", "<f4", "<f8", "|O", ">f8", "<i8", "<c16"}};
    static const Field shape{
        "'shape': (",
        ")",
        {"", "3,", "3, 4", "2, 3, 4", "1, 2, 3, 4", "0, 5", "65536, 65536", "9223372036854775807, 2"}};
    changeOne(*parts, type, shape, seed, mutate);
    if (const std::optional<std::uint64_t> wanted = npyDataBytes(parts->header)) {
        parts->data.resize(static_cast<std::size_t>(*wanted));
    }
    return joined(*parts);
}

std::string mutatedSafetensors(std::string bytes, std::uint32_t seed, const Mutate& mutate) {
    std::optional<Parts> parts = partsOf(bytes, 0, safetensorsLengthBytes);
    if (isPlainChange(seed) || !parts) {
        return mutate(std::move(bytes));
    }
    static const Field type{"\"dtype\":\"", "\"", {"F16", "BF16", "F32", "F64", "I64", "F8_E4M3", "X9"}};
    static const Field shape{"\"shape\":[", "]", {"", "3", "3,4", "0,7", "2,2,2", "4294967296,4294967296"}};
    changeOne(*parts, type, shape, seed, mutate);
    Result<nlohmann::ordered_json> json = parseCheckedJson(parts->header, mostDataBytes * 4);
    if ((seed >> 16) % 4 != 0 && json && json->is_object()) {
        if (const std::optional<std::uint64_t> wanted = placeTensors(*json)) {
            parts->header = json->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
            parts->data.resize(static_cast<std::size_t>(*wanted));
        }
    }
    return joined(*parts);
}

}  // namespace phaseladder::tests
