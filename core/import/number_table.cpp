#include "core/import/number_table.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/import/half_floats.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

double decodeNumber(std::span<const char> bytes, NumberType type) {
    std::uint64_t bits = 0;
    for (std::size_t index = bytes.size(); index-- > 0;) {
        bits = (bits << 8) | static_cast<std::uint8_t>(bytes[index]);
    }
    switch (type) {
        case NumberType::float16:
            return halfToDouble(static_cast<std::uint16_t>(bits));
        case NumberType::bfloat16:
            return bfloat16ToDouble(static_cast<std::uint16_t>(bits));
        case NumberType::float32:
            return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
        case NumberType::float64:
            break;
    }
    return std::bit_cast<double>(bits);
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
        const std::span<const char> bytes(block);
        for (std::uint64_t at = 0; at < count; ++at) {
            into[static_cast<std::size_t>(begin + at) * run.intoStep] = decodeNumber(
                bytes.subspan(static_cast<std::size_t>(at * run.step) * width, width), layout.type);
        }
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
        return fail(ErrorKind::invalidInput,
                    fmt::format("Table of shape {} has {} numbers; the limit is {}.", shapeText(layout.shape),
                                count ? formatGrouped(static_cast<double>(*count)) : "too many",
                                formatGrouped(static_cast<double>(maximumTableNumbers))));
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
        for (std::size_t first = 0; first < bytes.size(); first += width) {
            values[places.next()] = decodeNumber(bytes.subspan(first, width), layout.type);
        }
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
