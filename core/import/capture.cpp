#include "core/import/capture.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/import/table_file.h"
#include "core/import/text.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

using SharedCapture = std::shared_ptr<const Capture>;

constexpr std::int64_t mostPositions = 1 << 20;

Error named(const std::filesystem::path& path, Error refusal) {
    return {refusal.kind, quotedPath(path) + ": " + refusal.message};
}

/// The files of a capture; keys and values may be in that of the queries.
struct Files {
    OpenFile queries;
    std::optional<OpenFile> keys, values;
    FileState labels;

    [[nodiscard]] OpenFile& keyFile() { return keys ? *keys : queries; }
    [[nodiscard]] OpenFile& valueFile() { return values ? *values : queries; }
};

Result<Files> openFiles(const CaptureSettings& settings) {
    Result<OpenFile> queries = OpenFile::open(settings.queries);
    if (!queries) {
        return tl::unexpected(queries.error());
    }
    Files files{*std::move(queries), std::nullopt, std::nullopt, {}};
    for (const auto& [path, file] :
         {std::pair(&settings.keys, &files.keys), std::pair(&settings.values, &files.values)}) {
        if (path->empty() || *path == settings.queries) {
            continue;
        }
        Result<OpenFile> opened = OpenFile::open(*path);
        if (!opened) {
            return tl::unexpected(opened.error());
        }
        file->emplace(*std::move(opened));
    }
    if (!settings.labels.empty()) {
        const Result<OpenFile> labels = OpenFile::open(settings.labels);
        if (!labels) {
            return tl::unexpected(labels.error());
        }
        files.labels = stateOf(*labels);
    }
    return files;
}

Result<CaptureTensor> chooseKeys(const CaptureSettings& settings, Files& files,
                                 const std::string& queryTensor) {
    const Result<TableFile> kind = tableFileKind(files.keyFile());
    if (kind && *kind == TableFile::npy && !files.keys) {
        return fail(ErrorKind::invalidInput,
                    "A .npy file holds one array, the queries: name the file of the keys (capture.keys).");
    }
    return chooseCaptureTensor(files.keyFile(), CaptureSide::keys, settings.keyTensor, queryTensor);
}

/// Values that stand beside queries and keys are taken along; only those that a person named can be refused.
bool asksForValues(const CaptureSettings& settings) {
    return !settings.values.empty() || !settings.valueTensor.empty();
}

/// Why there are none is put into a note where nobody asked for them.
Result<std::optional<CaptureTensor>> chooseValues(const CaptureSettings& settings, Files& files,
                                                  const std::string& queryTensor, std::string& note) {
    if (asksForValues(settings)) {
        return chooseCaptureTensor(files.valueFile(), CaptureSide::values, settings.valueTensor, queryTensor)
            .map([](CaptureTensor tensor) { return std::optional(std::move(tensor)); });
    }
    Result<std::optional<CaptureTensor>> found =
        findCaptureTensor(files.queries, CaptureSide::values, queryTensor);
    if (!found) {
        note = found.error().message + " The values are not used.";
        return std::nullopt;
    }
    return found;
}

std::string unusedValues(const CaptureTensor& values, const CaptureTensor& keys) {
    return fmt::format("V {} has the shape {}; {}, that of K, is wanted: the values are not used.",
                       quotedText(values.name), shapeText(values.layout.shape), shapeText(keys.layout.shape));
}

Result<CaptureArrays> readArrays(const CaptureSettings& settings, Files& files) {
    const Result<CaptureTensor> queries =
        chooseCaptureTensor(files.queries, CaptureSide::queries, settings.queryTensor, {});
    if (!queries) {
        return tl::unexpected(named(settings.queries, queries.error()));
    }
    const Result<CaptureTensor> keys = chooseKeys(settings, files, queries->name);
    if (!keys) {
        return tl::unexpected(named(files.keyFile().path(), keys.error()));
    }
    std::string note;
    const Result<std::optional<CaptureTensor>> values = chooseValues(settings, files, queries->name, note);
    if (!values) {
        return tl::unexpected(named(files.valueFile().path(), values.error()));
    }
    Result<CaptureArrays> arrays = nameAxes(*queries, *keys, *values, settings.axes);
    if (!arrays && values->has_value() && !asksForValues(settings)) {
        arrays = nameAxes(*queries, *keys, std::nullopt, settings.axes);
        note = unusedValues(**values, *keys);
    } else if (arrays && arrays->values && arrays->values->channels != arrays->queries.channels) {
        note = unusedValues(**values, *keys);
        arrays->values.reset();
    }
    if (arrays && !note.empty()) {
        arrays->notes.push_back(std::move(note));
    }
    return arrays;
}

Result<TokenText> readLabels(const std::filesystem::path& path) {
    // One byte more than allowed: the text's own sentence names the limit.
    return readFile(path, maximumTextBytes + 1).and_then([](const std::string& text) {
        return readTokens(text);
    });
}

