#pragma once

#include <QColor>
#include <QString>
#include <QTimer>
#include <QWidget>

#include <vector>

#include "core/figures/figure.h"

namespace phaseladder::ui {

/// The short forms of a figure's readouts as pills in one line; what does not fit is left out and said in the
/// tool tip.
class ChipRow : public QWidget {
    Q_OBJECT

public:
    explicit ChipRow(QWidget* parent = nullptr);
    void setReadouts(const std::vector<Readout>& readouts);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Chip {
        QString text;
        Tone tone = Tone::neutral;
    };
    QList<Chip> m_chips;
};

/// One line of text that is cut to the room it has, with the whole text as its tool tip.
class ElidedLine : public QWidget {
    Q_OBJECT

public:
    ElidedLine(int fontPixels, int height, QWidget* parent = nullptr);
    void setText(const QString& text);
    /// An invalid ground is none.
    void setColors(const QColor& text, const QColor& ground);
    [[nodiscard]] const QString& text() const { return m_text; }
    /// In which nothing is cut.
    [[nodiscard]] int wantedWidth() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    int m_fontPixels;
    QString m_text;
    QColor m_color, m_ground;
};

/// A thin line that moves while something is computed; it appears after 150 ms. Still when motion is
/// unwanted. Where it is known how far the computation has come, the line grows to its end.
class BusyLine : public QWidget {
    Q_OBJECT

public:
    explicit BusyLine(QWidget* parent = nullptr);
    void setBusy(bool busy);
    /// 0 .. 1, until it is no longer busy.
    void setShare(double share);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QTimer m_delay, m_motion;
    double m_phase = 0.0;
    double m_share = -1.0;  // unknown: below 0
};

}  // namespace phaseladder::ui
