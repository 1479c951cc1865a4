#include "core/import/position_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/import/npy.h"
#include "core/import/read_file.h"
#include "core/import/safetensors.h"
#include "core/import/table_file.h"
#include "core/import/text.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

using SharedTable = std::shared_ptr<const NumberTable>;

constexpr std::size_t tableRank = 2;

/// Above it, the products of two rows would overflow somewhere on the way to a hidden state.
constexpr double largestNumber = 1e100;

tl::unexpected<Error> refuse(std::string sentence) {
    return fail(ErrorKind::invalidInput, std::move(sentence));
}

/// The shape without leading dimensions of 1, as far as more than two are left.
std::vector<std::int64_t> squeezed(std::vector<std::int64_t> shape) {
    while (shape.size() > tableRank && shape.front() == 1) {
        shape.erase(shape.begin());
    }
    return shape;
}

Result<TensorEntry> choosePositionTensor(const std::vector<TensorEntry>& tensors) {
    const auto isTable = [](const TensorEntry& tensor) { return squeezed(tensor.shape).size() == tableRank; };
    std::vector<TensorEntry> tables, named, misshapen;
    for (const TensorEntry& tensor : tensors) {
        const bool looks = looksLikePositionTable(tensor.name);
        if (isTable(tensor)) {
            (looks ? named : tables).push_back(tensor);
        } else if (looks) {
            misshapen.push_back(tensor);
        }
    }
    if (named.size() == 1) {
        return named.front();
    }
    if (!named.empty()) {
        return refuse(fmt::format("{} tensors look like position tables; choose one: {}.", named.size(),
                                  tensorNames(named)));
    }
    if (!misshapen.empty()) {
        return refuse(fmt::format("A position table has two dimensions, positions × width; the file has {}.",
                                  tensorNames(misshapen)));
    }
    if (!tables.empty()) {
        return refuse(fmt::format("No tensor's name looks like a position table; choose one: {}.",
                                  tensorNames(tables)));
    }
    return refuse(fmt::format("None of the {} tensors is a table of positions × width.", tensors.size()));
}

Result<NumberTable> readFromSafetensors(OpenFile& file, const std::string& tensorName) {
    if (!tensorName.empty()) {
        return readTensor(file, tensorName);
    }
    const Result<std::vector<TensorEntry>> tensors = listTensors(file);
    if (!tensors) {
        return tl::unexpected(tensors.error());
    }
    const Result<TensorEntry> chosen = choosePositionTensor(*tensors);
    if (!chosen) {
        return tl::unexpected(chosen.error());
    }
    return readTensor(file, *chosen);
}

Result<NumberTable> readByContent(OpenFile& file, const std::string& tensorName) {
    const Result<TableFile> kind = tableFileKind(file);
    if (!kind) {
        return tl::unexpected(kind.error());
    }
    return *kind == TableFile::npy ? readNpy(file) : readFromSafetensors(file, tensorName);
}

Result<NumberTable> asPositionTable(NumberTable table) {
    const std::vector<std::int64_t> shape = squeezed(table.shape);
    if (shape.size() != tableRank) {
        return refuse(
            fmt::format("A position table has two dimensions, positions × width; {} has {} (shape {}).",
                        quotedText(table.name), shape.size(), shapeText(table.shape)));
    }
    table.shape = shape;
    if (table.values.empty()) {
        return refuse(fmt::format("Position table {} is empty (shape {}).", quotedText(table.name),
                                  shapeText(table.shape)));
    }
    const auto bad = std::find_if(table.values.begin(), table.values.end(),
                                  [](double value) { return !std::isfinite(value); });
    if (bad != table.values.end()) {
        const auto index = bad - table.values.begin();
        return refuse(fmt::format("Position table {} must be finite (got {} in row {}, column {}).",
                                  quotedText(table.name), formatNumber(*bad), index / table.shape[1],
                                  index % table.shape[1]));
    }
    const auto large = std::find_if(table.values.begin(), table.values.end(),
                                    [](double value) { return std::abs(value) > largestNumber; });
    if (large != table.values.end()) {
        const auto index = large - table.values.begin();
        return refuse(fmt::format(
            "Position table {} must hold numbers up to ±{} (got {} in row {}, column {}): scores overflow.",
            quotedText(table.name), formatNumber(largestNumber), formatNumber(*large), index / table.shape[1],
            index % table.shape[1]));
    }
    return table;
}

