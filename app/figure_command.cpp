#include <QCommandLineOption>
#include <QCommandLineParser>
#include <QFileInfo>
#include <QGuiApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "app/command_line.h"
#include "app/scene_options.h"
#include "app/signals.h"
#include "core/engine.h"
#include "core/nearest_name.h"
#include "core/threads.h"
#include "gpu/gpu_backend.h"
#include "ui/figure/figure_files.h"
#include "ui/figure/figure_style.h"
#include "ui/figure/page_height.h"

namespace phaseladder::app {
namespace {

/// Everything `figure` was told, checked.
struct FigureArguments {
    SceneOptions scene;
    FigureRequest request;
    QString output;
    std::optional<QString> title;  // empty: no title; absent: the figure's own
    QString format;
    QString backend = QStringLiteral("auto");
    ui::StyleKind style = ui::StyleKind::print;
    QString colormap;
    double widthPoints = 396.0;
    double heightPoints = 0.0;  // 0: from the figure's number of panels
    double dpi = 300.0;
    double fontPoints = 9.0;
    bool transparent = false;
    bool textAsPaths = false;
};

void addOptions(QCommandLineParser& parser) {
    const auto add = [&parser](const QStringList& names, const QString& value) {
        parser.addOption(QCommandLineOption(names, QString(), value));
    };
    add({QStringLiteral("o"), QStringLiteral("output")}, QStringLiteral("OUT"));
    for (const char* name :
         {"scene", "config", "model", "set", "format", "width", "height", "dpi", "font-size", "style",
          "colormap", "backend", "threads", "window", "pixels", "pool", "title", "background", "text"}) {
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

/// "WxH", each 1 to 1024.
Result<std::pair<int, int>> parsePixels(const QString& text) {
    static const QRegularExpression form(QStringLiteral("^(\\d{1,5})x(\\d{1,5})$"));
    const QRegularExpressionMatch match = form.match(text);
    const int width = match.captured(1).toInt();
    const int height = match.captured(2).toInt();
    if (!match.hasMatch() || width < 1 || width > 1024 || height < 1 || height > 1024) {
        return fail(ErrorKind::usage, fmt::format("--pixels must be WxH, each from 1 to 1024, got \"{}\".",
                                                  text.toStdString()));
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

Result<FigureArguments> readArguments(const QStringList& arguments) {
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(QStringList{QStringLiteral("phaseladder figure")} + arguments)) {
        return fail(ErrorKind::usage,
                    parser.errorText().toStdString() +
                        " Usage: phaseladder figure ID -o OUT [options]; see phaseladder --help.");
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
    FigureArguments result;
    result.request.id = positional.first().toStdString();
    if (findFigure(result.request.id) == nullptr) {
        return fail(ErrorKind::usage,
                    fmt::format("Unknown figure \"{}\"{}; known: {}.", result.request.id,
                                didYouMean(result.request.id, known), fmt::join(known, ", ")));
    }
    result.output = parser.value(QStringLiteral("output"));
    if (result.output.isEmpty()) {
        return fail(ErrorKind::usage, "figure needs -o OUT (a file, or - for standard output).");
    }
    const Result<QString> format = outputFormat(parser, result.output);
    if (!format) {
        return tl::unexpected(format.error());
    }
    result.format = *format;
    result.scene = {parser.value(QStringLiteral("scene")), parser.value(QStringLiteral("config")),
                    parser.value(QStringLiteral("model")), parser.values(QStringLiteral("set"))};
    if (parser.isSet(QStringLiteral("title"))) {
        result.title = parser.value(QStringLiteral("title"));
    }

    QString style = QStringLiteral("print");
    QString background = QStringLiteral("white");
    QString text = QStringLiteral("text");
    QString pool = QStringLiteral("mean");
    int threads = 0;
    std::pair<int, int> pixels{result.request.pixelColumns, result.request.pixelRows};
    OptionReader options(parser);
    options.read("width", result.widthPoints, parseLengthPoints);
    options.read("height", result.heightPoints, parseLengthPoints);
    options.read("dpi", result.dpi, numberWithin(ui::leastDpi, ui::mostDpi));
    options.read("font-size", result.fontPoints, numberWithin(ui::leastFontPoints, ui::mostFontPoints));
    options.read("style", style, choiceOf(ui::styleNames()));
    options.read("colormap", result.colormap, choiceOf(ui::colormapNames()));
    options.read("background", background,
                 choiceOf({QStringLiteral("white"), QStringLiteral("transparent")}));
    options.read("text", text, choiceOf({QStringLiteral("text"), QStringLiteral("paths")}));
    options.read("pool", pool, choiceOf({QStringLiteral("mean"), QStringLiteral("max")}));
    options.read("backend", result.backend,
                 choiceOf({QStringLiteral("auto"), QStringLiteral("reference"), QStringLiteral("gpu")}));
    options.read("threads", threads, numberWithin(1.0, 1024.0));
    options.read("window", result.request.window,
                 [](const QString&, const QString& value) { return parseWindow(value); });
    options.read("pixels", pixels, [](const QString&, const QString& value) { return parsePixels(value); });
    if (options.error()) {
        return tl::unexpected(*options.error());
    }
    result.style = ui::styleKind(style);
    result.transparent = background == QStringLiteral("transparent");
    result.textAsPaths = text == QStringLiteral("paths");
    result.request.pooling = pool == QStringLiteral("max") ? Pooling::max : Pooling::mean;
    result.request.pixelColumns = pixels.first;
    result.request.pixelRows = pixels.second;
    if (threads > 0) {
        limitThreads(threads);
    }
    return result;
}

ui::ExportOptions exportOptions(const FigureArguments& arguments, const Figure& figure) {
    ui::ExportOptions options;
    options.format = arguments.format;
    options.dpi = arguments.dpi;
    options.textAsPaths = arguments.textAsPaths;
    options.page.fontPoints = arguments.fontPoints;
    options.page.style = ui::figureStyle(arguments.style);
    if (!arguments.colormap.isEmpty()) {
        options.page.style.sequentialMap = arguments.colormap;
    }
    options.page.title = arguments.title.value_or(QString());
    options.page.showTitle = !arguments.title || !arguments.title->isEmpty();
    options.page.transparent = arguments.transparent;
    const double height = arguments.heightPoints > 0.0
                              ? arguments.heightPoints
                              : ui::defaultHeightPoints(figure, arguments.widthPoints);
    options.page.sizePoints = QSizeF(arguments.widthPoints, height);
    return options;
}

Result<void> deliver(const QByteArray& bytes, const QString& output) {
    if (output != QStringLiteral("-")) {
        return ui::writeFileSafely(output, bytes);
    }
    const auto size = static_cast<std::size_t>(bytes.size());
    if (std::fwrite(bytes.constData(), 1, size, stdout) != size || std::fflush(stdout) != 0) {
        return fail(ErrorKind::notWritten, "Standard output could not be written.");
    }
    return {};
}

Result<void> drawFigure(const FigureArguments& arguments, std::stop_token stop) {
    const Result<ChosenScene> chosen = chooseScene(arguments.scene);
    if (!chosen) {
        return tl::unexpected(chosen.error());
    }
    for (const std::string& warning : chosen->warnings) {
        warn(QString::fromStdString(warning));
    }
    if (arguments.backend == QStringLiteral("gpu")) {
        const BackendInfo info = gpu::makeGpuBackend()->info();
        if (!info.available) {
            return fail(ErrorKind::unavailable, info.reason);
        }
    }
    Engine engine;
    const Result<Figure> figure = engine.figure(chosen->scene, arguments.request, stop);
    if (!figure) {
        return tl::unexpected(figure.error());
    }
    for (const std::string& warning : figure->warnings) {
        if (std::find(chosen->warnings.begin(), chosen->warnings.end(), warning) == chosen->warnings.end()) {
            warn(QString::fromStdString(warning));
        }
    }
    return ui::renderFigure(*figure, chosen->scene, exportOptions(arguments, *figure))
        .and_then([&arguments](const QByteArray& bytes) { return deliver(bytes, arguments.output); });
}

}  // namespace

int runFigureCommand(const QStringList& arguments, int& argc, char** argv) {
    const Result<FigureArguments> parsed = readArguments(arguments);
    if (!parsed) {
        return report(parsed.error());
    }
    const std::stop_token stop = watchSignals();
    qputenv("QT_QPA_PLATFORM", "offscreen");  // fonts and painting, never a window
    const QGuiApplication application(argc, argv);
    const Result<void> done = drawFigure(*parsed, stop);
    return done ? exitDone : report(done.error());
}

}  // namespace phaseladder::app
