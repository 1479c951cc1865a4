#include "ui/figure_clipboard.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QImage>
#include <QMimeData>

#include <memory>
#include <utility>

#include "core/export/figure_text.h"
#include "ui/figure/figure_files.h"

namespace phaseladder::ui {

void copyFigureValues(const Figure& figure) {
    const QByteArray csv = QByteArray::fromStdString(writeCsv(figure));
    auto* data = new QMimeData;
    data->setText(QString::fromUtf8(csv));
    data->setData(QStringLiteral("text/csv"), csv);
    QGuiApplication::clipboard()->setMimeData(data);
}

QString copyFigurePicture(const Figure& figure, const Scene& scene, const QString& colormapName) {
    ExportOptions options;
    options.page.style = figureStyle(StyleKind::print);
    options.page.style.sequentialMap = colormapName;
    auto data = std::make_unique<QMimeData>();
    const std::pair<QString, QString> formats[] = {
        {QStringLiteral("png"), QStringLiteral("image/png")},
        {QStringLiteral("svg"), QStringLiteral("image/svg+xml")},
        {QStringLiteral("pdf"), QStringLiteral("application/pdf")}};
    for (const auto& [format, mimeType] : formats) {
        options.format = format;
        const Result<QByteArray> bytes = renderFigure(figure, scene, options);
        if (!bytes) {
            return QString::fromStdString(bytes.error().message);
        }
        data->setData(mimeType, *bytes);
    }
    data->setImageData(QImage::fromData(data->data(QStringLiteral("image/png"))));
    QGuiApplication::clipboard()->setMimeData(data.release());
    return {};
}

}  // namespace phaseladder::ui
