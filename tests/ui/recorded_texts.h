#pragma once

#include <QFontMetricsF>
#include <QList>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPolygonF>
#include <QTextItem>

namespace phaseladder::ui::test {

/// A text as it was painted, with the box of its ink.
struct RecordedText {
    QString text;
    QPolygonF box;
};

/// Keeps the texts of what is painted on it and drops everything else.
class TextRecorder : public QPaintEngine {
public:
    TextRecorder() : QPaintEngine(QPaintEngine::AllFeatures) {}

    bool begin(QPaintDevice*) override { return true; }
    bool end() override { return true; }
    Type type() const override { return QPaintEngine::User; }
    void updateState(const QPaintEngineState& change) override {
        if (change.state() & QPaintEngine::DirtyTransform) {
            m_transform = change.transform();
        }
    }
    void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
    void drawImage(const QRectF&, const QImage&, const QRectF&, Qt::ImageConversionFlags) override {}
    void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
    void drawPath(const QPainterPath&) override {}
    void drawTextItem(const QPointF& at, const QTextItem& item) override {
        const QRectF ink = QFontMetricsF(item.font()).tightBoundingRect(item.text()).translated(at);
        if (!item.text().trimmed().isEmpty()) {
            m_texts.append({item.text(), m_transform.map(QPolygonF(ink))});
        }
    }

    const QList<RecordedText>& texts() const { return m_texts; }

private:
    QTransform m_transform;
    QList<RecordedText> m_texts;
};

/// A paper of the size of a widget.
class RecordingDevice : public QPaintDevice {
public:
    explicit RecordingDevice(const QSize& size) : m_size(size) {}

    QPaintEngine* paintEngine() const override { return &m_recorder; }
    const QList<RecordedText>& texts() const { return m_recorder.texts(); }

protected:
    int metric(PaintDeviceMetric metric) const override {
        switch (metric) {
            case PdmWidth:
                return m_size.width();
            case PdmHeight:
                return m_size.height();
            case PdmDevicePixelRatio:
                return 1;
            case PdmDevicePixelRatioScaled:
                return static_cast<int>(devicePixelRatioFScale());
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY:
                return 96;
            default:
                return QPaintDevice::metric(metric);
        }
    }

private:
    QSize m_size;
    mutable TextRecorder m_recorder;
};

}  // namespace phaseladder::ui::test
