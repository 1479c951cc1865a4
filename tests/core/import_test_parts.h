#pragma once

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "core/import/number_table.h"
#include "core/random.h"

namespace phaseladder::tests {

/// A folder for one test.
class TemporaryFiles {
public:
    TemporaryFiles() = default;
    TemporaryFiles(const TemporaryFiles&) = delete;
    TemporaryFiles& operator=(const TemporaryFiles&) = delete;
    ~TemporaryFiles() { std::filesystem::remove_all(path("")); }  // names that Qt cannot spell, too

    [[nodiscard]] std::filesystem::path path(const std::string& name) const {
        return std::filesystem::path(m_folder.path().toStdString()) / name;
    }

    std::filesystem::path write(const std::string& name, std::string_view bytes) const {
        std::ofstream(path(name), std::ios::binary) << bytes;
        return path(name);
    }

private:
    QTemporaryDir m_folder;
};

inline bool says(const std::string& message, std::string_view part) {
    return message.find(part) != std::string::npos;
}

/// A file of tests/golden/tables, written by NumPy or safetensors (tests/golden/make_tables.py).
inline std::filesystem::path goldenTable(const std::string& name) {
    return PHASELADDER_SOURCE_DIR "/tests/golden/tables/" + name;
}

inline std::string fileBytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// The values of make_tables.py: 1 + i - j/8 + 16 k - l/4 at (i, j, k, l), row-major.
inline std::vector<double> goldenValues(const std::vector<std::int64_t>& shape) {
    constexpr double weights[] = {1.0, -0.125, 16.0, -0.25};
    std::vector<double> values{1.0};
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
        std::vector<double> longer;
        for (const double value : values) {
            for (std::int64_t index = 0; index < shape[axis]; ++index) {
                longer.push_back(value + weights[axis] * static_cast<double>(index));
            }
        }
        values = longer;
    }
    return values;
}

/// `count` bytes, little-endian.
inline std::string littleEndian(std::uint64_t value, std::size_t count) {
    std::string bytes;
    for (std::size_t index = 0; index < count; ++index) {
        bytes += static_cast<char>(value >> (8 * index));
    }
    return bytes;
}

/// Bytes with one to three things wrong: a byte flipped or replaced, a piece cut out or doubled, the end cut
/// off, or a number of the text turned into another.
inline std::string mutated(std::string bytes, Random& random) {
    static const std::vector<std::string> numbers{
        "0",   "1",   "-1", "65536", "4294967296", "9223372036854775807", "18446744073709551615",
        "1e9", "2.5", ""};
    const auto place = [&] { return static_cast<std::size_t>(random.below(bytes.size() + 1)); };
    for (std::uint64_t mistakes = 1 + random.below(3); mistakes > 0; --mistakes) {
        const std::size_t at = place();
        const auto length = static_cast<std::size_t>(random.below(9));
        const std::uint64_t kind = random.below(6);
        if (kind == 0 && at < bytes.size()) {
            bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
        } else if (kind == 1 && at < bytes.size()) {
            bytes[at] = "\x00\xff\x7f'\"{}[](),:9\\"[random.below(15)];
        } else if (kind == 2) {
            bytes.erase(at, length);
        } else if (kind == 3) {
            bytes.insert(at, bytes.substr(at, length));
        } else if (kind == 4) {
            bytes.resize(at);
        } else {
            constexpr std::string_view digits = "0123456789";
            const std::size_t begin = bytes.find_first_of(digits, at);
            if (begin != std::string::npos) {
                const std::size_t end = std::min(bytes.find_first_not_of(digits, begin), bytes.size());
                bytes.replace(begin, end - begin, numbers[random.below(numbers.size())]);
            }
        }
    }
    return bytes;
}

/// Whether an error is one line about an invalid input.
inline bool isSentence(const Error& error) {
    return error.kind == ErrorKind::invalidInput && !error.message.empty() && error.message.size() < 2000 &&
           error.message.find('\n') == std::string::npos;
}

}  // namespace phaseladder::tests
