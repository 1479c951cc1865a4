#include "ui/figure/layout_check.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <limits>

#include "ui/figure/figure_fonts.h"
#include "ui/figure/figure_text_runs.h"

namespace phaseladder::ui {

namespace {

constexpr double smallestPlot = 30.0;  // points
constexpr double touching = 0.3;       // points by which boxes may share a border

}  // namespace

PageCheck checkLayout(const LaidOutFigure& page, int crowdedLabels) {
    PageCheck check;
    check.crowded = crowdedLabels;
    QList<QRectF> boxes;
    double smallest = std::numeric_limits<double>::infinity();
    const QRectF sheet =
        QRectF(QPointF(), page.sizePoints).adjusted(-touching, -touching, touching, touching);
    for (const Primitive& primitive : page.primitives) {
        if (const auto* run = std::get_if<TextRun>(&primitive)) {
            const QRectF box = textBounds(*run);
            check.cutOff += sheet.contains(box) ? 0 : 1;
            check.foreign += hasGlyphs(run->font, run->text) ? 0 : 1;
            boxes.append(box.adjusted(touching, touching, -touching, -touching));
            smallest = run->isRaised ? smallest : std::min(smallest, run->sizePoints);
        }
    }
    check.smallestTextPoints = std::isfinite(smallest) ? smallest : 0.0;
    for (qsizetype first = 0; first < boxes.size(); ++first) {
        for (qsizetype second = first + 1; second < boxes.size(); ++second) {
            check.overlapping += boxes[first].intersects(boxes[second]) ? 1 : 0;
        }
    }
    check.isCramped = std::any_of(page.plots.begin(), page.plots.end(), [](const PlotArea& plot) {
        return plot.hasAxes && std::min(plot.rect.width(), plot.rect.height()) < smallestPlot;
    });
    return check;
}

QStringList labelProblems(const PageCheck& check) {
    const auto counted = [](int count, const QString& one, const QString& several) {
        return count == 1 ? one : several.arg(count);
    };
    QStringList problems;
    if (check.isCramped) {
        problems.append(QCoreApplication::translate("LayoutCheck", "the page is too small for its plots"));
    }
    if (check.overlapping > 0) {
        problems.append(counted(check.overlapping,
                                QCoreApplication::translate("LayoutCheck", "two labels overlap"),
                                QCoreApplication::translate("LayoutCheck", "%1 pairs of labels overlap")));
    }
    if (check.cutOff > 0) {
        problems.append(counted(check.cutOff,
                                QCoreApplication::translate("LayoutCheck", "one label leaves the page"),
                                QCoreApplication::translate("LayoutCheck", "%1 labels leave the page")));
    }
    if (check.crowded > 0) {
        problems.append(counted(check.crowded,
                                QCoreApplication::translate("LayoutCheck", "one label lies on a line"),
                                QCoreApplication::translate("LayoutCheck", "%1 labels lie on lines")));
    }
    return problems;
}

}  // namespace phaseladder::ui
