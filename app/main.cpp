#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <cstdlib>
#include <exception>

#include <fmt/format.h>

#include "app/command_line.h"
#include "app/signals.h"
#include "app/streams.h"
#include "core/keep_memory.h"

namespace {

namespace app = phaseladder::app;

QStringList commandLineArguments(int argc, char** argv) {
    QStringList arguments;
    for (int index = 1; index < argc; ++index) {
        arguments.append(QString::fromLocal8Bit(argv[index]));
    }
    return arguments;
}

/// Remarks of Qt (no runtime folder, a plugin that did not load) are not for the person. What ends the
/// program is, in its first sentence; it is nearly always a display that cannot be reached, and no reason to
/// abort.
void endAtFatalMessages(QtMsgType type, const QMessageLogContext&, const QString& message) {
    if (type != QtFatalMsg) {
        return;
    }
    const QString sentence = message.simplified().section(QStringLiteral(". "), 0, 0);
    const QString platform = qEnvironmentVariable("QT_QPA_PLATFORM");
    app::printMessage(fmt::format(
        "{}{}.", sentence.toStdString(),
        platform.isEmpty() ? "" : fmt::format(" (QT_QPA_PLATFORM is \"{}\")", platform.toStdString())));
    std::_Exit(app::exitFailed);
}

/// Not behind `figure`, where it may be a value (--title --help) and is one of its options.
bool asksFor(const char* option, const QStringList& arguments) {
    return arguments.contains(QLatin1String(option)) && arguments.first() != QStringLiteral("figure");
}

int run(const QStringList& arguments, int& argc, char** argv) {
    if (asksFor("--help", arguments) || asksFor("-h", arguments)) {
        return app::printOutput(app::helpText().toStdString());
    }
    if (asksFor("--version", arguments)) {
        return app::printOutput(app::versionText().toStdString());
    }
    const QString first = arguments.value(0);
    const QStringList rest = arguments.mid(1);
    if (first == QStringLiteral("figure")) {
        return app::runFigureCommand(rest, argc, argv);
    }
    if (first == QStringLiteral("list")) {
        return app::runListCommand(rest, argc, argv);
    }
    if (first == QStringLiteral("benchmark")) {
        return app::runBenchmarkCommand(rest, argc, argv);
    }
    if (first == QStringLiteral("--") && rest.size() == 1) {
        return app::runWindow(rest.first(), argc, argv);
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
    phaseladder::keepFreedMemory();
    app::reserveStandardStreams();
    qInstallMessageHandler(endAtFatalMessages);
    QCoreApplication::setOrganizationName(QStringLiteral("Phaseladder"));
    QCoreApplication::setApplicationName(QStringLiteral("Phaseladder"));
    QCoreApplication::setApplicationVersion(QStringLiteral(PHASELADDER_VERSION));
    try {
        return app::exitCodeAfterSignals(run(commandLineArguments(argc, argv), argc, argv));
    } catch (const std::exception& exception) {  // out of memory
        return app::report(
            {phaseladder::ErrorKind::failed, fmt::format("The program cannot go on: {}.", exception.what())});
    }
}
