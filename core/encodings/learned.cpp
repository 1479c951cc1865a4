#include "core/encodings/learned.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/cancelled.h"
#include "core/encodings/absolute.h"
#include "core/encodings/encoding_list.h"
#include "core/import/position_table.h"
#include "core/import/read_file.h"
#include "core/number_text.h"
#include "core/random.h"

namespace phaseladder {
namespace {

/// validate() sees to it that the offset is below the rows.
Result<LearnedTable> seededTable(const Scene& scene, std::int64_t count, const std::stop_token& stop) {
    LearnedTable table{.tableRows = scene.learned.rows, .usable = scene.learned.rows - scene.learned.offset};
    // Row after row from one stream, so that a longer table begins as a shorter one does.
    Random random(streamSeed(static_cast<std::uint64_t>(scene.seed), "learned positions"));
    const std::int64_t last = std::min(scene.learned.offset + count, scene.learned.rows);
    StopLook isStopped(stop);
    for (std::int64_t row = 0; row < last; ++row) {
        if (isStopped()) {
            return cancelled();
        }
        for (int channel = 0; channel < scene.headDim; ++channel) {
            const double value = random.normal();
            if (row >= scene.learned.offset) {
                table.rows.push_back(value);
            }
        }
    }
    return table;
}

/// The file's rows from the offset on.
Result<LearnedTable> readTable(const Scene& scene, std::int64_t count, FileLook look) {
    const Result<std::shared_ptr<const NumberTable>> read =
        readPositionTable(scene.learned.table, scene.learned.tensor, look);
    if (!read) {
        return tl::unexpected(read.error());
    }
    const NumberTable& file = **read;
    const std::int64_t width = file.shape[1];
    if (width != scene.headDim) {
        return fail(ErrorKind::usage,
                    fmt::format("{}: The table is {} × {} numbers and head_dim is {}: set head_dim to {}.",
                                quotedPath(scene.learned.table), file.shape[0], width, scene.headDim, width));
    }
    LearnedTable table{.tableRows = file.shape[0], .usable = file.shape[0] - scene.learned.offset};
    if (table.usable < 1) {
        return fail(ErrorKind::usage,
                    fmt::format("{}: learned.offset must be below the table's {} rows (got {}).",
                                quotedPath(scene.learned.table), table.tableRows, scene.learned.offset));
    }
    const auto first = file.values.begin() + scene.learned.offset * width;
    table.rows.assign(first, first + std::min(count, table.usable) * width);
    return table;
}

Result<EncodingPlan> plan(const Scene& scene, std::int64_t tokens) {
    Result<LearnedTable> table = learnedTable(scene, tokens);
    if (!table) {
        return tl::unexpected(table.error());
    }
    // Past the table nothing is known; the rows there are held as zeros that no one reads.
    table->rows.resize(static_cast<std::size_t>(tokens) * static_cast<std::size_t>(scene.headDim), 0.0);
    EncodingPlan result = absolutePlan(scene, std::move(table->rows));
    result.definedTokens = table->usable;
    return result;
}

std::string numbers(const Scene& scene) {
    const Result<LearnedTable> table = knownLearnedTable(scene);
    if (!table) {
        return table.error().message;
    }
    return fmt::format(
        "{} rows of {} numbers{}: positions 0 .. {} have one; {}", table->tableRows, scene.headDim,
        scene.learned.offset > 0 ? fmt::format(", first used row {}", scene.learned.offset) : "",
        table->usable - 1, joinText(scene));
}

}  // namespace

Result<LearnedTable> learnedTable(const Scene& scene, std::int64_t count, std::stop_token stop) {
    return scene.learned.table.empty() ? seededTable(scene, count, stop)
                                       : readTable(scene, count, FileLook::now);
}

Result<LearnedTable> knownLearnedTable(const Scene& scene) {
    return scene.learned.table.empty() ? seededTable(scene, 0, {})
                                       : readTable(scene, 0, FileLook::remembered);
}

Encoding learnedEncoding() {
    return {
        .id = "learned",
        .label = "Learned (absolute)",
        .help =
            "Adds a row of a trained table to each token vector. Nothing in it says that position 5 is near "
            "position 6; training must teach it.",
        .formula = "x_i + P[i + offset]",
        .limits =
            "Positions past the table have no row at all: they are undefined, not zero and not clamped.",
        .source = "Radford et al. 2019, GPT-2; Devlin et al. 2019, BERT",
        .numbers = numbers,
        .plan = plan};
}

}  // namespace phaseladder
