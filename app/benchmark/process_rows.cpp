#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>

#include <stdexcept>

#include "app/benchmark/parts.h"

namespace phaseladder::app {
namespace {

/// A fresh process of this program, from start to end.
BenchmarkRow ownProcess(const std::string& id, const std::string& size, const QStringList& arguments,
                        const QString& variable, double longestMs) {
    constexpr int longestWaitMs = 30000;
    BenchmarkRow row = measure(id, size, 11, [&](int) {
        QProcess process;
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        if (!variable.isEmpty()) {
            environment.insert(variable, QStringLiteral("1"));
        }
        process.setProcessEnvironment(environment);
        process.start(QCoreApplication::applicationFilePath(), arguments);
        if (!process.waitForFinished(longestWaitMs) || process.exitCode() != 0) {
            throw std::runtime_error("The program could not start itself.");
        }
    });
    row.amount = longestMs;
    return row;
}

}  // namespace

std::vector<BenchmarkRow> processRows() {
    const QTemporaryDir scratch;
    const QString pdf = scratch.filePath(QStringLiteral("ladder.pdf"));
    return {ownProcess("B12_start", "cold process to the first painted window, start-up scene", {},
                       QStringLiteral("PHASELADDER_QUIT_AFTER_PAINT"), 600.0),
            ownProcess("B12_figure_pdf", "cold process to a ladder as PDF",
                       {QStringLiteral("figure"), QStringLiteral("ladder"), QStringLiteral("-o"), pdf},
                       QString(), 500.0)};
}

}  // namespace phaseladder::app
