#include "core/import/number_table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/import/half_floats.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

/// The little-endian whole number in some bytes.
template <class Bits>
Bits littleEndian(const char* bytes) {
    Bits bits = 0;
    if constexpr (std::endian::native == std::endian::little) {
        std::memcpy(&bits, bytes, sizeof(Bits));
    } else {
        for (std::size_t index = sizeof(Bits); index-- > 0;) {
            bits = static_cast<Bits>((bits << 8) | static_cast<std::uint8_t>(bytes[index]));
        }
    }
    return bits;
}

/// Calls decoded(index, number) for `count` numbers that stand `step` numbers apart in some bytes.
template <class Decoded>
void decodeNumbers(const char* bytes, NumberType type, std::size_t count, std::size_t step, Decoded decoded) {
    const std::size_t apart = step * bytesPerNumber(type);
    const auto each = [&](auto decode) {
        for (std::size_t index = 0; index < count; ++index) {
            decoded(index, decode(bytes + index * apart));
        }
    };
    switch (type) {
        case NumberType::float16:
            return each([](const char* at) { return halfToDouble(littleEndian<std::uint16_t>(at)); });
        case NumberType::bfloat16:
            return each([](const char* at) { return bfloat16ToDouble(littleEndian<std::uint16_t>(at)); });
        case NumberType::float32:
            return each(
                [](const char* at) { return double{std::bit_cast<float>(littleEndian<std::uint32_t>(at))}; });
        case NumberType::float64:
            return each(
                [](const char* at) { return std::bit_cast<double>(littleEndian<std::uint64_t>(at)); });
    }
}

/// Walks through a table in the order of the file and says where each number belongs in a row-major one.
class Places {
public:
    explicit Places(const NumberLayout& layout) {
        const std::size_t rank = layout.shape.size();
        std::size_t step = 1;
        m_axes.resize(rank);
        for (std::size_t axis = rank; axis-- > 0;) {
            const auto length = static_cast<std::size_t>(layout.shape[axis]);
            const std::size_t turn = layout.order == NumberOrder::columnMajor ? axis : rank - 1 - axis;
            m_axes[turn] = {length, step, 0};
            step *= length;
        }
    }

    std::size_t next() {
        const std::size_t place = m_place;
        for (Axis& axis : m_axes) {  // fastest first
            m_place += axis.step;
            if (++axis.index < axis.length) {
                break;
            }
            m_place -= axis.step * axis.length;
            axis.index = 0;
        }
        return place;
    }

private:
    struct Axis {
        std::size_t length = 0, step = 0, index = 0;
    };

    std::vector<Axis> m_axes;
    std::size_t m_place = 0;
};

/// A run of numbers: number i of `count` stands at first + i · step in the file and belongs at i · intoStep.
struct Run {
    std::uint64_t first = 0, count = 0, step = 1;
    std::size_t intoStep = 1;
};

Result<void> readRun(const OpenFile& file, const NumberLayout& layout, const Run& run, double* into,
                     std::vector<char>& block) {
    constexpr std::uint64_t blockBytes = 1u << 20;
    const std::size_t width = bytesPerNumber(layout.type);
    const std::uint64_t perBlock = std::max<std::uint64_t>(blockBytes / (width * run.step), 1);
    for (std::uint64_t begin = 0; begin < run.count; begin += perBlock) {
        const std::uint64_t count = std::min(perBlock, run.count - begin);
        block.resize(static_cast<std::size_t>(((count - 1) * run.step + 1) * width));
        const std::uint64_t offset = layout.offset + (run.first + begin * run.step) * width;
        if (const Result<void> read = file.read(offset, block); !read) {
            return read;
        }
        double* const to = into + static_cast<std::size_t>(begin) * run.intoStep;
        decodeNumbers(
            block.data(), layout.type, static_cast<std::size_t>(count), static_cast<std::size_t>(run.step),
            [to, step = run.intoStep](std::size_t index, double number) { to[index * step] = number; });
    }
    return {};
}

}  // namespace

std::size_t bytesPerNumber(NumberType type) {
    switch (type) {
        case NumberType::float16:
        case NumberType::bfloat16:
            return 2;
        case NumberType::float32:
            return 4;
        case NumberType::float64:
            break;
    }
    return 8;
}

std::string shapeText(const std::vector<std::int64_t>& shape) {
    return fmt::format("[{}]", fmt::join(shape, ", "));
}

std::optional<std::uint64_t> checkedProduct(const std::vector<std::int64_t>& shape, std::uint64_t unit) {
    std::uint64_t product = unit;
    for (const std::int64_t signedLength : shape) {
        assert(signedLength >= 0);
        const auto length = static_cast<std::uint64_t>(signedLength);
        if (length != 0 && product > std::numeric_limits<std::uint64_t>::max() / length) {
            return std::nullopt;
        }
        product *= length;
    }
    return product;
}

Result<std::vector<double>> readNumbers(OpenFile& file, const NumberLayout& layout) {
    const std::optional<std::uint64_t> count = checkedProduct(layout.shape, 1);
    if (!count || *count > maximumTableNumbers) {
        return fail(
            ErrorKind::invalidInput,
            fmt::format("Table of shape {} has {} numbers; the limit is {}.", shapeText(layout.shape),
                        count ? formatGrouped(*count) : "too many", formatGrouped(maximumTableNumbers)));
    }
    const std::size_t width = bytesPerNumber(layout.type);
    constexpr std::size_t blockBytes = 1u << 20;
    std::vector<double> values(static_cast<std::size_t>(*count));
    std::vector<char> block(std::min(values.size() * width, blockBytes));
    Places places(layout);
    const std::uint64_t end = layout.offset + values.size() * width;
    for (std::uint64_t at = layout.offset; at < end; at += block.size()) {
        const std::span<char> bytes(block.data(), std::min<std::uint64_t>(block.size(), end - at));
        if (const Result<void> read = file.read(at, bytes); !read) {
            return tl::unexpected(read.error());
        }
        decodeNumbers(bytes.data(), layout.type, bytes.size() / width, 1,
                      [&](std::size_t, double number) { values[places.next()] = number; });
    }
    if (const Result<void> unchanged = file.checkUnchanged(); !unchanged) {
        return tl::unexpected(unchanged.error());
    }
    return values;
}

Result<void> readRows(const OpenFile& file, const NumberLayout& layout, const NumberRows& part,
                      std::int64_t begin, std::int64_t end, std::span<double> into) {
    const auto rows = static_cast<std::uint64_t>(end - begin);
    const auto columns = static_cast<std::uint64_t>(part.columns);
    assert(into.size() == rows * columns);
    const std::uint64_t first = part.first + static_cast<std::uint64_t>(begin) * part.rowStep;
    std::vector<char> block;
    if (part.columnStep == 1 && part.rowStep == columns) {
        return readRun(file, layout, {first, rows * columns}, into.data(), block);
    }
    const bool byRow = part.columnStep <= part.rowStep;
    const std::uint64_t runs = byRow ? rows : columns;
    for (std::uint64_t index = 0; index < runs; ++index) {
        const Run run = byRow ? Run{first + index * part.rowStep, columns, part.columnStep, 1}
                              : Run{first + index * part.columnStep, rows, part.rowStep,
                                    static_cast<std::size_t>(columns)};
        double* const to = into.data() + (byRow ? index * columns : index);
        if (const Result<void> read = readRun(file, layout, run, to, block); !read) {
            return read;
        }
    }
    return {};
}

}  // namespace phaseladder
