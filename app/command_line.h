#pragma once

#include <QString>
#include <QStringList>

#include <string_view>

#include "core/result.h"

namespace phaseladder::app {

/// Exit codes of the command line contract.
enum ExitCode : int {
    exitDone = 0,
    exitFailed = 1,
    exitUsage = 2,
    exitInvalidInput = 3,
    exitNotWritten = 4,
    exitUnavailable = 5,
};

[[nodiscard]] int exitCode(ErrorKind kind);

/// Prints the sentence on standard error and returns the exit code of its kind.
int report(const Error& error);

/// Prints "warning: …" or "note: …" on standard error.
void warn(std::string_view sentence);
void note(std::string_view sentence);

/// All of --help.
[[nodiscard]] QString helpText();

/// "phaseladder 0.1.0" with origin and licence.
[[nodiscard]] QString versionText();

/// A physical length in points (1/72 in): "3.25in", "60mm", "234pt". Must be above 0 and at most 200 in.
[[nodiscard]] Result<double> parseLengthPoints(const QString& option, const QString& text);

/// A number within limits, for options.
[[nodiscard]] Result<double> parseOptionNumber(const QString& option, const QString& text, double minimum,
                                               double maximum);

/// One of `allowed`, or a usage error that lists them.
[[nodiscard]] Result<QString> parseOptionChoice(const QString& option, const QString& text,
                                                const QStringList& allowed);

// The commands: arguments behind the command's name; the return value is the exit code.
[[nodiscard]] int runFigureCommand(const QStringList& arguments, int& argc, char** argv);
[[nodiscard]] int runListCommand(const QStringList& arguments, int& argc, char** argv);
[[nodiscard]] int runBenchmarkCommand(const QStringList& arguments, int& argc, char** argv);
[[nodiscard]] int runWindow(const QString& file, int& argc, char** argv);

}  // namespace phaseladder::app
