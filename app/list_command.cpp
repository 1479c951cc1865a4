#include <QCoreApplication>

#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/command_line.h"
#include "app/streams.h"
#include "core/attention/backends.h"
#include "core/encodings/encoding.h"
#include "core/figures/figure_list.h"
#include "core/ladder/scaling.h"
#include "core/number_text.h"
#include "core/parameter.h"
#include "gpu/gpu_backend.h"
#include "ui/figure/figure_style.h"
#include "ui/model_library.h"

namespace phaseladder::app {
namespace {

/// One line of a list: id and label are the contract of --json; the rest is for people.
struct ListRow {
    std::string id;
    std::string label;
    std::string details;
};

std::string rangeText(const Parameter& row) {
    if (row.kind == ParameterKind::choice) {
        std::vector<std::string> ids;
        for (const Choice& choice : row.choices) {
            ids.push_back(choice.id);
        }
        return fmt::format("{}", fmt::join(ids, "|"));
    }
    if (row.kind == ParameterKind::number || row.kind == ParameterKind::integer) {
        return fmt::format("{}{} to {}{}", row.minimumExcluded ? "above " : "", formatNumber(row.hardMinimum),
                           formatNumber(row.hardMaximum), row.unit.empty() ? "" : " " + row.unit);
    }
    return {};
}

std::vector<ListRow> parameterRows() {
    std::vector<ListRow> rows;
    const Scene defaults;
    for (const Parameter& row : parameters()) {
        const std::string range = rangeText(row);
        rows.push_back({row.id, row.label,
                        fmt::format("{} Default {}.{}{}", row.help, formatValue(row, row.get(defaults)),
                                    range.empty() ? "" : " Range: ", range)});
    }
    return rows;
}

std::vector<ListRow> backendRows(const QString& helper) {
    std::vector<ListRow> rows;
    for (const BackendInfo& info : Backends(gpu::makeGpuBackend({.command = helper})).infos()) {
        rows.push_back({info.id, info.label,
                        info.available ? "available"
                                       : fmt::format("unavailable: {}; computing on the {}", info.reason,
                                                     processorText())});
    }
    return rows;
}

/// Rows of a registry whose entries have id, label and help.
template <class Registry>
std::vector<ListRow> registryRows(const Registry& registry) {
    std::vector<ListRow> rows;
    for (const auto& entry : registry) {
        rows.push_back({entry.id, entry.label, entry.help});
    }
    return rows;
}

/// Each with what it does, its formula with the numbers of the start-up scene, its limits and its source.
std::vector<ListRow> encodingRows() {
    std::vector<ListRow> rows;
    for (const Encoding& encoding : encodings()) {
        rows.push_back(
            {encoding.id, encoding.label,
             fmt::format("{}\nFormula: {}\nStart-up scene: {}\nLimits: {}\nSource: {}", encoding.help,
                         encoding.formula, encoding.numbers(Scene{}), encoding.limits, encoding.source)});
    }
    return rows;
}

Result<std::vector<ListRow>> rowsOf(const QString& kind, const QString& helper) {
    if (kind == QStringLiteral("figures")) {
        return registryRows(figureKinds());
    }
    if (kind == QStringLiteral("encodings")) {
        return encodingRows();
    }
    if (kind == QStringLiteral("scalings")) {
        return registryRows(scalings());
    }
    if (kind == QStringLiteral("parameters")) {
        return parameterRows();
    }
    if (kind == QStringLiteral("backends")) {
        return backendRows(helper);
    }
    std::vector<ListRow> rows;
    if (kind == QStringLiteral("models")) {
        for (const ui::BuiltInModel& model : ui::builtInModels()) {
            rows.push_back({model.id.toStdString(), model.label.toStdString(), model.source.toStdString()});
        }
        return rows;
    }
    if (kind == QStringLiteral("colormaps")) {
        for (const QString& name : ui::colormapNames()) {
            rows.push_back({name.toStdString(), name.toStdString(), {}});
        }
        return rows;
    }
    if (kind == QStringLiteral("lessons")) {
        return rows;  // none are bundled yet
    }
    return fail(
        ErrorKind::usage,
        fmt::format("list needs one of figures, parameters, encodings, scalings, models, colormaps, lessons, "
                    "backends, got \"{}\".",
                    kind.toStdString()));
}

std::string jsonText(const std::vector<ListRow>& rows) {
    nlohmann::ordered_json array = nlohmann::ordered_json::array();
    for (const ListRow& row : rows) {
        array.push_back({{"id", row.id}, {"label", row.label}});
    }
    return array.dump(2) + "\n";
}

std::string plainText(const std::vector<ListRow>& rows) {
    std::size_t width = 0;
    for (const ListRow& row : rows) {
        width = std::max(width, row.id.size());
    }
    std::string text;
    for (const ListRow& row : rows) {
        std::string details = row.details.empty() ? std::string() : ". " + row.details;
        for (std::size_t at = details.find('\n'); at != std::string::npos; at = details.find('\n', at + 1)) {
            details.insert(at + 1, width + 2, ' ');
        }
        text += fmt::format("{:<{}}  {}{}\n", row.id, width, row.label, details);
    }
    return text;
}

}  // namespace

int runListCommand(const QStringList& arguments, int& argc, char** argv) {
    QStringList kinds = arguments;
    const bool json = kinds.removeAll(QStringLiteral("--json")) > 0;
    QString helper;
    if (const qsizetype place = kinds.indexOf(QStringLiteral("--helper")); place >= 0) {
        helper = kinds.value(place + 1);
        if (helper.isEmpty() || !kinds.contains(QStringLiteral("backends"))) {
            return report({ErrorKind::usage, "--helper needs a command, and is for list backends."});
        }
        kinds.remove(place, 2);
    }
    for (const QString& argument : kinds) {
        if (argument.startsWith(QLatin1Char('-'))) {
            return report(
                {ErrorKind::usage, fmt::format("Unknown option {} of list; known: --json, --helper COMMAND.",
                                               argument.toStdString())});
        }
    }
    const QCoreApplication application(argc, argv);
    const Result<std::vector<ListRow>> rows = rowsOf(kinds.join(QLatin1Char(' ')), helper);
    if (!rows) {
        return report(rows.error());
    }
    return printOutput(json ? jsonText(*rows) : plainText(*rows));
}

}  // namespace phaseladder::app