/// Labels for all positions: those of the file, then blank ones; or numbers.
Result<void> setTokens(Capture& capture, const CaptureSettings& settings) {
    const CaptureArrays& arrays = capture.arrays;
    const std::int64_t positions =
        std::max(settings.rowOffset + arrays.queries.tokens, settings.columnOffset + arrays.keys.tokens);
    if (positions > mostPositions) {
        return fail(ErrorKind::invalidInput,
                    fmt::format("Queries from {} and keys from {} reach {} positions; the limit is {}.",
                                formatGrouped(settings.rowOffset), formatGrouped(settings.columnOffset),
                                formatGrouped(positions), formatGrouped(mostPositions)));
    }
    if (settings.labels.empty()) {
        std::vector<std::string> numbers;
        for (std::int64_t position = 0; position < positions; ++position) {
            numbers.push_back(std::to_string(position));
        }
        capture.tokens = std::move(numbers);
        return {};
    }
    Result<TokenText> labels = readLabels(settings.labels);
    if (!labels) {
        return tl::unexpected(named(settings.labels, labels.error()));
    }
    capture.warnings.insert(capture.warnings.end(), labels->warnings.begin(), labels->warnings.end());
    const auto count = static_cast<std::int64_t>(labels->tokens.size());
    const std::int64_t missing = positions - count;
    if (missing > 0) {
        capture.warnings.push_back(fmt::format("{} labels for {} rows: the last {} {} without a label.",
                                               formatGrouped(count), formatGrouped(positions),
                                               formatGrouped(missing), missing == 1 ? "is" : "are"));
    } else if (missing < 0) {
        capture.notes.push_back(fmt::format("{} labels for {} rows: the last {} {} not used.",
                                            formatGrouped(count), formatGrouped(positions),
                                            formatGrouped(-missing), missing == -1 ? "is" : "are"));
    }
    labels->tokens.resize(static_cast<std::size_t>(positions));
    capture.tokens = std::move(labels->tokens);
    return {};
}

Result<SharedCapture> readCapture(const CaptureSettings& settings, Files& files) {
    Result<CaptureArrays> arrays = readArrays(settings, files);
    if (!arrays) {
        return tl::unexpected(arrays.error());
    }
    auto capture = std::make_shared<Capture>();
    capture->queryFile = stateOf(files.queries);
    capture->keyFile = stateOf(files.keyFile());
    capture->valueFile = stateOf(files.valueFile());
    capture->notes = std::exchange(arrays->notes, {});
    capture->arrays = *std::move(arrays);
    if (const Result<void> set = setTokens(*capture, settings); !set) {
        return tl::unexpected(set.error());
    }
    return capture;
}

/// The newest answers, refusals too, those given last first.
class AnswerCache {
public:
    struct Question {
        CaptureSettings settings;
        std::vector<FileState> files;  ///< none: they could not be opened

        friend bool operator==(const Question&, const Question&) = default;
    };

    std::optional<Result<SharedCapture>> find(const Question& question) {
        return first([&](const Question& known) { return known == question; });
    }

    /// What was answered last, whatever the files were then.
    std::optional<Result<SharedCapture>> findNewest(const CaptureSettings& settings) {
        return first([&](const Question& known) { return known.settings == settings; });
    }

    void keep(const Question& question, const Result<SharedCapture>& answer) {
        constexpr std::size_t most = 4;
        const std::lock_guard lock(m_mutex);
        m_answers.remove_if([&](const auto& known) { return known.first == question; });
        m_answers.emplace_front(question, answer);
        if (m_answers.size() > most) {
            m_answers.pop_back();
        }
    }

private:
    std::optional<Result<SharedCapture>> first(const auto& fits) {
        const std::lock_guard lock(m_mutex);
        const auto found =
            std::ranges::find_if(m_answers, fits, &std::pair<Question, Result<SharedCapture>>::first);
        if (found == m_answers.end()) {
            return std::nullopt;
        }
        m_answers.splice(m_answers.begin(), m_answers, found);
        return found->second;
    }

    std::mutex m_mutex;
    std::list<std::pair<Question, Result<SharedCapture>>> m_answers;
};

AnswerCache& answers() {
    static AnswerCache cache;
    return cache;
}

/// What changes nothing in the headers and the labels is left out.
CaptureSettings headerSettings(CaptureSettings settings) {
    settings.rotation = {};
    settings.theta = 0.0;
    settings.config.clear();
    settings.layout = {};
    return settings;
}

}  // namespace

FileState stateOf(const OpenFile& file) {
    std::error_code error;
    return {std::filesystem::absolute(file.path(), error), file.bytes(), file.changedAt()};
}

Result<SharedCapture> openCapture(const CaptureSettings& settings, FileLook look) {
    const CaptureSettings asked = headerSettings(settings);
    if (look == FileLook::remembered) {
        if (std::optional<Result<SharedCapture>> known = answers().findNewest(asked)) {
            return std::move(*known);
        }
    }
    Result<Files> files = openFiles(settings);
    if (!files) {
        answers().keep({asked, {}}, tl::unexpected(files.error()));
        return tl::unexpected(files.error());
    }
    const AnswerCache::Question question{
        asked,
        {stateOf(files->queries), stateOf(files->keyFile()), stateOf(files->valueFile()), files->labels}};
    if (std::optional<Result<SharedCapture>> known = answers().find(question)) {
        return std::move(*known);
    }
    const Result<SharedCapture> capture = readCapture(settings, *files);
    for (const OpenFile* file : {&files->queries, &files->keyFile(), &files->valueFile()}) {
        if (const Result<void> unchanged = file->checkUnchanged(); !unchanged) {
            return tl::unexpected(named(file->path(), unchanged.error()));
        }
    }
    answers().keep(question, capture);
    return capture;
}

}  // namespace phaseladder
