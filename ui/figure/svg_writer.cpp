#include "ui/figure/svg_writer.h"

#include <QBuffer>
#include <QPainterPath>
#include <QTransform>
#include <QXmlStreamReader>
#include <QXmlStreamWriter>

#include "ui/figure/figure_fonts.h"
#include "ui/figure/figure_painter.h"
#include "ui/figure/figure_text_runs.h"
#include "ui/figure/hatch_lines.h"

namespace phaseladder::ui {

namespace {

constexpr double millimetresPerPoint = 25.4 / 72.0;
constexpr double hatchWidth = 0.7;
constexpr double clipReach =
    0.8;  // points: half a curve's width, so that a curve along the border keeps all of it

const QString metadataNamespace = QStringLiteral("https://phaseladder.org/scene");

/// Coordinates to a thousandth of a point, in the shortest form.
QString number(double value) {
    QString text = QString::number(value, 'f', 3);
    while (text.endsWith(QLatin1Char('0'))) {
        text.chop(1);
    }
    if (text.endsWith(QLatin1Char('.'))) {
        text.chop(1);
    }
    return text == QLatin1String("-0") ? QStringLiteral("0") : text;
}

QString pair(const QPointF& point) {
    return number(point.x()) + QLatin1Char(' ') + number(point.y());
}

/// Characters that XML 1.0 cannot hold become U+FFFD.
QString xmlText(const QString& text) {
    QString valid;
    valid.reserve(text.size());
    for (qsizetype index = 0; index < text.size(); ++index) {
        const QChar one = text[index];
        if (one.isHighSurrogate() && index + 1 < text.size() && text[index + 1].isLowSurrogate()) {
            valid.append(one).append(text[++index]);
            continue;
        }
        const char16_t code = one.unicode();
        const bool isAllowed = code == 0x9 || code == 0xA || code == 0xD ||
                               (code >= 0x20 && !one.isSurrogate() && code != 0xFFFE && code != 0xFFFF);
        valid.append(isAllowed ? one : QChar(QChar::ReplacementCharacter));
    }
    return valid;
}

QString pathData(const QPolygonF& points, bool isClosed) {
    QString data;
    for (qsizetype index = 0; index < points.size(); ++index) {
        data += (index == 0   ? QStringLiteral("M")
                 : index == 1 ? QStringLiteral("L")
                              : QStringLiteral(" ")) +
                pair(points[index]);
    }
    return isClosed ? data + QLatin1Char('Z') : data;
}

QString pathData(const QPainterPath& path) {
    QString data;
    for (int index = 0; index < path.elementCount(); ++index) {
        const QPainterPath::Element element = path.elementAt(index);
        switch (element.type) {
            case QPainterPath::MoveToElement:
                data += (data.isEmpty() ? QStringLiteral("M") : QStringLiteral("ZM")) + pair(element);
                break;
            case QPainterPath::LineToElement:
                data += QLatin1Char('L') + pair(element);
                break;
            case QPainterPath::CurveToElement:
                data += QLatin1Char('C') + pair(element) + QLatin1Char(' ') +
                        pair(path.elementAt(index + 1)) + QLatin1Char(' ') + pair(path.elementAt(index + 2));
                index += 2;
                break;
            case QPainterPath::CurveToDataElement:
                break;
        }
    }
    return data.isEmpty() ? data : data + QLatin1Char('Z');
}

class Writer {
public:
    Writer(QByteArray* bytes, SvgText text) : m_xml(bytes), m_text(text) {}

    void write(const LaidOutFigure& page, const SvgMetadata& metadata) {
        m_xml.setAutoFormatting(true);
        m_xml.setAutoFormattingIndent(1);
        m_xml.writeStartDocument();
        m_xml.writeStartElement(QStringLiteral("svg"));
        m_xml.writeDefaultNamespace(QStringLiteral("http://www.w3.org/2000/svg"));
        m_xml.writeNamespace(QStringLiteral("http://www.w3.org/1999/xlink"), QStringLiteral("xlink"));
        attribute("version", QStringLiteral("1.1"));
        attribute("width", number(page.sizePoints.width() * millimetresPerPoint) + QStringLiteral("mm"));
        attribute("height", number(page.sizePoints.height() * millimetresPerPoint) + QStringLiteral("mm"));
        attribute("viewBox", QStringLiteral("0 0 %1 %2")
                                 .arg(number(page.sizePoints.width()), number(page.sizePoints.height())));
        m_xml.writeTextElement(QStringLiteral("title"), xmlText(page.title));
        writeMetadata(metadata);
        writeClipPaths(page);
        writePrimitives(page);
        m_xml.writeEndElement();
        m_xml.writeEndDocument();
    }

