#include <QApplication>
#include <QFile>
#include <QProcess>
#include <QSysInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/benchmark/ceilings.h"
#include "app/benchmark/parts.h"
#include "app/benchmark/serve.h"
#include "app/command_line.h"
#include "app/streams.h"
#include "core/threads.h"

namespace phaseladder::app {
namespace {

using Json = nlohmann::ordered_json;

std::string machineText() {
    QFile processors(QStringLiteral("/proc/cpuinfo"));
    QString model;
    if (processors.open(QIODevice::ReadOnly)) {
        for (const QByteArray& line : processors.readAll().split('\n')) {
            if (line.startsWith("model name")) {
                model = QString::fromUtf8(line.mid(line.indexOf(':') + 1)).trimmed();
                break;
            }
        }
    }
    return fmt::format("{}, {} threads, {}", model.toStdString(), threadCount(),
                       QSysInfo::prettyProductName().toStdString());
}

std::string limitText(const BenchmarkRow& row) {
    switch (row.limit) {
        case LimitKind::gemm:
            return "GEMM rate";
        case LimitKind::store:
            return "store rate";
        case LimitKind::delay:
            break;
    }
    return fmt::format("{:g} ms", row.amount);
}

Json rowJson(const BenchmarkRow& row, const Ceilings& ceilings) {
    Json json{{"id", row.id},
              {"size", row.size},
              {"median_ms", row.medianMs},
              {"p95_ms", row.p95Ms},
              {"limit_ratio", limitRatio(row, ceilings)},
              {"limit", limitText(row)},
              {"repeats", row.repeats}};
    for (const auto& [name, value] : row.facts) {
        json[name] = value;
    }
    return json;
}

// A part runs in a process of its own, which hands its rows on in this form.

Json partJson(const std::vector<BenchmarkRow>& rows) {
    Json list = Json::array();
    for (const BenchmarkRow& row : rows) {
        list.push_back({row.id, row.size, row.medianMs, row.p95Ms, row.repeats, static_cast<int>(row.limit),
                        row.amount, row.facts});
    }
    return list;
}

std::vector<BenchmarkRow> rowsOf(const Json& part) {
    std::vector<BenchmarkRow> rows;
    for (const Json& row : part) {
        rows.push_back({row[0], row[1], row[2], row[3], row[4], static_cast<LimitKind>(row[5].get<int>()),
                        row[6], row[7]});
    }
    return rows;
}

int runPart(const QString& name, int& argc, char** argv) {
    const auto parts = benchmarkParts();
    const auto part = std::find_if(parts.begin(), parts.end(), [&name](const BenchmarkPart& candidate) {
        return candidate.name == name.toStdString();
    });
    if (part == parts.end()) {
        return report({ErrorKind::usage, fmt::format("benchmark has no part \"{}\".", name.toStdString())});
    }
    const std::unique_ptr<QCoreApplication> application =
        part->needs == PartNeeds::window ? std::make_unique<QApplication>(argc, argv)
                                         : std::make_unique<QCoreApplication>(argc, argv);
    return printOutput(partJson(part->run()).dump() + "\n");
}

Result<std::vector<BenchmarkRow>> runInOwnProcess(const BenchmarkPart& part) {
    constexpr int longestWaitMs = 240'000;
    const QString name = QString::fromUtf8(part.name.data(), static_cast<qsizetype>(part.name.size()));
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QCoreApplication::applicationFilePath(),
                  {QStringLiteral("benchmark"), QStringLiteral("--part"), name});
    if (!process.waitForFinished(longestWaitMs) || process.exitStatus() != QProcess::NormalExit ||
        process.exitCode() != exitDone) {
        return fail(ErrorKind::failed, fmt::format("The part {} of the benchmark did not end well ({}).",
                                                   part.name, process.errorString().toStdString()));
    }
    return rowsOf(Json::parse(process.readAllStandardOutput().toStdString()));
}

std::string ceilingsText(const Ceilings& ceilings) {
    return fmt::format(
        "ceilings: FMA {:.0f} GFLOP/s, GEMM {:.0f} GFLOP/s (Eigen's {:.0f}), exp {:.2g}/s, load {:.1f} GB/s, "
        "store {:.1f} GB/s, copy {:.1f} GB/s\n\n{:<22} {:>10} {:>10} {:>12} {:>10} {:>8}  {}\n",
        ceilings.fmaGigaflops, ceilings.gemmGigaflops, ceilings.eigenGemmGigaflops, ceilings.expPerSecond,
        ceilings.loadGigabytesPerSecond, ceilings.storeGigabytesPerSecond, ceilings.copyGigabytesPerSecond,
        "row", "median ms", "p95 ms", "limit ratio", "of", "repeats", "size");
}

std::string rowText(const BenchmarkRow& row, const Ceilings& ceilings) {
    std::string text =
        fmt::format("{:<22} {:>10.2f} {:>10.2f} {:>12.2f} {:>10} {:>8}  {}", row.id, row.medianMs, row.p95Ms,
                    limitRatio(row, ceilings), limitText(row), row.repeats, row.size);
    for (const auto& [name, value] : row.facts) {
        text += fmt::format("; {} {:.3g}", name, value);
    }
    return text + "\n";
}

Json ceilingsJson(const Ceilings& ceilings) {
    return {{"fma_gflops", ceilings.fmaGigaflops},
            {"gemm_gflops", ceilings.gemmGigaflops},
            {"eigen_gemm_gflops", ceilings.eigenGemmGigaflops},
            {"exp_per_second", ceilings.expPerSecond},
            {"load_gb_per_second", ceilings.loadGigabytesPerSecond},
            {"store_gb_per_second", ceilings.storeGigabytesPerSecond},
            {"copy_gb_per_second", ceilings.copyGigabytesPerSecond}};
}

/// Runs all parts. As text, each row is printed when it is there; as JSON all at the end.
int runAllParts(bool asJson) {
    const Ceilings ceilings = measureCeilings();
    Json json{{"machine", machineText()}, {"ceilings", ceilingsJson(ceilings)}, {"rows", Json::array()}};
    if (!asJson) {
        if (const int code = printOutput(machineText() + "\n" + ceilingsText(ceilings)); code != exitDone) {
            return code;
        }
    }
    int worst = exitDone;
    for (const BenchmarkPart& part : benchmarkParts()) {
        const Result<std::vector<BenchmarkRow>> rows = runInOwnProcess(part);
        if (!rows) {
            worst = report(rows.error());
            continue;
        }
        for (const BenchmarkRow& row : *rows) {
            json["rows"].push_back(rowJson(row, ceilings));
            if (const int code = asJson ? exitDone : printOutput(rowText(row, ceilings)); code != exitDone) {
                return code;
            }
        }
    }
    const int printed = asJson ? printOutput(json.dump(2) + "\n") : exitDone;
    return printed == exitDone ? worst : printed;
}

}  // namespace

int runBenchmarkCommand(const QStringList& arguments, int& argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    if (arguments.size() == 2 && arguments.first() == QStringLiteral("--part")) {
        return runPart(arguments.last(), argc, argv);
    }
    if (arguments == QStringList{QStringLiteral("--serve")}) {  // for tests/benchmarks/peers.py
        const QApplication application(argc, argv);
        return serveBenchmark();
    }
    const bool json = arguments == QStringList{QStringLiteral("--json")};
    if (!json && !arguments.isEmpty()) {
        return report({ErrorKind::usage, fmt::format("benchmark takes only --json, got \"{}\".",
                                                     arguments.join(QLatin1Char(' ')).toStdString())});
    }
    const QTemporaryDir scratch;  // a person's own layout stays out of it, and as it is
    for (const char* folder : {"XDG_CONFIG_HOME", "XDG_STATE_HOME"}) {
        qputenv(folder, scratch.path().toLocal8Bit());
    }
    const QCoreApplication application(argc, argv);
    return runAllParts(json);
}

}  // namespace phaseladder::app
