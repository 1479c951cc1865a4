#include "ui/figure/panel_area.h"

#include <QStringList>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/figure/panel_arrangement.h"
#include "ui/figure/panel_view.h"

namespace phaseladder::ui {
namespace {

constexpr int gap = 4;
constexpr int leftOutHeight = 18, leftOutPixels = 11, leftOutPadding = 6;
constexpr double tickLabelSize = 11.0;

}  // namespace

PanelArea::PanelArea(QWidget* parent) : QWidget(parent), m_leftOut(new QToolButton(this)) {
    m_leftOut->setObjectName(QStringLiteral("figure_left_out"));
    m_leftOut->setStyleSheet(QStringLiteral("QToolButton { padding: 0px 4px; border: none; }"));
    QFont font = m_leftOut->font();
    font.setPixelSize(leftOutPixels);
    m_leftOut->setFont(font);
    m_leftOut->hide();
    connect(m_leftOut, &QToolButton::clicked, this, &PanelArea::enlargeRequested);
}

void PanelArea::setViews(std::shared_ptr<const Figure> figure, const QList<PanelView*>& views) {
    m_figure = std::move(figure);
    m_views = views;
    place();
}

void PanelArea::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void PanelArea::place() {
    m_rows.clear();  // while views are moved they ask for alignment, which then has to wait
    if (m_figure == nullptr || m_views.isEmpty()) {
        m_leftOut->hide();
        return;
    }
    const std::span<const Panel> panels = m_figure->panels;
    const Arrangement arrangement = arrangeReadablePanels(panels, size(), tickLabelSize, leftOutHeight);
    QSet<PanelView*> shown;
    double top = 0.0;
    QList<QList<PanelView*>> rows;
    for (const ArrangedRow& row : arrangement.rows) {
        double left = 0.0;
        rows.append(QList<PanelView*>());
        for (std::size_t at = 0; at < row.panels.size(); ++at) {
            PanelView* view = m_views[static_cast<qsizetype>(row.panels[at])];
            const bool isLast = at + 1 == row.panels.size();
            const QRectF cell(left, top, row.widths[at] - (isLast ? 0.0 : gap), row.height - gap);
            const ArrangedRow* below = &row == &arrangement.rows.back() ? nullptr : &row + 1;
            view->setXShown(below == nullptr || !repeatsX(panels, row, *below));
            view->setGeometry(cell.toRect());
            view->show();
            rows.last().append(view);
            shown.insert(view);
            left += row.widths[at];
        }
        top += row.height;
    }
    sayWhatIsLeftOut(shown);
    m_rows = rows;
    alignPlots();
}

void PanelArea::sayWhatIsLeftOut(const QSet<PanelView*>& shown) {
    QStringList titles;
    for (PanelView* view : std::as_const(m_views)) {
        if (!shown.contains(view)) {
            view->hide();
            const Panel& panel = view->panel();
            titles.append(QString::fromStdString(panel.title.empty() ? panel.y.title : panel.title));
        }
    }
    m_leftOut->setVisible(!titles.isEmpty());
    const QString words = tr("Enlarge to see: %1").arg(titles.join(QStringLiteral("; ")));
    const int room = width() - 2 * leftOutPadding;
    m_leftOut->setText(m_leftOut->fontMetrics().elidedText(words, Qt::ElideRight, room));
    m_leftOut->setToolTip(words);
    m_leftOut->setAccessibleName(words);
    m_leftOut->setGeometry(
        0, height() - leftOutHeight,
        std::min(width(), m_leftOut->fontMetrics().horizontalAdvance(m_leftOut->text()) + 2 * leftOutPadding),
        leftOutHeight);
}

void PanelArea::alignPlots() {
    double left = 0.0, right = 0.0;
    const auto hasAxes = [](const PanelView* view) { return view->panel().axesShown; };
    for (const QList<PanelView*>& row : std::as_const(m_rows)) {
        if (hasAxes(row.first())) {
            left = std::max(left, row.first()->neededSideRoom().first);
        }
        if (row.size() == 1 && hasAxes(row.first())) {
            right = std::max(right, row.first()->neededSideRoom().second);
        }
    }
    for (const QList<PanelView*>& row : std::as_const(m_rows)) {
        for (PanelView* view : row) {
            const bool isFirst = view == row.first();
            view->setSideRoom(isFirst ? left : 0.0, row.size() == 1 ? right : 0.0);
        }
    }
}

}  // namespace phaseladder::ui
