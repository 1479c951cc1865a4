#pragma once

#include <QWidget>

#include "ui/figure/figure_layout.h"

namespace phaseladder::ui {

/// A page as it will be printed, at its true size on this screen, with rulers in millimetres. Transparent
/// pages lie on a chequered ground.
class ExportPreview : public QWidget {
    Q_OBJECT

public:
    explicit ExportPreview(QWidget* parent = nullptr);

    void showPage(const LaidOutFigure& page, bool transparent);
    [[nodiscard]] const LaidOutFigure& page() const { return m_page; }

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    [[nodiscard]] double pixelsPerPoint() const;
    void paintRulers(QPainter& painter, const QRectF& page) const;

    LaidOutFigure m_page;
    bool m_transparent = false;
};

}  // namespace phaseladder::ui
