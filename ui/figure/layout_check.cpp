#include "ui/figure/layout_check.h"

#include <QCoreApplication>

#include <algorithm>

#include "ui/figure/figure_text_runs.h"

namespace phaseladder::ui {

namespace {

constexpr double smallestText = 5.0;   // points, of any text but superscripts (Nature asks for 5 to 7)
constexpr double smallestPlot = 30.0;  // points
constexpr double touching = 0.3;       // points by which boxes may share a border

QString translated(const char* sentence, int count) {
    return QCoreApplication::translate("LayoutCheck", sentence, nullptr, count);
}

}  // namespace

QStringList layoutProblems(const LaidOutFigure& page, int crowdedLabels) {
    QList<QRectF> boxes;
    double smallest = 1e9;
    int cutOff = 0;
    const QRectF sheet =
        QRectF(QPointF(), page.sizePoints).adjusted(-touching, -touching, touching, touching);
    for (const Primitive& primitive : page.primitives) {
        if (const auto* run = std::get_if<TextRun>(&primitive)) {
            const QRectF box = textBounds(*run);
            cutOff += sheet.contains(box) ? 0 : 1;
            boxes.append(box.adjusted(touching, touching, -touching, -touching));
            smallest = run->isRaised ? smallest : std::min(smallest, run->sizePoints);
        }
    }
    int overlapping = 0;
    for (qsizetype first = 0; first < boxes.size(); ++first) {
        for (qsizetype second = first + 1; second < boxes.size(); ++second) {
            overlapping += boxes[first].intersects(boxes[second]) ? 1 : 0;
        }
    }
    const bool isCramped = std::any_of(page.plots.begin(), page.plots.end(), [](const PlotArea& plot) {
        return std::min(plot.rect.width(), plot.rect.height()) < smallestPlot;
    });
    QStringList problems;
    if (isCramped) {
        problems.append(translated("the page is too small for its plots", 0));
    }
    if (overlapping > 0) {
        problems.append(translated("%n label(s) overlap", overlapping));
    }
    if (cutOff > 0) {
        problems.append(translated("%n label(s) leave the page", cutOff));
    }
    if (crowdedLabels > 0) {
        problems.append(translated("%n label(s) lie on a line", crowdedLabels));
    }
    if (smallest < smallestText) {
        problems.append(
            QCoreApplication::translate("LayoutCheck", "smallest text is %1 pt").arg(smallest, 0, 'f', 1));
    }
    return problems;
}

}  // namespace phaseladder::ui
