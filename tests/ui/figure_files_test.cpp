#include "ui/figure/figure_files.h"

#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <cmath>

#include "core/scene_json.h"
#include "tests/ui/layer_panels.h"
#include "ui/figure/figure_fonts.h"
#include "ui/figure/map_colors.h"

namespace phaseladder::ui::test {

namespace {

/// A curve that leaves its axis range, as a zoomed view has it.
Figure zoomedFigure() {
    Figure figure;
    figure.id = "zoomed";
    figure.title = "Wavelength, θ = 10⁴";
    Panel panel;
    panel.x = {AxisMeaning::pair, "pair", 10.0, 20.0, AxisScale::linear, false, true, {}};
    panel.y = {
        AxisMeaning::wavelength, "wavelength (tokens)", 10.0, 100.0, AxisScale::log10, false, false, {}};
    Curve curve;
    for (int pair = 0; pair < 64; ++pair) {
        curve.x.push_back(pair);
        curve.y.push_back(6.28 * std::pow(1e4, pair / 64.0));
    }
    panel.layers.push_back(curve);
    figure.panels.push_back(panel);
    return figure;
}

/// 32 × 32 cells of distinct values, without text inside.
Figure mapFigure() {
    Figure figure;
    figure.id = "map";
    Heatmap map;
    map.rows = map.columns = 32;
    for (int cell = 0; cell < 1024; ++cell) {
        map.values.push_back((cell * 37 % 1024) / 1023.0);
    }
    map.valueTitle = "weight";
    Panel panel;
    panel.x = {AxisMeaning::keyToken, "key", -0.5, 31.5, AxisScale::linear, false, true, {}};
    panel.y = {AxisMeaning::queryToken, "query", -0.5, 31.5, AxisScale::linear, true, true, {}};
    panel.squareCells = true;
    panel.layers.push_back(map);
    figure.panels.push_back(panel);
    return figure;
}

ExportOptions optionsFor(const char* format, double widthPoints = 234.0) {
    ExportOptions options;
    options.format = QLatin1StringView(format);
    options.page.sizePoints = QSizeF(widthPoints, 144.6);
    options.page.style = figureStyle(StyleKind::print);
    return options;
}

QString outputOf(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.start(program, arguments);
    process.waitForFinished();
    return process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0
               ? QString::fromUtf8(process.readAllStandardOutput())
               : QStringLiteral("%1 failed: %2")
                     .arg(program, QString::fromUtf8(process.readAllStandardError()));
}

}  // namespace

class FigureFilesTest : public QObject {
    Q_OBJECT

    QString write(const QString& name, const Figure& figure, const ExportOptions& options) {
        const QString path = m_folder.filePath(name);
        const Result<QByteArray> bytes = renderFigure(figure, m_scene, options);
        if (!bytes || !writeFileSafely(path, *bytes)) {
            return {};
        }
        return path;
    }

private Q_SLOTS:
    void pdfIs234PointsWideWithEmbeddedTrueType() {
        const QString path = write(QStringLiteral("a.pdf"), zoomedFigure(), optionsFor("pdf"));
        const QString info = outputOf(QStringLiteral("pdfinfo"), {path});
        QVERIFY2(info.contains(QStringLiteral("234 x 145 pts")), qPrintable(info));
        const QStringList fonts =
            outputOf(QStringLiteral("pdffonts"), {path}).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
        QVERIFY(fonts.size() > 2);
        for (const QString& font : fonts.mid(2)) {
            QVERIFY2(font.contains(QStringLiteral("TrueType")) && !font.contains(QStringLiteral("Type 3")),
                     qPrintable(font));
            static const QRegularExpression embedded(QStringLiteral("Identity-H +yes "));
            QVERIFY2(font.contains(embedded), qPrintable(font));
        }
        QVERIFY(outputOf(QStringLiteral("pdftotext"), {path, QStringLiteral("-")}).contains(QChar(0x3B8)));
        QCOMPARE(
            outputOf(QStringLiteral("pdfimages"), {QStringLiteral("-list"), path}).count(QLatin1Char('\n')),
            2);
    }

