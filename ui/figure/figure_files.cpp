#include "ui/figure/figure_files.h"

#include <QBuffer>
#include <QFile>
#include <QFileInfo>
#include <QHashFunctions>
#include <QImage>
#include <QImageReader>
#include <QImageWriter>
#include <QMarginsF>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QScopeGuard>

#include <cmath>

#include "core/export/figure_text.h"
#include "core/scene_json.h"
#include "ui/figure/axis_ticks.h"
#include "ui/figure/figure_painter.h"
#include "ui/figure/svg_writer.h"

namespace phaseladder::ui {

namespace {

constexpr double pointsPerInch = 72.0;
constexpr int pdfResolution = 1200;
constexpr double leastMapDpi = 300.0;
constexpr double mostPixels = 32767.0;  // a side, of QImage's painter
constexpr qint64 mostFileBytes = 256LL * 1024 * 1024;
constexpr qsizetype mostStreamBytes =
    256 * 1024;  // a packed scene is far smaller; keeps a hostile file from unpacking for long

const QString sceneKey = QStringLiteral("phaseladder-scene");
const QString program = QStringLiteral("Phaseladder " PHASELADDER_VERSION);

QByteArray sceneBytes(const Scene& scene) {
    return QByteArray::fromStdString(writeScene(scene));
}

/// The same JSON with every space inside a string escaped: Qt joins neighbouring spaces in the texts of a
/// PNG.
QString pngSafe(const QString& json) {
    QString safe;
    bool isInString = false;
    bool isEscaped = false;
    for (const QChar character : json) {
        if (isInString && character.isSpace()) {
            safe += QStringLiteral("\\u%1").arg(character.unicode(), 4, 16, QLatin1Char('0'));
        } else {
            safe += character;
        }
        if (character == QLatin1Char('"') && !isEscaped) {
            isInString = !isInString;
        }
        isEscaped = character == QLatin1Char('\\') && !isEscaped;
    }
    return safe;
}

/// Maps enlarged by whole factors, so that no viewer has a reason to smooth their cells.
LaidOutFigure withEnlargedMaps(LaidOutFigure page) {
    const auto factor = [](double points, int cells) {
        return std::max(1, static_cast<int>(std::ceil(points / pointsPerInch * leastMapDpi / cells)));
    };
    for (Primitive& primitive : page.primitives) {
        if (auto* map = std::get_if<CellImage>(&primitive)) {
            const QSize size = map->image.size();
            map->image = map->image.scaled(size.width() * factor(map->rect.width(), size.width()),
                                           size.height() * factor(map->rect.height(), size.height()),
                                           Qt::IgnoreAspectRatio, Qt::FastTransformation);
        }
    }
    return page;
}

Result<QByteArray> renderPng(const LaidOutFigure& page, const Scene& scene, const ExportOptions& options) {
    const Result<QSize> size = pngSize(page.sizePoints, options.dpi);
    if (!size) {
        return tl::unexpected(size.error());
    }
    QImage image(*size,
                 options.page.transparent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    if (image.isNull()) {
        return fail(ErrorKind::failed, QStringLiteral("There is not enough memory for %1 × %2 px.")
                                           .arg(groupedNumber(size->width()), groupedNumber(size->height()))
                                           .toStdString());
    }
    image.fill(options.page.transparent ? QColor(Qt::transparent) : options.page.style.background);
    const int dotsPerMeter = static_cast<int>(std::lround(options.dpi / 0.0254));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    QPainter painter(&image);
    painter.scale(size->width() / page.sizePoints.width(), size->height() / page.sizePoints.height());
    paintFigure(painter, page);
    painter.end();

    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QImageWriter writer(&buffer, "png");
    writer.setText(QStringLiteral("Title"), page.title);
    writer.setText(QStringLiteral("Software"), program);
    writer.setText(QStringLiteral("Comment"), options.commandLine);
    writer.setText(sceneKey, pngSafe(QString::fromUtf8(sceneBytes(scene))));
    if (!writer.write(image)) {
        return fail(ErrorKind::failed, writer.errorString().toStdString());
    }
    return bytes;
}

/// Blanks the date that Qt writes, so that the same figure gives the same bytes; the places of all else stay.
void dropCreationDate(QByteArray& pdf) {
    const qsizetype begin = pdf.indexOf("/CreationDate (D:");
    const qsizetype end = begin < 0 ? -1 : pdf.indexOf(')', begin);
    if (end > begin) {
        pdf.replace(begin, end + 1 - begin, QByteArray(end + 1 - begin, ' '));
    }
}

Result<QByteArray> renderPdf(const LaidOutFigure& page, const Scene& scene) {
    // Qt writes the fonts in the order of a hash table, which else differs from run to run.
    QHashSeed::setDeterministicGlobalSeed();
    const auto seedAgain = qScopeGuard([] { QHashSeed::resetRandomGlobalSeed(); });
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setTitle(page.title);
    writer.setCreator(program);
    writer.setResolution(pdfResolution);
    writer.setPageSize(QPageSize(page.sizePoints, QPageSize::Point, QString(), QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.addFileAttachment(QStringLiteral("scene.json"), sceneBytes(scene),
                             QStringLiteral("application/json"));
    QPainter painter;
    if (!painter.begin(&writer)) {
        return fail(ErrorKind::failed, "The PDF could not be begun.");
    }
    painter.setRenderHint(QPainter::LosslessImageRendering);
    painter.scale(pdfResolution / pointsPerInch, pdfResolution / pointsPerInch);
    paintFigure(painter, withEnlargedMaps(page));
    painter.end();
    dropCreationDate(bytes);
    return bytes;
}

/// The attached scene of a PDF that renderPdf made: the one packed stream that holds a scene.
QByteArray sceneInPdf(const QByteArray& pdf) {
    const QByteArray begin = "stream\n";
    const QByteArray end = "\nendstream";
    for (qsizetype at = pdf.indexOf(begin); at >= 0; at = pdf.indexOf(begin, at)) {
        at += begin.size();
        const qsizetype stop = pdf.indexOf(end, at);
        if (stop < 0) {
            break;
        }
        const QByteArray stream = pdf.mid(at, std::min(stop - at, mostStreamBytes));
        // qUncompress expects the size in front; any hint will do.
        const QByteArray text =
            stream.startsWith('x') ? qUncompress(QByteArray("\0\1\0\0", 4) + stream) : stream;
        if (text.startsWith("{\n  \"phaseladder\":")) {
            return text;
        }
        at = stop + end.size();
    }
    return {};
}

}  // namespace

QStringList exportFormats() {
    return {QStringLiteral("png"),  QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("csv"),
            QStringLiteral("json"), QStringLiteral("npy"), QStringLiteral("txt")};
}

bool isPictureFormat(const QString& format) {
    return format == QLatin1String("pdf") || format == QLatin1String("svg") || format == QLatin1String("png");
}

Result<QSize> pngSize(const QSizeF& sizePoints, double dpi) {
    const double width = std::round(sizePoints.width() / pointsPerInch * dpi);
    const double height = std::round(sizePoints.height() / pointsPerInch * dpi);
    if (!(width >= 1.0 && height >= 1.0 && width <= mostPixels && height <= mostPixels)) {
        constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
        return fail(
            ErrorKind::usage,
            QStringLiteral("A picture of %1 × %2 px needs %3 GiB; the limit is 32,767 px a side. Use PDF, "
                           "or a smaller size or dpi.")
                .arg(groupedNumber(width), groupedNumber(height))
                .arg(width * height * 4.0 / gibibyte, 0, 'f', 1)
                .toStdString());
    }
    return QSize(static_cast<int>(width), static_cast<int>(height));
}

Result<QByteArray> renderFigure(const Figure& figure, const Scene& scene, const ExportOptions& options) {
    if (figure.isPartial) {
        return fail(ErrorKind::failed, "This figure is a preview as yet; files hold whole figures.");
    }
    if (options.format == QLatin1String("csv")) {
        return QByteArray::fromStdString(writeCsv(figure));
    }
    if (options.format == QLatin1String("json")) {
        return QByteArray::fromStdString(writeJson(figure, scene));
    }
    if (options.format == QLatin1String("txt")) {
        return QByteArray::fromStdString(writeCanonicalText(figure));
    }
    if (options.format == QLatin1String("npy")) {
        const std::vector<std::uint8_t> bytes = writeNpy(figure);
        return QByteArray(reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size()));
    }
    const LaidOutFigure page = layoutFigure(figure, options.page);
    if (options.format == QLatin1String("png")) {
        return renderPng(page, scene, options);
    }
    if (options.format == QLatin1String("svg")) {
        return writeSvg(withEnlargedMaps(page), options.textAsPaths ? SvgText::paths : SvgText::text,
                        {options.commandLine, sceneBytes(scene)});
    }
    if (options.format == QLatin1String("pdf")) {
        return renderPdf(page, scene);
    }
    return fail(ErrorKind::usage, QStringLiteral("\"%1\" is no format; formats are %2.")
                                      .arg(options.format, exportFormats().join(QStringLiteral(", ")))
                                      .toStdString());
}

QByteArray embeddedScene(const QString& path) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly) || file.size() > mostFileBytes) {
        return {};
    }
    const QByteArray head = file.peek(8);
    if (head.startsWith("\x89PNG")) {
        return QImageReader(&file, "png").text(sceneKey).toUtf8();
    }
    const QByteArray bytes = file.readAll();
    return head.startsWith("%PDF") ? sceneInPdf(bytes) : sceneInSvg(bytes);
}

}  // namespace phaseladder::ui
