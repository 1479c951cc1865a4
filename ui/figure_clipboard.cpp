#include "ui/figure_clipboard.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QHash>
#include <QImage>
#include <QMimeData>
#include <QStringList>

#include <memory>

namespace phaseladder::ui {

namespace {

QString mimeTypeOf(const QString& format) {
    static const QHash<QString, QString> types{{QStringLiteral("png"), QStringLiteral("image/png")},
                                               {QStringLiteral("svg"), QStringLiteral("image/svg+xml")},
                                               {QStringLiteral("pdf"), QStringLiteral("application/pdf")},
                                               {QStringLiteral("csv"), QStringLiteral("text/csv")},
                                               {QStringLiteral("json"), QStringLiteral("application/json")}};
    return types.value(format, QStringLiteral("text/plain"));
}

}  // namespace

QString copyToClipboard(const Figure& figure, const Scene& scene, ExportOptions options) {
    const bool isPicture = isPictureFormat(options.format);
    const QStringList formats =
        isPicture ? QStringList{QStringLiteral("png"), QStringLiteral("svg"), QStringLiteral("pdf")}
                  : QStringList{options.format};
    auto content = std::make_unique<QMimeData>();
    for (const QString& format : formats) {
        options.format = format;
        const Result<QByteArray> bytes = renderFigure(figure, scene, options);
        if (!bytes) {
            return QString::fromStdString(bytes.error().message);
        }
        content->setData(mimeTypeOf(format), *bytes);
        if (format == QLatin1String("png")) {
            content->setImageData(QImage::fromData(*bytes));
        } else if (!isPicture) {
            content->setText(QString::fromUtf8(*bytes));
        }
    }
    QGuiApplication::clipboard()->setMimeData(content.release());
    return {};
}

}  // namespace phaseladder::ui