    void everyFontOfferedIsEmbeddedAsTrueType() {
        for (const QString& family : figureFonts()) {
            ExportOptions options = optionsFor("pdf");
            options.page.style.fontFamily = family;
            const QString path = write(QStringLiteral("font.pdf"), zoomedFigure(), options);
            const QStringList fonts =
                outputOf(QStringLiteral("pdffonts"), {path}).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
            QVERIFY(fonts.size() > 2);
            for (const QString& font : fonts.mid(2)) {
                static const QRegularExpression embedded(QStringLiteral("CID TrueType +Identity-H +yes "));
                QVERIFY2(font.contains(embedded), qPrintable(family + QLatin1String(": ") + font));
                QVERIFY2(font.startsWith(QString(family).remove(QLatin1Char(' '))), qPrintable(font));
            }
        }
    }

    void theSameFigureGivesTheSamePdf() {
        const Result<QByteArray> first = renderFigure(zoomedFigure(), m_scene, optionsFor("pdf"));
        QVERIFY(!first->contains("/CreationDate (D:"));  // Qt writes the time into a PDF
        QCOMPARE(*renderFigure(zoomedFigure(), m_scene, optionsFor("pdf")), *first);
    }

    void pdfMapsAreLosslessWithSharpCells() {
        ExportOptions options = optionsFor("pdf");
        options.page.sizePoints.setHeight(200.0);
        const QString path = write(QStringLiteral("map.pdf"), mapFigure(), options);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(!file.readAll().contains("DCTDecode"));
        outputOf(QStringLiteral("pdftoppm"),
                 {QStringLiteral("-r"), QStringLiteral("300"), QStringLiteral("-png"),
                  QStringLiteral("-singlefile"), path, m_folder.filePath(QStringLiteral("map"))});
        const QImage image(m_folder.filePath(QStringLiteral("map.png")));
        const QRectF plot = layoutFigure(mapFigure(), options.page).plots.first().rect;
        const QList<QRgb> colors = levelColors(ColorMapKind::sequential, figureStyle(StyleKind::print));
        const double scale = 300.0 / 72.0;
        for (int row = 0; row < 32; ++row) {
            for (int column = 0; column < 32; ++column) {
                const QPointF center(plot.left() + (column + 0.5) / 32.0 * plot.width(),
                                     plot.top() + (row + 0.5) / 32.0 * plot.height());
                const QRgb pixel = image.pixel((center * scale).toPoint());
                QVERIFY(colors.contains(pixel | 0xFF000000U));
            }
        }
    }

    void svgIsValidAndCutAtThePlotForAnyTitle() {
        ExportOptions options = optionsFor("svg");
        options.page.title = QStringLiteral("a<b & \"c\"") + QChar(1);
        const QString path = write(QStringLiteral("a.svg"), zoomedFigure(), options);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray svg = file.readAll();
        QXmlStreamReader xml(svg);
        while (!xml.atEnd()) {
            xml.readNext();
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(svg.contains("width=\"82.55mm\""));
        QVERIFY(svg.contains("<text"));
        const QString picture = m_folder.filePath(QStringLiteral("a_svg.png"));
        outputOf(QStringLiteral("rsvg-convert"),
                 {QStringLiteral("-d"), QStringLiteral("288"), QStringLiteral("-p"), QStringLiteral("288"),
                  path, QStringLiteral("-o"), picture});
        const QImage image(picture);
        QVERIFY(!image.isNull());
        const QRectF plot = layoutFigure(zoomedFigure(), options.page).plots.first().rect;
        const QColor accent = options.page.style.accent;
        const double scale = image.width() / 234.0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x) {
                const bool isOutside = !plot.adjusted(-1.0, -1.0, 1.0, 1.0).contains(QPointF(x, y) / scale);
                QVERIFY(!(isOutside && image.pixelColor(x, y) == accent));
            }
        }
    }

