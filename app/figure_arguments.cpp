#include "app/figure_arguments.h"

#include <QCommandLineOption>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>

#include <cmath>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "app/command_line.h"
#include "core/nearest_name.h"
#include "core/threads.h"
#include "ui/figure/figure_files.h"
#include "ui/shell_command.h"

namespace phaseladder::app {
namespace {

void addOptions(QCommandLineParser& parser) {
    const auto add = [&parser](const QStringList& names, const QString& value) {
        parser.addOption(QCommandLineOption(names, QString(), value));
    };
    parser.addOption(QCommandLineOption(QStringList{QStringLiteral("h"), QStringLiteral("help")}));
    add({QStringLiteral("o"), QStringLiteral("output")}, QStringLiteral("OUT"));
    for (const char* name : {"scene",  "config",        "model",     "set",     "format",     "width",
                             "height", "dpi",           "font-size", "style",   "colormap",   "font",
                             "legend", "panel-letters", "caption",   "backend", "helper",     "threads",
                             "window", "pixels",        "pool",      "title",   "background", "text",
                             "zoom",   "color-range",   "pin",       "pin-set", "compare"}) {
        add({QLatin1String(name)}, QStringLiteral("VALUE"));
    }
}

/// "r0:r1,c0:c1", half-open.
Result<CellWindow> parseWindow(const QString& text) {
    static const QRegularExpression form(QStringLiteral("^(\\d{1,9}):(\\d{1,9}),(\\d{1,9}):(\\d{1,9})$"));
    const QRegularExpressionMatch match = form.match(text);
    const auto number = [&match](int group) { return match.captured(group).toLongLong(); };
    const CellWindow window{number(1), number(2), number(3), number(4)};
    if (!match.hasMatch() || window.rowBegin >= window.rowEnd || window.columnBegin >= window.columnEnd) {
        return fail(ErrorKind::usage,
                    fmt::format("--window must be r0:r1,c0:c1 with r0 below r1 and c0 below c1, got \"{}\".",
                                text.toStdString()));
    }
    return window;
}

/// "WxH", each 1 to mostFigurePixels.
Result<std::pair<int, int>> parsePixels(const QString& text) {
    static const QRegularExpression form(QStringLiteral("^(\\d{1,5})x(\\d{1,5})$"));
    const QRegularExpressionMatch match = form.match(text);
    const int width = match.captured(1).toInt();
    const int height = match.captured(2).toInt();
    if (!match.hasMatch() || width < 1 || width > mostFigurePixels || height < 1 ||
        height > mostFigurePixels) {
        return fail(ErrorKind::usage, fmt::format("--pixels must be WxH, each from 1 to {}, got \"{}\".",
                                                  mostFigurePixels, text.toStdString()));
    }
    return std::pair(width, height);
}

Result<QString> outputFormat(const QCommandLineParser& parser, const QString& output) {
    const QString format = parser.isSet(QStringLiteral("format")) ? parser.value(QStringLiteral("format"))
                                                                  : QFileInfo(output).suffix().toLower();
    if (output == QStringLiteral("-") && format.isEmpty()) {
        return fail(ErrorKind::usage, "-o - needs --format: one of " +
                                          ui::exportFormats().join(QStringLiteral(", ")).toStdString() + ".");
    }
    return parseOptionChoice(QStringLiteral("The format of -o"), format, ui::exportFormats());
}

/// Reads a checked option into `target`; the first refusal wins.
class OptionReader {
public:
    explicit OptionReader(const QCommandLineParser& parser) : m_parser(parser) {}

