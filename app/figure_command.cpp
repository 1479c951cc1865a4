#include <QGuiApplication>

#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "app/command_line.h"
#include "app/figure_arguments.h"
#include "app/signals.h"
#include "app/streams.h"
#include "core/cancelled.h"
#include "core/engine.h"
#include "core/export/figure_text.h"
#include "ui/figure/figure_files.h"
#include "ui/figure/figure_fonts.h"
#include "ui/figure/figure_view.h"
#include "ui/figure/page_height.h"

namespace phaseladder::app {
namespace {

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
    if (!arguments.font.isEmpty()) {
        options.page.style.fontFamily = arguments.font;
    }
    options.page.showLegend = arguments.showLegend;
    options.page.showPanelLetters = arguments.showPanelLetters;
    options.commandLine = arguments.commandLine;
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
    return writeOutput(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

Result<void> deliverCaption(const Figure& figure, const Scene& scene, const FigureArguments& arguments) {
    if (arguments.caption.isEmpty()) {
        return {};
    }
    const PanelLetters letters = arguments.showPanelLetters ? PanelLetters::shown : PanelLetters::hidden;
    return deliver(QByteArray::fromStdString(writeCaption(figure, scene, letters)), arguments.caption);
}

/// The families depend on what is installed, so that they are known only now.
Result<void> checkFont(const QString& family) {
    if (family.isEmpty()) {
        return {};
    }
    const Result<QString> known = parseOptionChoice(QStringLiteral("--font"), family, ui::figureFonts());
    return known ? Result<void>() : tl::unexpected(known.error());
}

/// What the file or model said comes first, each sentence once.
void putFirst(const std::vector<std::string>& first, std::vector<std::string>& sentences) {
    std::erase_if(sentences, [&first](const std::string& sentence) {
        return std::ranges::find(first, sentence) != first.end();
    });
    sentences.insert(sentences.begin(), first.begin(), first.end());
}

/// The figure, of which what the GPU computed is checked before anybody sees it: where some of it was wrong,
/// all of it is computed again without it.
Result<Figure> checkedFigure(Engine& engine, const Scene& scene, const FigureRequest& request,
                             const std::stop_token& stop) {
    Result<Figure> figure = engine.figure(scene, request, stop);
    Recheck found = figure ? Recheck::more : Recheck::done;
    while (found == Recheck::more) {
        found = engine.recheck(stop);
    }
    if (found == Recheck::stopped) {
        return cancelled();
    }
    return found == Recheck::wrong ? engine.figure(scene, request, stop) : figure;
}

Result<void> drawFigure(const FigureArguments& arguments, std::stop_token stop) {
    const Result<ChosenScene> chosen = chooseScene(arguments.scene);
    if (!chosen) {
        return tl::unexpected(chosen.error());
    }
    std::ranges::for_each(chosen->notes, note);
    Result<Backends> backends = chooseBackends(arguments.backends);
    if (!backends) {
        return tl::unexpected(backends.error());
    }
    FigureRequest request = arguments.request;
    if (!arguments.pin.isEmpty()) {
        const Result<ChosenScene> pin = choosePin(arguments.pin, chosen->scene);
        if (!pin) {
            return tl::unexpected(pin.error());
        }
        for (const std::vector<std::string>* sentences : {&pin->notes, &pin->warnings}) {
            std::ranges::for_each(*sentences, [](const std::string& sentence) { note("A: " + sentence); });
        }
        request.pinned = std::make_shared<const Scene>(pin->scene);
    }
    const Scene& shown = shownScene(request, chosen->scene);
    Engine engine(*std::move(backends));
    Result<Figure> figure = checkedFigure(engine, chosen->scene, request, stop);
    if (!stop.stop_requested()) {
        std::ranges::for_each(engine.takeNotices(), warn);
    }
    if (!figure) {
        for (const std::string& warning : chosen->warnings) {
            if (warning != figure.error().message) {  // each sentence once
                warn(warning);
            }
        }
        return tl::unexpected(figure.error());
    }
    putFirst(chosen->notes, figure->notes);
    putFirst(chosen->warnings, figure->warnings);
    std::ranges::for_each(figure->warnings, warn);
    if (arguments.title && !arguments.title->isEmpty()) {
        figure->title = arguments.title->toStdString();
    }
    for (const QString& zoom : arguments.zooms) {
        if (const Result<void> done = ui::zoomPanel(*figure, zoom); !done) {
            return done;
        }
    }
    for (const QString& range : arguments.colorRanges) {
        if (const Result<void> done = ui::keepColors(*figure, range); !done) {
            return done;
        }
    }
    return ui::renderFigure(*figure, shown, exportOptions(arguments, *figure))
        .and_then([&arguments](const QByteArray& bytes) { return deliver(bytes, arguments.output); })
        .and_then([&] { return deliverCaption(*figure, shown, arguments); });
}

}  // namespace

int runFigureCommand(const QStringList& arguments, int& argc, char** argv) {
    const Result<FigureArguments> parsed = readFigureArguments(arguments);
    if (!parsed) {
        return report(parsed.error());
    }
    if (parsed->asksForHelp) {
        return printOutput(helpText().toStdString());
    }
    const std::stop_token stop = watchSignals();
    qputenv("QT_QPA_PLATFORM", "offscreen");  // fonts and painting, never a window
    const QGuiApplication application(argc, argv);
    const Result<void> done = checkFont(parsed->font).and_then([&] { return drawFigure(*parsed, stop); });
    return done ? exitDone : report(done.error());
}

}  // namespace phaseladder::app