    void everyLayerMakesAValidSvgOfEachKind() {
        for (const Panel& panel : {everyLayerPanel(), barPanel(), clockPanel(64, 16), textPanel()}) {
            Figure figure;
            figure.id = panel.id;
            figure.panels = {panel};
            for (const bool asPaths : {false, true}) {
                ExportOptions options = optionsFor("svg");
                options.textAsPaths = asPaths;
                const Result<QByteArray> svg = renderFigure(figure, m_scene, options);
                QVERIFY(svg);
                QXmlStreamReader xml(*svg);
                while (!xml.atEnd()) {
                    xml.readNext();
                    for (const QXmlStreamAttribute& attribute : xml.attributes()) {
                        QVERIFY(!attribute.value().contains(QLatin1String("nan")) ||
                                attribute.name() == QLatin1String("href"));
                    }
                }
                QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
            }
        }
    }

    void svgPathsHoldNoText() {
        ExportOptions options = optionsFor("svg");
        options.textAsPaths = true;
        const Result<QByteArray> svg = renderFigure(zoomedFigure(), m_scene, options);
        QVERIFY(svg && !svg->contains("<text"));
    }

    void pngHasThePixelsAndDensityAskedFor() {
        ExportOptions options = optionsFor("png");
        options.dpi = 600.0;
        options.page.transparent = true;
        const QImage image(write(QStringLiteral("a.png"), zoomedFigure(), options));
        QCOMPARE(image.width(), 1950);
        QCOMPARE(image.dotsPerMeterX(), 23622);
        QCOMPARE(qAlpha(image.pixel(0, 0)), 0);
    }

    void pngOf85MillimetresAt300DpiIs1004Pixels() {
        QCOMPARE(pngSize(QSizeF(85.0 * 72.0 / 25.4, 100.0), 300.0)->width(), 1004);
    }

    void pngAboveTheLimitIsRefusedWithItsMemory() {
        const Result<QSize> size = pngSize(QSizeF(72.0 * 1000.0, 72.0 * 1000.0), 100.0);
        QVERIFY(!size);
        const QString message = QString::fromStdString(size.error().message);
        QVERIFY2(message.contains(QStringLiteral("37.3 GiB")) && message.contains(QStringLiteral("32,767")),
                 qPrintable(message));
    }

    void theSceneComesBackFromEveryPicture() {
        Scene scene;
        scene.tokens = {"two  spaces", "tab\there", "\"quoted\\", "θ\u00a0\u2003", "<&>"};
        for (const char* format : {"png", "svg", "pdf"}) {
            const QString path = m_folder.filePath(QStringLiteral("scene.%1").arg(QLatin1StringView(format)));
            const Result<QByteArray> bytes = renderFigure(zoomedFigure(), scene, optionsFor(format));
            QVERIFY(bytes && writeFileSafely(path, *bytes));
            const Result<SceneFile> back = readScene(embeddedScene(path).toStdString());
            QVERIFY2(back, format);
            QVERIFY2(back->scene == scene, format);
        }
        QVERIFY(embeddedScene(QStringLiteral(PHASELADDER_SOURCE_DIR "/README.md")).isEmpty());
    }

    void aLinksTargetIsReplacedAndTheLinkKept() {
        const QString target = m_folder.filePath(QStringLiteral("target.txt"));
        const QString link = m_folder.filePath(QStringLiteral("link.txt"));
        QVERIFY(writeFileSafely(target, "old"));
        QVERIFY(QFile::link(target, link));
        QVERIFY(writeFileSafely(link, "new"));
        QVERIFY(QFileInfo(link).isSymLink());
        QFile file(target);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("new"));
    }

    void foldersAndMissingFoldersAreRefusedByName() {
        const Result<void> folder = writeFileSafely(m_folder.path(), "x");
        QVERIFY(!folder && folder.error().kind == ErrorKind::notWritten);
        const Result<void> missing = writeFileSafely(m_folder.filePath(QStringLiteral("no/such/a.pdf")), "x");
        QVERIFY(!missing && missing.error().message.find("no such folder") != std::string::npos);
    }

private:
    QTemporaryDir m_folder;
    Scene m_scene;
};

}  // namespace phaseladder::ui::test

QTEST_MAIN(phaseladder::ui::test::FigureFilesTest)
#include "figure_files_test.moc"
