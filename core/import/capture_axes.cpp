#include "core/import/capture_axes.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "core/import/text.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

constexpr std::int64_t mostHeads = 1024;
constexpr std::int64_t mostTokens = 1 << 20;
constexpr std::size_t headRank = 2, layerRank = 3;

tl::unexpected<Error> refuse(std::string sentence) {
    return fail(ErrorKind::invalidInput, std::move(sentence));
}

/// The shape without leading dimensions of 1, as far as more than three are left.
std::vector<std::int64_t> squeezed(std::vector<std::int64_t> shape) {
    while (shape.size() > layerRank && shape.front() == 1) {
        shape.erase(shape.begin());
    }
    return shape;
}

Result<void> checkShape(const CaptureTensor& tensor, CaptureSide side) {
    const std::vector<std::int64_t> shape = squeezed(tensor.layout.shape);
    if (shape.size() == layerRank + 1) {
        return refuse(fmt::format("{} {} has a first dimension of {} (shape {}): one text at a time is read.",
                                  sideLetter(side), quotedText(tensor.name), shape.front(),
                                  shapeText(tensor.layout.shape)));
    }
    if (shape.size() != headRank && shape.size() != layerRank) {
        return refuse(fmt::format(
            "{} {} has {} dimensions (shape {}); heads × tokens × channels or tokens × channels are read.",
            sideLetter(side), quotedText(tensor.name), shape.size(), shapeText(tensor.layout.shape)));
    }
    if (std::ranges::find(shape, 0) != shape.end()) {
        return refuse(fmt::format("{} {} is empty (shape {}).", sideLetter(side), quotedText(tensor.name),
                                  shapeText(tensor.layout.shape)));
    }
    return {};
}

CaptureArray read(CaptureTensor tensor, bool tokensFirst) {
    const std::vector<std::int64_t> shape = squeezed(tensor.layout.shape);
    CaptureArray array{std::move(tensor)};
    array.channels = shape.back();
    if (shape.size() == headRank) {
        array.tokens = shape.front();
    } else {
        array.tokensFirst = tokensFirst;
        array.heads = shape[tokensFirst ? 1 : 0];
        array.tokens = shape[tokensFirst ? 0 : 1];
    }
    return array;
}

/// Whether the arrays belong together.
Result<void> checkFit(const CaptureArrays& arrays) {
    const CaptureArray& q = arrays.queries;
    const CaptureArray& k = arrays.keys;
    if (q.channels != k.channels) {
        return refuse(fmt::format("Q has {} channels, K has {}.", q.channels, k.channels));
    }
    if (q.heads % k.heads != 0) {
        return refuse(fmt::format("Q has {} heads, K has {}: {} is not a multiple of {} (shapes {} and {}).",
                                  q.heads, k.heads, q.heads, k.heads, shapeText(q.tensor.layout.shape),
                                  shapeText(k.tensor.layout.shape)));
    }
    if (q.heads > mostHeads) {
        return refuse(fmt::format("Q has {} heads (shape {}); the limit is {}.", formatGrouped(q.heads),
                                  shapeText(q.tensor.layout.shape), mostHeads));
    }
    for (const CaptureArray* array : {&q, &k}) {
        if (array->tokens > mostTokens) {
            return refuse(fmt::format("{} has {} rows; the limit is {}.", array == &q ? "Q" : "K",
                                      formatGrouped(array->tokens), formatGrouped(mostTokens)));
        }
    }
    if (arrays.values && (arrays.values->heads != k.heads || arrays.values->tokens != k.tokens)) {
        return refuse(fmt::format("K has {} heads of {} rows, V has {} of {} (shapes {} and {}).", k.heads,
                                  formatGrouped(k.tokens), arrays.values->heads,
                                  formatGrouped(arrays.values->tokens), shapeText(k.tensor.layout.shape),
                                  shapeText(arrays.values->tensor.layout.shape)));
    }
    return {};
}

