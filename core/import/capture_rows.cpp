#include "core/import/capture_rows.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <list>
#include <mutex>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "core/attention/rotate.h"
#include "core/cancelled.h"
#include "core/import/text.h"
#include "core/memory.h"
#include "core/number_text.h"
#include "core/threads.h"

namespace phaseladder {
namespace {

using SharedRows = std::shared_ptr<const CaptureRows>;

constexpr std::int64_t chunkRows = 2048;

bool isNumber(double value) {
    return std::abs(value) <= double{std::numeric_limits<float>::max()};
}

std::string whatItIs(double value) {
    return std::isnan(value)   ? "a NaN"
           : std::isinf(value) ? "an infinity"
                               : "a number beyond single precision";
}

/// The rotation that undoes another.
PairRotation inverseOf(PairRotation rotation) {
    for (std::uint64_t& turns : rotation.turnsPerToken) {
        turns = std::uint64_t{0} - turns;
    }
    rotation.attentionFactor = 1.0 / rotation.attentionFactor;
    return rotation;
}

/// The first number of some rows that is none.
struct FirstBad {
    std::int64_t row = 0, channel = 0;
    double value = 0.0;
};

/// One chunk of rows on its way from the file.
struct Chunk {
    std::vector<std::int64_t> undefined;
    std::optional<FirstBad> first;
};

Chunk inspect(std::span<const double> numbers, std::int64_t columns, std::int64_t begin) {
    Chunk chunk;
    const auto width = static_cast<std::size_t>(columns);
    for (std::size_t row = 0; row * width < numbers.size(); ++row) {
        const std::span<const double> line = numbers.subspan(row * width, width);
        const auto bad = std::ranges::find_if_not(line, isNumber);
        if (bad == line.end()) {
            continue;
        }
        chunk.undefined.push_back(begin + static_cast<std::int64_t>(row));
        if (!chunk.first) {
            chunk.first = FirstBad{chunk.undefined.back(), bad - line.begin(), *bad};
        }
    }
    return chunk;
}

Result<void> checkMemory(const CaptureArray& array) {
    const double needed =
        static_cast<double>(array.tokens) * static_cast<double>(array.channels) * sizeof(float);
    const double allowed = availableMemoryBytes() / 2.0;
    if (allowed == 0.0 || needed <= allowed) {
        return {};
    }
    return fail(
        ErrorKind::invalidInput,
        fmt::format(
            "Needs {}, {} allowed; largest n that fits is {}.", byteText(static_cast<std::uint64_t>(needed)),
            byteText(static_cast<std::uint64_t>(allowed)),
            formatGrouped(std::floor(allowed / (static_cast<double>(array.channels) * sizeof(float))))));
}

Result<SharedRows> readAll(const OpenFile& file, const CaptureArray& array, std::int64_t head,
                           const std::optional<TurnedBy>& turned, const std::stop_token& stop) {
    if (const Result<void> fits = checkMemory(array); !fits) {
        return tl::unexpected(fits.error());
    }
    const NumberRows part = array.rowsOf(head);
    const std::optional<PairRotation> inverse =
        turned ? std::optional(inverseOf(turned->rotation)) : std::nullopt;
    FloatRows rows(array.tokens, array.channels);
    const auto chunkCount = static_cast<std::size_t>((array.tokens + chunkRows - 1) / chunkRows);
    std::vector<Chunk> chunks(chunkCount);
    std::vector<Result<void>> reads(chunkCount);
    forEachInParallel(static_cast<int>(chunkCount), [&](int index) {
        if (stop.stop_requested()) {
            return;
        }
        const auto at = static_cast<std::size_t>(index);
        const std::int64_t begin = index * chunkRows, end = std::min(begin + chunkRows, array.tokens);
        RowMatrix numbers(end - begin, array.channels);
        const std::span<double> all(numbers.data(), static_cast<std::size_t>(numbers.size()));
        reads[at] = readRows(file, array.tensor.layout, part, begin, end, all);
        if (!reads[at]) {
            return;
        }
        chunks[at] = inspect(all, array.channels, begin);
        for (std::int64_t row = begin; inverse && row < end; ++row) {
            const auto first = static_cast<std::size_t>((row - begin) * array.channels);
            rotatePairs(all.subspan(first, static_cast<std::size_t>(array.channels)), *inverse,
                        turned->start + row);
        }
        rows.middleRows(begin, end - begin) = numbers.cast<float>();
    });
    if (stop.stop_requested()) {
        return cancelled();
    }
    for (const Result<void>& read : reads) {
        if (!read) {
            return tl::unexpected(read.error());
        }
    }
    auto result = std::make_shared<CaptureRows>();
    for (const Chunk& chunk : chunks) {
        if (chunk.first && result->undefined.empty()) {
            result->channel = chunk.first->channel;
            result->what = whatItIs(chunk.first->value);
        }
        result->undefined.insert(result->undefined.end(), chunk.undefined.begin(), chunk.undefined.end());
    }
    result->rows = HeadRows(std::move(rows));
    return result;
}

struct Question {
    FileState file;
    std::string tensor;
    std::int64_t head = 0;
    bool tokensFirst = false;
    std::optional<TurnedBy> turned;

    friend bool operator==(const Question&, const Question&) = default;
};

/// The newest heads, newest first: at most a few, and no more numbers than a 131,072-token head of queries,
/// keys and values has, twice.
class HeadCache {
public:
    SharedRows find(const Question& question) {
        const std::lock_guard lock(m_mutex);
        const auto found = std::ranges::find(m_heads, question, &std::pair<Question, SharedRows>::first);
        if (found == m_heads.end()) {
            return nullptr;
        }
        m_heads.splice(m_heads.begin(), m_heads, found);
        return found->second;
    }

    void keep(const Question& question, const SharedRows& rows) {
        constexpr std::size_t most = 256;
        constexpr std::int64_t mostNumbers = std::int64_t{6} << 24;
        const std::lock_guard lock(m_mutex);
        std::erase_if(m_heads, [&](const auto& known) {
            return known.first.file.path == question.file.path && known.first.file != question.file;
        });
        m_heads.emplace_front(question, rows);
        std::int64_t numbers = 0;
        for (auto head = m_heads.begin(); head != m_heads.end(); ++head) {
            numbers += head->second->rows.size();
            if (head != m_heads.begin() && numbers > mostNumbers) {
                m_heads.erase(head, m_heads.end());
                break;
            }
        }
        if (m_heads.size() > most) {
            m_heads.pop_back();
        }
    }

private:
    std::mutex m_mutex;
    std::list<std::pair<Question, SharedRows>> m_heads;
};

HeadCache& heads() {
    static HeadCache cache;
    return cache;
}

}  // namespace

Result<SharedRows> readCaptureRows(const FileState& file, const CaptureArray& array, std::int64_t head,
                                   const std::optional<TurnedBy>& turned, std::stop_token stop) {
    const Question question{file, array.tensor.name, head, array.tokensFirst, turned};
    if (SharedRows known = heads().find(question)) {
        return known;
    }
    const Result<OpenFile> opened = OpenFile::open(file.path);
    if (!opened) {
        return tl::unexpected(opened.error());
    }
    if (stateOf(*opened) != file) {
        return fail(ErrorKind::invalidInput, "File changed while reading; try again.");
    }
    Result<SharedRows> rows = readAll(*opened, array, head, turned, stop);
    if (!rows) {
        return rows;
    }
    if (const Result<void> unchanged = opened->checkUnchanged(); !unchanged) {
        return tl::unexpected(unchanged.error());
    }
    heads().keep(question, *rows);
    return rows;
}

}  // namespace phaseladder
