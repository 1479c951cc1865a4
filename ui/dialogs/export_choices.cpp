#include "ui/dialogs/export_choices.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>

#include <cmath>

#include "core/number_text.h"
#include "ui/dialogs/page_presets.h"
#include "ui/figure/figure_fonts.h"
#include "ui/figure/page_height.h"

namespace phaseladder::ui {

namespace {

constexpr double goldenRatio = 0.618034;

QString numberText(double value) {
    return QString::fromStdString(formatNumber(value));
}

/// Takes a value of the file when it is one of those allowed.
void readText(const QJsonObject& object, const char* key, const QStringList& allowed, QString& target) {
    const QString text = object.value(QLatin1StringView(key)).toString();
    if (allowed.contains(text)) {
        target = text;
    }
}

void readNumber(const QJsonObject& object, const char* key, double least, double most, double& target) {
    const double number = object.value(QLatin1StringView(key)).toDouble();
    if (number >= least && number <= most) {
        target = number;
    }
}

}  // namespace

QStringList heightRuleNames() {
    return {QStringLiteral("suited"), QStringLiteral("golden"), QStringLiteral("4:3"),
            QStringLiteral("free")};
}

double lockedRatio(HeightRule rule) {
    return rule == HeightRule::golden ? goldenRatio : rule == HeightRule::fourToThree ? 0.75 : 0.0;
}

void applyHeightRule(ExportChoices& choices, const Figure& figure) {
    if (choices.heightRule == HeightRule::free) {
        return;
    }
    const double unit = pointsPerUnit(choices.unit);
    const double ratio = lockedRatio(choices.heightRule);
    const double height =
        ratio > 0.0 ? ratio * choices.width : defaultHeightPoints(figure, choices.width * unit) / unit;
    choices.height = std::round(1000.0 * height) / 1000.0;
}

ExportOptions exportOptions(const ExportChoices& choices) {
    const double unit = pointsPerUnit(choices.unit);
    ExportOptions options;
    options.format = choices.format;
    options.page.sizePoints = QSizeF(choices.width * unit, choices.height * unit);
    options.page.fontPoints = choices.fontPoints;
    options.page.style = figureStyle(styleKind(choices.style));
    options.page.style.sequentialMap = choices.colormap;
    if (!choices.font.isEmpty()) {
        options.page.style.fontFamily = choices.font;
    }
    options.page.title = choices.title;
    options.page.showTitle = choices.showTitle;
    options.page.showLegend = choices.showLegend;
    options.page.showPanelLetters = choices.showPanelLetters;
    options.page.transparent = choices.transparent;
    options.dpi = choices.dpi;
    options.textAsPaths = choices.textAsPaths;
    return options;
}

QStringList exportCommand(const QStringList& start, const ExportChoices& choices, const QString& path) {
    QStringList words = start;
    const auto add = [&](const char* option, const QString& value) {
        words << QLatin1String(option) << value;
    };
    add("-o", path);
    if (!path.endsWith(QLatin1Char('.') + choices.format, Qt::CaseInsensitive)) {
        add("--format", choices.format);
    }
    if (!isPictureFormat(choices.format)) {
        return words;
    }
    add("--width", numberText(choices.width) + choices.unit);
    add("--height", numberText(choices.height) + choices.unit);
    if (!choices.font.isEmpty()) {
        add("--font", choices.font);
    }
    add("--font-size", numberText(choices.fontPoints));
    add("--style", choices.style);
    add("--colormap", choices.colormap);
    if (choices.format == QLatin1String("png")) {
        add("--dpi", numberText(choices.dpi));
    }
    if (choices.format == QLatin1String("svg") && choices.textAsPaths) {
        add("--text", QStringLiteral("paths"));
    }
    if (choices.transparent) {
        add("--background", QStringLiteral("transparent"));
    }
    if (!choices.showLegend) {
        add("--legend", QStringLiteral("off"));
    }
    if (choices.showPanelLetters) {
        add("--panel-letters", QStringLiteral("on"));
    }
    if (!choices.showTitle || !choices.title.isEmpty()) {
        add("--title", choices.showTitle ? choices.title : QString());
    }
    return words;
}

QByteArray writeChoices(const ExportChoices& choices) {
    const QJsonObject object{
        {QStringLiteral("format"), choices.format},
        {QStringLiteral("preset"), choices.preset},
        {QStringLiteral("unit"), choices.unit},
        {QStringLiteral("width"), choices.width},
        {QStringLiteral("height"), choices.height},
        {QStringLiteral("heightRule"), heightRuleNames()[static_cast<int>(choices.heightRule)]},
        {QStringLiteral("dpi"), choices.dpi},
        {QStringLiteral("font"), choices.font},
        {QStringLiteral("fontPoints"), choices.fontPoints},
        {QStringLiteral("style"), choices.style},
        {QStringLiteral("colormap"), choices.colormap},
        {QStringLiteral("transparent"), choices.transparent},
        {QStringLiteral("textAsPaths"), choices.textAsPaths},
        {QStringLiteral("showLegend"), choices.showLegend},
        {QStringLiteral("showPanelLetters"), choices.showPanelLetters},
        {QStringLiteral("showTitle"), choices.showTitle},
        {QStringLiteral("folder"), choices.folder}};
    return QJsonDocument(object).toJson(QJsonDocument::Compact);
}

ExportChoices readChoices(const QByteArray& json) {
    const QJsonObject object = QJsonDocument::fromJson(json).object();
    ExportChoices choices;
    readText(object, "format", exportFormats(), choices.format);
    const QString preset = object.value(QLatin1String("preset")).toString(choices.preset);
    choices.preset = findPagePreset(preset) != nullptr ? preset : QString();
    readText(object, "unit", {QStringLiteral("in"), QStringLiteral("mm"), QStringLiteral("pt")},
             choices.unit);
    readNumber(object, "width", 0.01, mostPagePoints / pointsPerUnit(choices.unit), choices.width);
    readNumber(object, "height", 0.01, mostPagePoints / pointsPerUnit(choices.unit), choices.height);
    QString rule = heightRuleNames()[static_cast<int>(choices.heightRule)];
    readText(object, "heightRule", heightRuleNames(), rule);
    choices.heightRule = static_cast<HeightRule>(heightRuleNames().indexOf(rule));
    readNumber(object, "dpi", leastDpi, mostDpi, choices.dpi);
    // A family that was removed meanwhile gives way to the bundled one.
    readText(object, "font", figureFonts().mid(1), choices.font);
    readNumber(object, "fontPoints", leastFontPoints, mostFontPoints, choices.fontPoints);
    readText(object, "style", styleNames(), choices.style);
    readText(object, "colormap", sequentialMapNames(), choices.colormap);
    choices.transparent = object.value(QLatin1String("transparent")).toBool(choices.transparent);
    choices.textAsPaths = object.value(QLatin1String("textAsPaths")).toBool(choices.textAsPaths);
    choices.showLegend = object.value(QLatin1String("showLegend")).toBool(choices.showLegend);
    choices.showPanelLetters =
        object.value(QLatin1String("showPanelLetters")).toBool(choices.showPanelLetters);
    choices.showTitle = object.value(QLatin1String("showTitle")).toBool(choices.showTitle);
    choices.folder = object.value(QLatin1String("folder")).toString();
    return choices;
}

}  // namespace phaseladder::ui