    template <class Value, class Parse>
    void read(const char* name, Value& target, Parse&& parse) {
        const QString option = QLatin1String(name);
        if (m_error || !m_parser.isSet(option)) {
            return;
        }
        auto parsed = parse(QStringLiteral("--") + option, m_parser.value(option));
        if (parsed) {
            target = Value(*parsed);
        } else {
            m_error = parsed.error();
        }
    }

    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    const QCommandLineParser& m_parser;
    std::optional<Error> m_error;
};

auto choiceOf(QStringList allowed) {
    return [allowed = std::move(allowed)](const QString& option, const QString& text) {
        return parseOptionChoice(option, text, allowed);
    };
}

auto numberWithin(double minimum, double maximum) {
    return [minimum, maximum](const QString& option, const QString& text) {
        return parseOptionNumber(option, text, minimum, maximum);
    };
}

auto wholeNumberWithin(double minimum, double maximum) {
    return [minimum, maximum](const QString& option, const QString& text) -> Result<double> {
        const Result<double> number = parseOptionNumber(option, text, minimum, maximum);
        if (number && *number != std::floor(*number)) {
            return fail(ErrorKind::usage,
                        fmt::format("{} must be a whole number from {} to {}, got \"{}\".",
                                    option.toStdString(), minimum, maximum, text.toStdString()));
        }
        return number;
    };
}

}  // namespace

Result<FigureArguments> readFigureArguments(const QStringList& arguments) {
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(QStringList{QStringLiteral("phaseladder figure")} + arguments)) {
        return fail(ErrorKind::usage,
                    parser.errorText().toStdString() +
                        " Usage: phaseladder figure ID -o OUT [options]; see phaseladder --help.");
    }
    FigureArguments result;
    result.asksForHelp = parser.isSet(QStringLiteral("help"));
    if (result.asksForHelp) {
        return result;
    }
    std::vector<std::string> known;
    for (const FigureKind& kind : figureKinds()) {
        known.push_back(kind.id);
    }
    const QStringList positional = parser.positionalArguments();
    if (positional.size() != 1) {
        return fail(ErrorKind::usage, fmt::format("figure needs one figure ID ({}), got {}.",
                                                  fmt::join(known, ", "), positional.size()));
    }
    for (const char* name : {"scene", "config", "model", "font", "caption", "pin", "pin-set", "helper"}) {
        if (parser.isSet(QLatin1String(name)) && parser.value(QLatin1String(name)).isEmpty()) {
            return fail(ErrorKind::usage, fmt::format("--{} needs a value, got \"\".", name));
        }
    }
    result.request.id = positional.first().toStdString();
    if (findFigure(result.request.id) == nullptr) {
        return fail(ErrorKind::usage,
                    fmt::format("Unknown figure \"{}\"{}; known: {}.", result.request.id,
                                didYouMean(result.request.id, known), fmt::join(known, ", ")));
    }
    result.commandLine = ui::shellCommand(
        ui::withoutFolders(QStringList{QStringLiteral("phaseladder"), QStringLiteral("figure")} + arguments));
    result.output = parser.value(QStringLiteral("output"));
    if (result.output.isEmpty()) {
        return fail(ErrorKind::usage, "figure needs -o OUT (a file, or - for standard output).");
    }
    result.caption = parser.value(QStringLiteral("caption"));
    if (result.caption == result.output && !result.caption.isEmpty()) {
        return fail(ErrorKind::usage, fmt::format("--caption and -o must be two files, both are \"{}\".",
                                                  result.output.toStdString()));
    }
    const Result<QString> format = outputFormat(parser, result.output);
    if (!format) {
        return tl::unexpected(format.error());
    }
    result.format = *format;
    result.scene = {parser.value(QStringLiteral("scene")), parser.value(QStringLiteral("config")),
                    parser.value(QStringLiteral("model")), parser.values(QStringLiteral("set"))};
    result.pin = {parser.value(QStringLiteral("pin")), parser.values(QStringLiteral("pin-set"))};
    if (parser.isSet(QStringLiteral("compare")) && result.pin.isEmpty()) {
        return fail(ErrorKind::usage,
                    "--compare needs a setting to compare with: --pin FILE or --pin-set ID=VALUE.");
    }
    result.zooms = parser.values(QStringLiteral("zoom"));
    result.colorRanges = parser.values(QStringLiteral("color-range"));
    if (parser.isSet(QStringLiteral("title"))) {
        result.title = parser.value(QStringLiteral("title"));
    }

    QString style = QStringLiteral("print");
    QString background = QStringLiteral("white");
    QString text = QStringLiteral("text");
    QString pool = QStringLiteral("mean");
    QString legend = QStringLiteral("on");
    QString panelLetters = QStringLiteral("off");
    QString compare = QStringLiteral("b");
    int threads = 0;
    std::pair<int, int> pixels{result.request.pixelColumns, result.request.pixelRows};
    OptionReader options(parser);
    options.read("width", result.widthPoints, parseLengthPoints);
    options.read("height", result.heightPoints, parseLengthPoints);
    options.read("dpi", result.dpi, numberWithin(ui::leastDpi, ui::mostDpi));
    options.read("font-size", result.fontPoints, numberWithin(ui::leastFontPoints, ui::mostFontPoints));
    options.read("style", style, choiceOf(ui::styleNames()));
    options.read("colormap", result.colormap, choiceOf(ui::colormapNames()));
    const QStringList onOrOff{QStringLiteral("on"), QStringLiteral("off")};
    options.read("legend", legend, choiceOf(onOrOff));
    options.read("panel-letters", panelLetters, choiceOf(onOrOff));
    options.read("background", background,
                 choiceOf({QStringLiteral("white"), QStringLiteral("transparent")}));
    options.read("text", text, choiceOf({QStringLiteral("text"), QStringLiteral("paths")}));
    options.read("pool", pool, choiceOf({QStringLiteral("mean"), QStringLiteral("max")}));
    options.read("compare", compare,
                 choiceOf({QStringLiteral("a"), QStringLiteral("b"), QStringLiteral("delta")}));
    options.read("backend", result.backends.backend,
                 choiceOf({QStringLiteral("auto"), QStringLiteral("reference"), QStringLiteral("cpu"),
                           QStringLiteral("gpu")}));
    options.read("threads", threads, wholeNumberWithin(1.0, 1024.0));
    options.read("window", result.request.window,
                 [](const QString&, const QString& value) { return parseWindow(value); });
    options.read("pixels", pixels, [](const QString&, const QString& value) { return parsePixels(value); });
    if (options.error()) {
        return tl::unexpected(*options.error());
    }
    result.backends.helper = parser.value(QStringLiteral("helper"));
    result.style = ui::styleKind(style);
    result.transparent = background == QStringLiteral("transparent");
    result.font = parser.value(QStringLiteral("font"));
    result.showLegend = legend == QStringLiteral("on");
    result.showPanelLetters = panelLetters == QStringLiteral("on");
    result.textAsPaths = text == QStringLiteral("paths");
    result.request.pooling = pool == QStringLiteral("max") ? Pooling::max : Pooling::mean;
    result.request.compare = compare == QStringLiteral("a")   ? CompareMode::pinned
                             : compare == QStringLiteral("b") ? CompareMode::live
                                                              : CompareMode::difference;
    result.request.pixelColumns = pixels.first;
    result.request.pixelRows = pixels.second;
    if (threads > 0) {
        limitThreads(threads);
    }
    return result;
}

}  // namespace phaseladder::app