struct Question {
    std::filesystem::path path;
    std::uint64_t bytes = 0;
    std::filesystem::file_time_type changedAt;
    std::string tensorName;

    friend bool operator==(const Question&, const Question&) = default;
};

/// The newest answers, refusals too, newest first: at most a few, and no more numbers than one table may
/// have.
class AnswerCache {
public:
    std::optional<Result<SharedTable>> find(const Question& question) {
        return first([&](const Question& known) { return known == question; });
    }

    /// What was answered last, whatever the file was then.
    std::optional<Result<SharedTable>> findNewest(const std::filesystem::path& path,
                                                  const std::string& tensorName) {
        return first([&](const Question& known) { return isOf(known, path, tensorName); });
    }

    void keep(const Question& question, const Result<SharedTable>& table) {
        constexpr std::size_t most = 8;
        const std::lock_guard lock(m_mutex);
        m_answers.remove_if(
            [&](const Answer& answer) { return isOf(answer.question, question.path, question.tensorName); });
        m_answers.push_front({question, table});
        while (m_answers.size() > most || (m_answers.size() > 1 && numbers() > maximumTableNumbers)) {
            m_answers.pop_back();
        }
    }

private:
    struct Answer {
        Question question;
        Result<SharedTable> table;
    };

    static bool isOf(const Question& question, const std::filesystem::path& path,
                     const std::string& tensorName) {
        return question.path == path && question.tensorName == tensorName;
    }

    std::optional<Result<SharedTable>> first(const auto& fits) {
        const std::lock_guard lock(m_mutex);
        const auto found = std::ranges::find_if(m_answers, fits, &Answer::question);
        if (found == m_answers.end()) {
            return std::nullopt;
        }
        m_answers.splice(m_answers.begin(), m_answers, found);
        return found->table;
    }

    std::size_t numbers() const {
        std::size_t count = 0;
        for (const Answer& answer : m_answers) {
            count += answer.table ? (*answer.table)->values.size() : 0;
        }
        return count;
    }

    std::mutex m_mutex;
    std::list<Answer> m_answers;
};

AnswerCache& answers() {
    static AnswerCache cache;
    return cache;
}

}  // namespace

Result<SharedTable> readPositionTable(const std::filesystem::path& path, const std::string& tensorName,
                                      FileLook look) {
    std::error_code error;
    const std::filesystem::path place = std::filesystem::absolute(path, error);
    if (look == FileLook::remembered) {
        if (std::optional<Result<SharedTable>> known = answers().findNewest(place, tensorName)) {
            return std::move(*known);
        }
    }
    Result<OpenFile> file = OpenFile::open(path);
    if (!file) {
        answers().keep({place, 0, {}, tensorName}, tl::unexpected(file.error()));
        return tl::unexpected(file.error());
    }
    const Question question{place, file->bytes(), file->changedAt(), tensorName};
    if (std::optional<Result<SharedTable>> known = answers().find(question)) {
        return std::move(*known);
    }
    const Result<SharedTable> table =
        readByContent(*file, tensorName)
            .and_then(asPositionTable)
            .map([](NumberTable&& read) { return std::make_shared<const NumberTable>(std::move(read)); })
            .map_error([&](Error&& refusal) {
                return Error{refusal.kind, quotedPath(path) + ": " + refusal.message};
            });
    if (file->checkUnchanged()) {
        answers().keep(question, table);
    }
    return table;
}

bool looksLikePositionTable(std::string_view tensorName) {
    static constexpr std::array<std::string_view, 14> known{"wpe",
                                                            "position_embeddings",
                                                            "position_embedding",
                                                            "embed_positions",
                                                            "embed_position",
                                                            "positions_embed",
                                                            "position_embed",
                                                            "pos_embed",
                                                            "pos_embedding",
                                                            "pos_embeddings",
                                                            "positional_embedding",
                                                            "positional_embeddings",
                                                            "pos_emb",
                                                            "pe"};
    constexpr std::string_view weight = ".weight";
    if (tensorName.ends_with(weight)) {
        tensorName.remove_suffix(weight.size());
    }
    const std::string_view last = tensorName.substr(tensorName.rfind('.') + 1);
    return std::find(known.begin(), known.end(), last) != known.end();
}

}  // namespace phaseladder
