#include "app/command_line.h"

#include <cmath>

#include <fmt/format.h>

#include "app/streams.h"
#include "core/number_text.h"
#include "ui/figure/figure_files.h"

namespace phaseladder::app {

int exitCode(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::usage:
            return exitUsage;
        case ErrorKind::invalidInput:
            return exitInvalidInput;
        case ErrorKind::notWritten:
            return exitNotWritten;
        case ErrorKind::unavailable:
            return exitUnavailable;
        case ErrorKind::failed:
        case ErrorKind::cancelled:
            break;
    }
    return exitFailed;
}

int report(const Error& error) {
    printMessage(error.message);
    return exitCode(error.kind);
}

void warn(std::string_view sentence) {
    printMessage(fmt::format("warning: {}", sentence));
}

void note(std::string_view sentence) {
    printMessage(fmt::format("note: {}", sentence));
}

QString helpText() {
    return QStringLiteral(
        "Phaseladder: what a positional encoding does, from frequency to phase to attention.\n"
        "\n"
        "  phaseladder [FILE]                 open the window; FILE is a scene (.pldr, .json), a model's\n"
        "                                     config.json, a text (.txt), queries and keys (.npy,\n"
        "                                     .safetensors) or an exported figure\n"
        "  phaseladder figure ID -o OUT       draw one figure to a file\n"
        "  phaseladder list KIND [--json]     figures, parameters, encodings, scalings, models, colormaps,\n"
        "                                     lessons or backends\n"
        "  phaseladder benchmark [--json]     time the program on this machine\n"
        "  phaseladder --help | --version\n"
        "\n"
        "Options of `figure`:\n"
        "  --scene FILE | --config FILE | --model ID   start from a scene, a model's config.json or the\n"
        "                                     words of a text (.txt), or from a built-in model (default:\n"
        "                                     the start-up scene)\n"
        "  --set ID=VALUE                     any parameter of `list parameters`, repeatable\n"
        "                                     (1e6, 2^20, 1/4 and 500k are numbers)\n"
        "  -o, --output OUT                   .png .svg .pdf .csv .json .npy .txt; - is standard output\n"
        "  --format NAME                      the format, where OUT has no such ending\n"
        "  --width 3.25in --height 60mm       physical size, in in, mm or pt\n"
        "  --dpi 300 --font-size 9            resolution of a PNG; size of the text in points\n"
        "  --font NAME                        family of the text (default: Roboto, which is bundled); a "
        "wrong\n"
        "                                     name is answered with those installed that can be embedded\n"
        "  --style light|dark|print           looks (files: print)\n"
        "  --colormap NAME --title TEXT       colour map of maps; title in place of the figure's own (\"\": "
        "none)\n"
        "  --legend on|off --panel-letters on|off\n"
        "                                     the legend, where there is one; (a), (b) above several panels\n"
        "  --background white|transparent --text text|paths\n"
        "  --caption FILE                     also write a draft of a caption: settings and readouts in "
        "words\n"
        "  --window r0:r1,c0:c1 --pixels WxH --pool mean|max\n"
        "                                     which part of an attention map, at which resolution\n"
        "  --pin FILE                         compare with a scene, a model's config.json, which keeps the\n"
        "                                     text, or a text, which keeps the settings (A; the rest is B)\n"
        "  --pin-set ID=VALUE                 a setting of A, repeatable; without --pin A is else like B\n"
        "  --compare a|b|delta                show A, B with A's lines over it (default), or B - A\n"
        "  --zoom PANEL=x0:x1,y0:y1           a part of a panel (ids of panels: --format json), repeatable\n"
        "  --color-range PANEL=low:high       the ends of a map's colours\n"
        "  --backend auto|reference|cpu|gpu   where attention runs\n"
        "  --helper COMMAND                   the program that computes on a GPU, also of `list backends`\n"
        "                                     (default: phaseladder-gpu; \"ssh host phaseladder-gpu\": "
        "there)\n"
        "  --threads N                        at most this many threads\n"
        "\n"
        "Exit codes: 0 done, 1 failed, 2 wrong arguments, 3 a file unreadable or invalid, 4 output not\n"
        "written, 5 GPU asked for and not available.\n"
        "\n"
        "Examples:\n"
        "  phaseladder figure ladder --model llama-3.1-8b --width 3.25in -o ladder.pdf\n"
        "  phaseladder figure attention --set tokens=\"dog bites man\" --set order=2,1,0 -o a.npy\n");
}

QString versionText() {
    return QStringLiteral(
        "phaseladder " PHASELADDER_VERSION
        "\n"
        "A desktop lab for positional encodings in transformers.\n"
        "Sources: MIT licence. This program links Qt Charts and is conveyed under GPL-3.0.\n");
}

Result<double> parseLengthPoints(const QString& option, const QString& text) {
    static constexpr struct {
        const char* unit;
        double points;
    } units[] = {{"in", 72.0}, {"mm", 72.0 / 25.4}, {"pt", 1.0}};
    for (const auto& unit : units) {
        if (!text.endsWith(QLatin1String(unit.unit))) {
            continue;
        }
        const Result<double> number = parseNumber(text.chopped(2).toStdString());
        const double points = number ? *number * unit.points : 0.0;
        if (points > 0.0 && points <= ui::mostPagePoints) {
            return points;
        }
    }
    return fail(
        ErrorKind::usage,
        fmt::format(
            "{} must be a length above 0 and at most 200in, with its unit in, mm or pt (3.25in), got \"{}\".",
            option.toStdString(), text.toStdString()));
}

Result<double> parseOptionNumber(const QString& option, const QString& text, double minimum, double maximum) {
    const Result<double> number = parseNumber(text.toStdString());
    if (!number || !(*number >= minimum && *number <= maximum)) {
        return fail(ErrorKind::usage,
                    fmt::format("{} must be a number from {} to {}, got \"{}\".", option.toStdString(),
                                formatNumber(minimum), formatNumber(maximum), text.toStdString()));
    }
    return *number;
}

Result<QString> parseOptionChoice(const QString& option, const QString& text, const QStringList& allowed) {
    if (!allowed.contains(text)) {
        return fail(ErrorKind::usage,
                    fmt::format("{} must be one of {}, got \"{}\".", option.toStdString(),
                                allowed.join(QStringLiteral(", ")).toStdString(), text.toStdString()));
    }
    return text;
}

}  // namespace phaseladder::app