    void operator()(const FilledRect& one) {
        m_xml.writeStartElement(QStringLiteral("rect"));
        writeBox(one.rect);
        writeFill(one.color);
        m_xml.writeEndElement();
    }

    void operator()(const HatchedRect& one) {
        QList<QPolygonF> lines;
        for (const QLineF& line : hatchLines(one.rect, one.spacing, HatchDirection::up)) {
            lines.append(QPolygonF({line.p1(), line.p2()}));
        }
        (*this)(Polyline{lines, one.line, hatchWidth, {}});
    }

    void operator()(const Polyline& one) {
        QString data;
        for (const QPolygonF& part : one.parts) {
            data += pathData(part, false);
        }
        m_xml.writeStartElement(QStringLiteral("path"));
        attribute("d", data);
        attribute("fill", QStringLiteral("none"));
        attribute("stroke", one.color.name());
        writeOpacity("stroke-opacity", one.color);
        attribute("stroke-width", number(one.width));
        attribute("stroke-linejoin", QStringLiteral("round"));
        if (!one.dashes.isEmpty()) {
            QStringList lengths;
            for (const qreal dash : one.dashes) {
                lengths.append(number(dash * one.width));
            }
            attribute("stroke-dasharray", lengths.join(QLatin1Char(' ')));
        }
        m_xml.writeEndElement();
    }

    void operator()(const FilledPolygon& one) { writeFilledPath(pathData(one.points, true), one.color); }

    void operator()(const Marker& one) { writeFilledPath(pathData(markerPath(one)), one.color); }

    void operator()(const TextRun& one) {
        if (m_text == SvgText::paths) {
            writeTextAsPath(one);
            return;
        }
        m_xml.writeStartElement(QStringLiteral("text"));
        if (one.degrees == 0.0) {
            attribute("x", number(one.anchor.x()));
            attribute("y", number(one.anchor.y()));
        } else {
            attribute("transform",
                      QStringLiteral("translate(%1) rotate(%2)").arg(pair(one.anchor), number(one.degrees)));
        }
        const QString generic = genericFamily(one.font.family());
        attribute(
            "font-family",
            QStringLiteral("'%1', %2%3")
                .arg(one.font.family(),
                     generic == QLatin1String("serif") ? QString() : QStringLiteral("Arial, Helvetica, "),
                     generic));
        attribute("font-size", number(one.sizePoints));
        if (one.font.weight() > QFont::Normal) {
            attribute("font-weight", QString::number(one.font.weight()));
        }
        if (one.alignment.testFlag(Qt::AlignHCenter) || one.alignment.testFlag(Qt::AlignRight)) {
            attribute("text-anchor", one.alignment.testFlag(Qt::AlignRight) ? QStringLiteral("end")
                                                                            : QStringLiteral("middle"));
        }
        writeFill(one.color);
        m_xml.writeCharacters(xmlText(one.text));
        m_xml.writeEndElement();
    }

    void operator()(const CellImage& one) {
        QByteArray png;
        QBuffer buffer(&png);
        buffer.open(QIODevice::WriteOnly);
        one.image.save(&buffer, "PNG");
        m_xml.writeStartElement(QStringLiteral("image"));
        writeBox(one.rect);
        attribute("preserveAspectRatio", QStringLiteral("none"));
        attribute("style", QStringLiteral("image-rendering:optimizeSpeed;image-rendering:pixelated"));
        m_xml.writeAttribute(QStringLiteral("http://www.w3.org/1999/xlink"), QStringLiteral("href"),
                             QStringLiteral("data:image/png;base64,") + QString::fromLatin1(png.toBase64()));
        m_xml.writeEndElement();
    }

private:
    void attribute(const char* name, const QString& value) {
        m_xml.writeAttribute(QString::fromLatin1(name), value);
    }

