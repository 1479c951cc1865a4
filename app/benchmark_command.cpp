#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QSysInfo>
#include <QTemporaryDir>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <functional>
#include <memory>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/ceilings.h"
#include "app/command_line.h"
#include "app/streams.h"
#include "core/attention/order_sweep.h"
#include "core/attention/permutations.h"
#include "core/engine.h"
#include "core/phase/cos_sin_table.h"
#include "core/threads.h"
#include "ui/document.h"
#include "ui/main_window.h"

namespace phaseladder::app {
namespace {

/// One measured thing. limitRatio: for a rate, the share of the ceiling that was reached; for a delay, p95
/// over its limit.
struct BenchmarkRow {
    std::string id;
    std::string size;
    double medianMs = 0.0;
    double p95Ms = 0.0;
    double limitRatio = 0.0;
    int repeats = 0;
};

/// Runs `work` once to warm up, then `repeats` times.
BenchmarkRow measure(const std::string& id, const std::string& size, int repeats,
                     const std::function<void(int repeat)>& work) {
    work(0);
    std::vector<double> times;
    for (int repeat = 1; repeat <= repeats; ++repeat) {
        QElapsedTimer timer;
        timer.start();
        work(repeat);
        times.push_back(double(timer.nsecsElapsed()) * 1e-6);
    }
    std::sort(times.begin(), times.end());
    const auto quantile = [&times](double share) {
        return times[std::size_t(std::ceil(share * double(times.size()))) - 1];
    };
    return {id, size, quantile(0.5), quantile(0.95), 0.0, repeats};
}

BenchmarkRow phaseTables(const Ceilings& ceilings) {
    constexpr std::int64_t positions = 131072;
    constexpr std::size_t pairs = 64;
    std::vector<float> cosine(std::size_t(positions) * pairs);
    std::vector<float> sine(cosine.size());
    BenchmarkRow row = measure("phase_tables", "131072 positions x 64 pairs", 15, [&](int repeat) {
        const Ladder ladder = plainLadder(10000.0 + repeat, int(2 * pairs));
        CosSinTable(phaseTurns(ladder), positions).fill(cosine, sine);
    });
    const double gigabytes = 2.0 * double(cosine.size()) * sizeof(float) * 1e-9;
    row.limitRatio = gigabytes / (row.medianMs * 1e-3) / ceilings.storeGigabytesPerSecond;
    return row;
}

/// A text of `count` different words.
std::vector<std::string> differentWords(int count) {
    std::vector<std::string> words;
    for (int index = 0; index < count; ++index) {
        words.push_back(fmt::format("word{}", index));
    }
    return words;
}

BenchmarkRow sliderTick() {
    constexpr double limitMs = 16.0;
    ui::MainWindow window(std::make_unique<Engine>(), nullptr, QString());
    window.resize(1440, 900);
    window.show();
    ui::SceneDocument& document = *window.document();
    document.setParameters({{QStringLiteral("tokens"), differentWords(256)},
                            {QStringLiteral("head_dim"), 128.0},
                            {QStringLiteral("scaling"), std::string("yarn")}});
    window.waitForPainted(10000);
    document.beginGesture();
    BenchmarkRow row =
        measure("slider_tick_four_panes", "d=128, 256 tokens, window 1440x900", 300, [&](int repeat) {
            document.setParameter(QStringLiteral("rope.theta"), 10000.0 * std::pow(1.01, repeat));
            window.waitForPainted(10000);
        });
    document.endGesture();
    row.limitRatio = row.p95Ms / limitMs;
    return row;
}

/// A token dropped at another place: the order changes, and all panes with it.
BenchmarkRow tokenDrop() {
    constexpr double limitMs = 16.0;
    constexpr int tokens = 64;
    ui::MainWindow window(std::make_unique<Engine>(), nullptr, QString());
    window.resize(1440, 900);
    window.show();
    ui::SceneDocument& document = *window.document();
    document.setParameter(QStringLiteral("tokens"), differentWords(tokens));
    window.waitForPainted(10000);
    BenchmarkRow row =
        measure("token_drop_four_panes", "64 tokens, d=64, window 1440x900", 200, [&](int repeat) {
            document.setParameter(QStringLiteral("order"), shuffledOrder(tokens, std::uint64_t(repeat)));
            window.waitForPainted(10000);
        });
    row.limitRatio = row.p95Ms / limitMs;
    return row;
}

/// All orders of different words under RoPE, by a sweep made anew each time.
BenchmarkRow allOrders(const std::string& id, int words, bool counts, double limitMs, int repeats) {
    Scene scene;
    scene.tokens = differentWords(words);
    BenchmarkRow row = measure(
        id, fmt::format("{} tokens, d={}, {}", words, scene.headDim, counts ? "with counts" : "verdict"),
        repeats, [&](int) {
            Result<OrderSweep> sweep = OrderSweep::create(scene, {});
            const bool isDone = sweep && sweep->differences(identityOrder(words), {}) &&
                                (!counts || sweep->counts(identityOrder(words), nullptr, {}));
            assert(isDone);
            static_cast<void>(isDone);
        });
    row.limitRatio = row.p95Ms / limitMs;
    return row;
}

/// A fresh process of this program, from start to end.
BenchmarkRow ownProcess(const std::string& id, const std::string& size, const QStringList& arguments,
                        const QString& variable, double limitMs) {
    BenchmarkRow row = measure(id, size, 11, [&](int) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        if (!variable.isEmpty()) {
            environment.insert(variable, QStringLiteral("1"));
        }
        process.setProcessEnvironment(environment);
        process.start(QCoreApplication::applicationFilePath(), arguments);
        process.waitForFinished(30000);
    });
    row.limitRatio = row.p95Ms / limitMs;
    return row;
}

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

std::string jsonText(const Ceilings& ceilings, const std::vector<BenchmarkRow>& rows) {
    nlohmann::ordered_json json;
    json["machine"] = machineText();
    json["ceilings"] = {{"gemm_gflops", ceilings.gemmGigaflops},
                        {"exp_per_second", ceilings.expPerSecond},
                        {"copy_gb_per_second", ceilings.copyGigabytesPerSecond},
                        {"store_gb_per_second", ceilings.storeGigabytesPerSecond}};
    json["rows"] = nlohmann::ordered_json::array();
    for (const BenchmarkRow& row : rows) {
        json["rows"].push_back({{"id", row.id},
                                {"size", row.size},
                                {"median_ms", row.medianMs},
                                {"p95_ms", row.p95Ms},
                                {"limit_ratio", row.limitRatio},
                                {"repeats", row.repeats}});
    }
    return json.dump(2) + "\n";
}

std::string plainText(const Ceilings& ceilings, const std::vector<BenchmarkRow>& rows) {
    std::string text = machineText() + "\n";
    text +=
        fmt::format("ceilings: GEMM {:.0f} GFLOP/s, exp {:.2g}/s, copy {:.1f} GB/s, store {:.1f} GB/s\n\n",
                    ceilings.gemmGigaflops, ceilings.expPerSecond, ceilings.copyGigabytesPerSecond,
                    ceilings.storeGigabytesPerSecond);
    text += fmt::format("{:<24} {:>10} {:>10} {:>12} {:>8}  {}\n", "row", "median ms", "p95 ms",
                        "limit ratio", "repeats", "size");
    for (const BenchmarkRow& row : rows) {
        text += fmt::format("{:<24} {:>10.2f} {:>10.2f} {:>12.2f} {:>8}  {}\n", row.id, row.medianMs,
                            row.p95Ms, row.limitRatio, row.repeats, row.size);
    }
    return text;
}

}  // namespace

