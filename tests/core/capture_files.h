#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/random.h"

// Queries, keys and values as other programs write them.
namespace phaseladder::tests {

/// Seeded normal numbers of a shape, row-major.
struct Numbers {
    std::vector<std::int64_t> shape;
    std::vector<double> values;

    [[nodiscard]] double at(std::int64_t first, std::int64_t second, std::int64_t third) const {
        return values.at(static_cast<std::size_t>((first * shape.at(1) + second) * shape.at(2) + third));
    }
};

inline Numbers normalNumbers(std::vector<std::int64_t> shape, std::uint64_t seed) {
    std::size_t count = 1;
    for (const std::int64_t length : shape) {
        count *= static_cast<std::size_t>(length);
    }
    Numbers numbers{std::move(shape), {}};
    Random random(seed);
    for (std::size_t index = 0; index < count; ++index) {
        numbers.values.push_back(static_cast<double>(static_cast<float>(random.normal())));
    }
    return numbers;
}

/// The first two dimensions exchanged: heads × tokens × channels as tokens × heads × channels.
inline Numbers exchanged(const Numbers& numbers) {
    const std::int64_t first = numbers.shape.at(0), second = numbers.shape.at(1), third = numbers.shape.at(2);
    Numbers result{{second, first, third}, {}};
    for (std::int64_t j = 0; j < second; ++j) {
        for (std::int64_t i = 0; i < first; ++i) {
            for (std::int64_t k = 0; k < third; ++k) {
                result.values.push_back(numbers.at(i, j, k));
            }
        }
    }
    return result;
}

inline std::string littleEndianBytes(std::uint64_t value, int bytes) {
    std::string text;
    for (int index = 0; index < bytes; ++index) {
        text += static_cast<char>(value >> (8 * index));
    }
    return text;
}

inline std::string numberBytes(const std::vector<double>& values, const std::string& type) {
    std::string bytes;
    for (const double value : values) {
        if (type == "F64") {
            bytes += littleEndianBytes(std::bit_cast<std::uint64_t>(value), 8);
        } else if (type == "BF16") {
            bytes += littleEndianBytes(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >> 16, 2);
        } else {
            bytes += littleEndianBytes(std::bit_cast<std::uint32_t>(static_cast<float>(value)), 4);
        }
    }
    return bytes;
}

inline std::string shapeList(const std::vector<std::int64_t>& shape, const char* last) {
    std::string text;
    for (const std::int64_t length : shape) {
        text += (text.empty() ? "" : ", ") + std::to_string(length);
    }
    return shape.size() == 1 ? text + last : text;
}

/// A .npy file of version 1 in float32; column-major where `fortran`.
inline std::string npyFile(const Numbers& numbers, bool fortran = false) {
    std::string header = std::string("{'descr': '<f4', 'fortran_order': ") + (fortran ? "True" : "False") +
                         ", 'shape': (" + shapeList(numbers.shape, ",") + "), }";
    header += std::string(63 - (10 + header.size()) % 64, ' ') + "\n";
    std::vector<double> values = numbers.values;
    if (fortran) {
        values.clear();
        const std::int64_t second = numbers.shape.at(1), third = numbers.shape.at(2);
        for (std::int64_t k = 0; k < third; ++k) {
            for (std::int64_t j = 0; j < second; ++j) {
                for (std::int64_t i = 0; i < numbers.shape.at(0); ++i) {
                    values.push_back(numbers.at(i, j, k));
                }
            }
        }
    }
    return "\x93NUMPY\x01" + std::string(1, '\0') + littleEndianBytes(header.size(), 2) + header +
           numberBytes(values, "F32");
}

/// A .safetensors file, all tensors of one type: "F32", "F64" or "BF16".
inline std::string safetensorsFile(const std::vector<std::pair<std::string, Numbers>>& tensors,
                                   const std::string& type = "F32") {
    std::string header = "{", data;
    for (const auto& [name, numbers] : tensors) {
        const std::string bytes = numberBytes(numbers.values, type);
        header += (header.size() > 1 ? ", \"" : "\"") + name + "\": {\"dtype\": \"" + type +
                  "\", \"shape\": [" + shapeList(numbers.shape, "") + "], \"data_offsets\": [" +
                  std::to_string(data.size()) + ", " + std::to_string(data.size() + bytes.size()) + "]}";
        data += bytes;
    }
    header += "}";
    return littleEndianBytes(header.size(), 8) + header + data;
}

}  // namespace phaseladder::tests