std::string reading(const CaptureArrays& arrays) {
    const auto count = [](std::int64_t number, std::string_view one) {
        return fmt::format("{} {}{}", formatGrouped(number), one, number == 1 ? "" : "s");
    };
    const CaptureArray& q = arrays.queries;
    return q.tokens == arrays.keys.tokens
               ? fmt::format("{} of {}", count(q.heads, "head"), count(q.tokens, "token"))
               : fmt::format("{} of {} queries and {} keys", count(q.heads, "head"), formatGrouped(q.tokens),
                             formatGrouped(arrays.keys.tokens));
}

/// Heads of one token are no picture.
bool isUseful(const CaptureArrays& arrays) {
    return arrays.keys.tokens > 1 && arrays.queries.tokens <= arrays.keys.tokens;
}

}  // namespace

NumberRows CaptureArray::rowsOf(std::int64_t head) const {
    // Of dimensions [a, b, channels], one of a and b is the head; in the order of the file
    // row-major (a, b, c) stands at (a · B + b) · C + c, column-major at a + A · (b + B · c).
    const auto h = static_cast<std::uint64_t>(heads), t = static_cast<std::uint64_t>(tokens),
               c = static_cast<std::uint64_t>(channels), at = static_cast<std::uint64_t>(head);
    NumberRows part{tokens, channels};
    if (tensor.layout.order == NumberOrder::rowMajor) {
        part.columnStep = 1;
        part.rowStep = tokensFirst ? h * c : c;
        part.first = at * (tokensFirst ? c : t * c);
    } else {
        part.columnStep = h * t;
        part.rowStep = tokensFirst ? 1 : h;
        part.first = at * (tokensFirst ? t : 1);
    }
    return part;
}

Result<CaptureArrays> nameAxes(CaptureTensor queries, CaptureTensor keys, std::optional<CaptureTensor> values,
                               CaptureAxes axes) {
    for (const Result<void>& checked :
         {checkShape(queries, CaptureSide::queries), checkShape(keys, CaptureSide::keys),
          values ? checkShape(*values, CaptureSide::values) : Result<void>()}) {
        if (!checked) {
            return tl::unexpected(checked.error());
        }
    }
    const bool isOneHead = [&] {
        const auto rank = [](const CaptureTensor& tensor) { return squeezed(tensor.layout.shape).size(); };
        return rank(queries) == headRank && rank(keys) == headRank && (!values || rank(*values) == headRank);
    }();
    const auto readAll = [&](bool tokensFirst) {
        CaptureArrays arrays{read(queries, tokensFirst), read(keys, tokensFirst), std::nullopt, {}};
        if (values) {
            arrays.values = read(*values, tokensFirst);
        }
        return arrays;
    };
    CaptureArrays headsFirst = readAll(false), tokensFirst = readAll(true);
    const Result<void> fits = checkFit(headsFirst), fitsOther = checkFit(tokensFirst);
    const auto checked = [](CaptureArrays arrays, const Result<void>& fit) -> Result<CaptureArrays> {
        return fit ? Result<CaptureArrays>(std::move(arrays)) : tl::unexpected(fit.error());
    };
    if (isOneHead || axes == CaptureAxes::heads_tokens_dim || (!fits && !fitsOther)) {
        return checked(std::move(headsFirst), fits);
    }
    if (axes == CaptureAxes::tokens_heads_dim || !fits) {
        return checked(std::move(tokensFirst), fitsOther);
    }
    if (!fitsOther || (isUseful(headsFirst) && !isUseful(tokensFirst))) {
        return headsFirst;
    }
    if (isUseful(tokensFirst) && !isUseful(headsFirst)) {
        return tokensFirst;
    }
    headsFirst.notes.push_back(fmt::format(
        "Q {} is read as heads × tokens × channels: {}; as tokens × heads × channels it would be {} "
        "(capture.axes).",
        shapeText(headsFirst.queries.tensor.layout.shape), reading(headsFirst), reading(tokensFirst)));
    return headsFirst;
}

}  // namespace phaseladder