    void writeOpacity(const char* name, const QColor& color) {
        if (color.alpha() < 255) {
            attribute(name, number(color.alphaF()));
        }
    }

    void writeFill(const QColor& color) {
        attribute("fill", color.name());
        writeOpacity("fill-opacity", color);
    }

    void writeBox(const QRectF& rect) {
        attribute("x", number(rect.x()));
        attribute("y", number(rect.y()));
        attribute("width", number(rect.width()));
        attribute("height", number(rect.height()));
    }

    void writeFilledPath(const QString& data, const QColor& color) {
        m_xml.writeStartElement(QStringLiteral("path"));
        attribute("d", data);
        writeFill(color);
        m_xml.writeEndElement();
    }

    void writeTextAsPath(const TextRun& run) {
        constexpr int outlinePixels = 200;
        QFont font = run.font;
        font.setPixelSize(outlinePixels);
        QPainterPath outline;
        outline.addText(QPointF(0.0, 0.0), font, run.text);
        QTransform placed;
        placed.translate(run.anchor.x(), run.anchor.y());
        placed.rotate(run.degrees);
        placed.translate(-leftOfAnchor(run), 0.0);
        placed.scale(run.sizePoints / outlinePixels, run.sizePoints / outlinePixels);
        m_xml.writeStartElement(QStringLiteral("path"));
        attribute("d", pathData(placed.map(outline)));
        attribute("fill-rule", QStringLiteral("nonzero"));
        writeFill(run.color);
        m_xml.writeEndElement();
    }

    void writeMetadata(const SvgMetadata& metadata) {
        m_xml.writeStartElement(QStringLiteral("metadata"));
        if (!metadata.commandLine.isEmpty()) {
            m_xml.writeTextElement(metadataNamespace, QStringLiteral("command"),
                                   xmlText(metadata.commandLine));
        }
        m_xml.writeTextElement(metadataNamespace, QStringLiteral("scene"),
                               xmlText(QString::fromUtf8(metadata.sceneJson)));
        m_xml.writeEndElement();
    }

    void writeClipPaths(const LaidOutFigure& page) {
        m_xml.writeStartElement(QStringLiteral("defs"));
        for (qsizetype index = 0; index < page.plots.size(); ++index) {
            m_xml.writeStartElement(QStringLiteral("clipPath"));
            attribute("id", QStringLiteral("plot%1").arg(index));
            m_xml.writeStartElement(QStringLiteral("rect"));
            writeBox(page.plots[index].rect.adjusted(-clipReach, -clipReach, clipReach, clipReach));
            m_xml.writeEndElement();
            m_xml.writeEndElement();
        }
        m_xml.writeEndElement();
    }

    void writePrimitives(const LaidOutFigure& page) {
        for (qsizetype index = 0; index < page.primitives.size(); ++index) {
            for (qsizetype plot = 0; plot < page.plots.size(); ++plot) {
                const PlotArea& area = page.plots[plot];
                if (area.clippedFrom == area.clippedTo) {
                    continue;
                }
                if (index == area.clippedTo) {
                    m_xml.writeEndElement();
                }
                if (index == area.clippedFrom) {
                    m_xml.writeStartElement(QStringLiteral("g"));
                    attribute("clip-path", QStringLiteral("url(#plot%1)").arg(plot));
                }
            }
            std::visit(*this, page.primitives[index]);
        }
    }

    QXmlStreamWriter m_xml;
    SvgText m_text;
};

}  // namespace

QByteArray writeSvg(const LaidOutFigure& page, SvgText text, const SvgMetadata& metadata) {
    QByteArray bytes;
    Writer(&bytes, text).write(page, metadata);
    return bytes;
}

QByteArray sceneInSvg(const QByteArray& svg) {
    QXmlStreamReader xml(svg);
    while (!xml.atEnd()) {
        if (xml.readNext() == QXmlStreamReader::StartElement && xml.name() == QLatin1String("scene") &&
            xml.namespaceUri() == metadataNamespace) {
            return xml.readElementText().toUtf8();
        }
    }
    return {};
}

}  // namespace phaseladder::ui