int runBenchmarkCommand(const QStringList& arguments, int& argc, char** argv) {
    const bool json = arguments == QStringList{QStringLiteral("--json")};
    if (!json && !arguments.isEmpty()) {
        return report({ErrorKind::usage, fmt::format("benchmark takes only --json, got \"{}\".",
                                                     arguments.join(QLatin1Char(' ')).toStdString())});
    }
    const QTemporaryDir scratch;
    qputenv("QT_QPA_PLATFORM", "offscreen");
    qputenv("XDG_CONFIG_HOME",
            scratch.path().toLocal8Bit());  // a person's own layout stays out of it, and as it is
    const QApplication application(argc, argv);
    const Ceilings ceilings = measureCeilings();
    const QString pdf = scratch.filePath(QStringLiteral("ladder.pdf"));
    const std::vector<BenchmarkRow> rows{
        phaseTables(ceilings),
        sliderTick(),
        tokenDrop(),
        allOrders("orders_8", 8, true, 10.0, 15),
        allOrders("orders_10_verdict", 10, false, 1000.0, 15),
        allOrders("orders_10_distinct", 10, true, 10000.0, 3),
        ownProcess("start_to_first_paint", "cold process, start-up scene", {},
                   QStringLiteral("PHASELADDER_QUIT_AFTER_PAINT"), 600.0),
        ownProcess("figure_ladder_pdf", "cold process",
                   {QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("-o"), pdf}, QString(),
                   500.0),
    };
    return printOutput(json ? jsonText(ceilings, rows) : plainText(ceilings, rows));
}

}  // namespace phaseladder::app
