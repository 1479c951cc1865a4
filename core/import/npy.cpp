#include "core/import/npy.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/import/npy_dictionary.h"
#include "core/import/text.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t maximumRank = 4;

tl::unexpected<Error> refuse(std::string sentence) {
    return fail(ErrorKind::invalidInput, std::move(sentence));
}

Result<NumberType> numberType(const std::string& type) {
    if (type == "<f2") {
        return NumberType::float16;
    }
    if (type == "<f4") {
        return NumberType::float32;
    }
    if (type == "<f8") {
        return NumberType::float64;
    }
    if (type.find('O') != std::string::npos) {
        return refuse("Object arrays are refused: they can run code.");
    }
    return refuse(fmt::format("Type {}{} is not read; '<f2', '<f4' and '<f8' are.", quotedText(type),
                              type.starts_with('>') ? " (big-endian)" : ""));
}

/// Where the header stands in the file.
struct HeaderPlace {
    std::size_t begin = 0, bytes = 0;
};

Result<HeaderPlace> findHeader(std::string_view beginning, std::uint64_t fileBytes) {
    if (looksLikeArchive(beginning)) {
        return refuse("Archives are not read; open the .npy inside.");
    }
    if (!beginning.empty() && !magic.starts_with(beginning.substr(0, magic.size()))) {
        return refuse(fmt::format("Not a NumPy file (first byte 0x{:02x}).",
                                  static_cast<std::uint8_t>(beginning.front())));
    }
    const auto byteAt = [&](std::size_t index) {
        return std::size_t{static_cast<std::uint8_t>(beginning[index])};
    };
    const bool wide = beginning.size() > magic.size() && byteAt(magic.size()) > 1;
    const std::size_t begin = magic.size() + 2 + (wide ? 4 : 2);
    if (beginning.size() < begin) {
        return refuse(fmt::format("File is {}; the beginning of a NumPy file needs {}.", byteText(fileBytes),
                                  byteText(begin)));
    }
    const std::size_t major = byteAt(magic.size()), minor = byteAt(magic.size() + 1);
    if (major < 1 || major > 3 || minor != 0) {
        return refuse(
            fmt::format("NumPy file of version {}.{} is not read; 1.0, 2.0 and 3.0 are.", major, minor));
    }
    std::size_t bytes = 0;
    for (std::size_t index = begin; index-- > magic.size() + 2;) {
        bytes = (bytes << 8) | byteAt(index);
    }
    if (bytes > maximumNpyHeaderBytes) {
        return refuse(fmt::format("Header is {}; the limit is {}.", byteText(bytes),
                                  formatGrouped(maximumNpyHeaderBytes)));
    }
    if (bytes > fileBytes - begin || bytes > beginning.size() - begin) {
        return refuse(fmt::format("Header claims {}, file has {} after its length.", byteText(bytes),
                                  byteText(fileBytes - begin)));
    }
    return HeaderPlace{begin, bytes};
}

}  // namespace

bool looksLikeNpy(std::string_view beginning) {
    return beginning.starts_with(magic);
}

bool looksLikeArchive(std::string_view beginning) {
    return beginning.starts_with("PK\x03\x04") || beginning.starts_with("PK\x05\x06");
}

Result<NumberLayout> parseNpyHeader(std::string_view beginning, std::uint64_t fileBytes) {
    const Result<HeaderPlace> header = findHeader(beginning, fileBytes);
    if (!header) {
        return tl::unexpected(header.error());
    }
    Result<NpyDictionary> dictionary = parseNpyDictionary(beginning.substr(header->begin, header->bytes));
    if (!dictionary) {
        return tl::unexpected(dictionary.error());
    }
    if (!dictionary->type || !dictionary->columnMajor || !dictionary->shape) {
        return refuse(fmt::format("Header is not a plain NumPy header ({} is missing).",
                                  !dictionary->type          ? "'descr'"
                                  : !dictionary->columnMajor ? "'fortran_order'"
                                                             : "'shape'"));
    }
    const Result<NumberType> type = numberType(*dictionary->type);
    if (!type) {
        return tl::unexpected(type.error());
    }
    NumberLayout layout;
    layout.type = *type;
    layout.order = *dictionary->columnMajor ? NumberOrder::columnMajor : NumberOrder::rowMajor;
    layout.offset = header->begin + header->bytes;
    layout.shape = std::move(*dictionary->shape);
    if (layout.shape.size() > maximumRank) {
        return refuse(
            fmt::format("Array has {} dimensions; the limit is {}.", layout.shape.size(), maximumRank));
    }
    const std::optional<std::uint64_t> needed = checkedProduct(layout.shape, bytesPerNumber(layout.type));
    if (!needed) {
        return refuse(fmt::format("Size of the shape {} overflows.", shapeText(layout.shape)));
    }
    const std::uint64_t held = fileBytes - layout.offset;
    if (*needed > held) {
        return refuse(fmt::format("Needs {} of data for the shape {}, file holds {}.", byteText(*needed),
                                  shapeText(layout.shape), byteText(held)));
    }
    if (*needed < held) {
        return refuse(fmt::format("{} unused bytes after the data; refused.", formatGrouped(held - *needed)));
    }
    return layout;
}

Result<NumberLayout> readNpyLayout(OpenFile& file) {
    std::string beginning(
        std::min<std::uint64_t>(file.bytes(), maximumNpyPrefixBytes + maximumNpyHeaderBytes), '\0');
    if (const Result<void> read = file.read(0, beginning); !read) {
        return tl::unexpected(read.error());
    }
    return parseNpyHeader(beginning, file.bytes());
}

Result<NumberTable> readNpy(OpenFile& file) {
    Result<NumberLayout> layout = readNpyLayout(file);
    if (!layout) {
        return tl::unexpected(layout.error());
    }
    Result<std::vector<double>> values = readNumbers(file, *layout);
    if (!values) {
        return tl::unexpected(values.error());
    }
    return NumberTable{std::move(layout->shape), std::move(*values),
                       checkUtf8(file.path().stem().string()).text};
}

}  // namespace phaseladder
