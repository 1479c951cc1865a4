#include "core/import/capture_tensor.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "core/import/npy.h"
#include "core/import/safetensors.h"
#include "core/import/table_file.h"
#include "core/import/text.h"

namespace phaseladder {
namespace {

tl::unexpected<Error> refuse(std::string sentence) {
    return fail(ErrorKind::invalidInput, std::move(sentence));
}

/// "queries", and the parameter that names their tensor.
std::pair<std::string_view, std::string_view> wordsOf(CaptureSide side) {
    switch (side) {
        case CaptureSide::queries:
            return {"queries", "capture.query_tensor"};
        case CaptureSide::keys:
            return {"keys", "capture.key_tensor"};
        case CaptureSide::values:
            break;
    }
    return {"values", "capture.value_tensor"};
}

std::vector<std::string> partsOf(std::string_view name) {
    std::vector<std::string> parts{{}};
    for (const char character : name) {
        if (character == '.' || character == '/') {
            parts.emplace_back();
        } else {
            const bool isUpper = character >= 'A' && character <= 'Z';
            parts.back() += isUpper ? static_cast<char>(character - 'A' + 'a') : character;
        }
    }
    return parts;
}

bool isNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// "q_3" names layer 3.
std::string_view withoutNumber(std::string_view part) {
    const std::size_t end = part.find_last_not_of("0123456789");
    return end != std::string_view::npos && end + 1 < part.size() && end > 0 && part[end] == '_'
               ? part.substr(0, end)
               : part;
}

bool namesSide(std::string_view part, CaptureSide side) {
    static constexpr std::array<std::array<std::string_view, 9>, 3> known{{
        {"q", "query", "queries", "q_proj", "query_layer", "query_states", "q_states", "xq", "query_proj"},
        {"k", "key", "keys", "k_proj", "key_layer", "key_states", "k_states", "xk", "key_proj"},
        {"v", "value", "values", "v_proj", "value_layer", "value_states", "v_states", "xv", "value_proj"},
    }};
    return std::ranges::find(known[static_cast<std::size_t>(side)], withoutNumber(part)) !=
           known[static_cast<std::size_t>(side)].end();
}

/// The part of a name that says the side, from the end; numbers of layers may follow it.
std::size_t sidePart(const std::vector<std::string>& parts, CaptureSide side) {
    for (std::size_t index = parts.size(); index-- > 0;) {
        if (namesSide(parts[index], side)) {
            return index;
        }
        if (!isNumber(parts[index])) {
            break;
        }
    }
    return parts.size();
}

/// A name without the word for its side: the same for tensors that belong together.
std::string placeOf(std::string_view name) {
    std::vector<std::string> parts = partsOf(name);
    for (const CaptureSide side : {CaptureSide::queries, CaptureSide::keys, CaptureSide::values}) {
        if (const std::size_t at = sidePart(parts, side); at < parts.size()) {
            parts[at].erase(0, withoutNumber(parts[at]).size());
            break;
        }
    }
    std::string place;
    for (const std::string& part : parts) {
        place += part + ".";
    }
    return place;
}

std::vector<TensorEntry> candidates(const std::vector<TensorEntry>& tensors, CaptureSide side,
                                    std::string_view beside) {
    std::vector<TensorEntry> all;
    std::ranges::copy_if(tensors, std::back_inserter(all),
                         [side](const TensorEntry& tensor) { return looksLikeSide(tensor.name, side); });
    std::vector<TensorEntry> near;
    std::ranges::copy_if(all, std::back_inserter(near), [&](const TensorEntry& tensor) {
        return !beside.empty() && placeOf(tensor.name) == placeOf(beside);
    });
    return all.size() > 1 && near.size() == 1 ? near : all;
}

/// What a file without a captured side holds instead.
std::string nothingFound(const std::vector<TensorEntry>& tensors, CaptureSide side) {
    static constexpr std::string_view weight = ".weight";
    const auto isWeight = [side](const TensorEntry& tensor) {
        return tensor.name.ends_with(weight) &&
               looksLikeSide(std::string_view(tensor.name).substr(0, tensor.name.size() - weight.size()),
                             side);
    };
    const auto [words, parameter] = wordsOf(side);
    if (const auto found = std::ranges::find_if(tensors, isWeight); found != tensors.end()) {
        return fmt::format(
            "{} holds weights of a model, no captured {}: resources/capture_qk.py captures them.",
            quotedText(found->name), words);
    }
    return fmt::format("No tensor's name looks like {}; choose one with {}: {}.", words, parameter,
                       tensors.empty() ? "the file has none" : tensorNames(tensors));
}

Result<CaptureTensor> asCaptureTensor(const TensorEntry& tensor) {
    return layoutOf(tensor).map([&](NumberLayout layout) {
        return CaptureTensor{tensor.name, std::move(layout)};
    });
}

}  // namespace

std::string_view sideLetter(CaptureSide side) {
    return side == CaptureSide::queries ? "Q" : side == CaptureSide::keys ? "K" : "V";
}

bool looksLikeSide(std::string_view tensorName, CaptureSide side) {
    const std::vector<std::string> parts = partsOf(tensorName);
    return sidePart(parts, side) < parts.size();
}

Result<CaptureTensor> chooseCaptureTensor(OpenFile& file, CaptureSide side, const std::string& name,
                                          std::string_view beside) {
    const Result<TableFile> kind = tableFileKind(file);
    if (!kind) {
        return tl::unexpected(kind.error());
    }
    if (*kind == TableFile::npy) {
        return readNpyLayout(file).map([&](NumberLayout layout) {
            return CaptureTensor{checkUtf8(file.path().stem().string()).text, std::move(layout)};
        });
    }
    const Result<std::vector<TensorEntry>> tensors = listTensors(file);
    if (!tensors) {
        return tl::unexpected(tensors.error());
    }
    if (!name.empty()) {
        return findTensor(*tensors, name).and_then(asCaptureTensor);
    }
    const std::vector<TensorEntry> found = candidates(*tensors, side, beside);
    if (found.empty()) {
        return refuse(nothingFound(*tensors, side));
    }
    if (found.size() > 1) {
        const auto [words, parameter] = wordsOf(side);
        return refuse(fmt::format("{} tensors look like {}; choose one with {}: {}.", found.size(), words,
                                  parameter, tensorNames(found)));
    }
    return asCaptureTensor(found.front());
}

Result<std::optional<CaptureTensor>> findCaptureTensor(OpenFile& file, CaptureSide side,
                                                       std::string_view beside) {
    const Result<TableFile> kind = tableFileKind(file);
    if (!kind || *kind == TableFile::npy) {
        return kind ? Result<std::optional<CaptureTensor>>(std::nullopt) : tl::unexpected(kind.error());
    }
    const Result<std::vector<TensorEntry>> tensors = listTensors(file);
    if (!tensors) {
        return tl::unexpected(tensors.error());
    }
    const std::vector<TensorEntry> found = candidates(*tensors, side, beside);
    if (found.size() != 1) {
        return std::nullopt;
    }
    return asCaptureTensor(found.front()).map([](CaptureTensor tensor) { return std::optional(tensor); });
}

}  // namespace phaseladder
