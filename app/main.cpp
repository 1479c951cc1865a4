#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <cstdio>

#include <fmt/format.h>

#include "app/command_line.h"
#include "app/signals.h"

namespace {

namespace app = phaseladder::app;

QStringList commandLineArguments(int argc, char** argv) {
    QStringList arguments;
    for (int index = 1; index < argc; ++index) {
        arguments.append(QString::fromLocal8Bit(argv[index]));
    }
    return arguments;
}

/// Remarks of Qt (no runtime folder, a plugin that did not load) are not for the person; what ends the
/// program is.
void printOnlyFatalMessages(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type == QtFatalMsg) {
        fmt::print(stderr, "phaseladder: {}\n", message.toStdString());
    }
}

int run(const QStringList& arguments, int& argc, char** argv) {
    if (arguments.contains(QStringLiteral("--help")) || arguments.contains(QStringLiteral("-h"))) {
        fmt::print("{}", app::helpText().toStdString());
        return app::exitDone;
    }
    if (arguments.contains(QStringLiteral("--version"))) {
        fmt::print("{}", app::versionText().toStdString());
        return app::exitDone;
    }
    const QString first = arguments.isEmpty() ? QString() : arguments.first();
    const QStringList rest = arguments.mid(1);
    if (first == QStringLiteral("figure")) {
        return app::runFigureCommand(rest, argc, argv);
    }
    if (first == QStringLiteral("list")) {
        return app::runListCommand(rest);
    }
    if (first == QStringLiteral("benchmark")) {
        return app::runBenchmarkCommand(rest, argc, argv);
    }
    if (first.startsWith(QLatin1Char('-')) && first.size() > 1) {
        return app::report({phaseladder::ErrorKind::usage,
                            fmt::format("Unknown option {}; see phaseladder --help.", first.toStdString())});
    }
    if (!rest.isEmpty()) {
        return app::report(
            {phaseladder::ErrorKind::usage,
             fmt::format("\"{}\" is not a command, and only one file can be opened; see phaseladder --help.",
                         first.toStdString())});
    }
    return app::runWindow(first, argc, argv);
}

}  // namespace

int main(int argc, char** argv) {
    qInstallMessageHandler(printOnlyFatalMessages);
    QCoreApplication::setOrganizationName(QStringLiteral("Phaseladder"));
    QCoreApplication::setApplicationName(QStringLiteral("Phaseladder"));
    QCoreApplication::setApplicationVersion(QStringLiteral(PHASELADDER_VERSION));
    return app::exitCodeAfterSignals(run(commandLineArguments(argc, argv), argc, argv));
}
