#pragma once

#include <QRadioButton>

namespace phaseladder::ui {

enum class SegmentEdge { first, middle, last, only };

/// One segment of a SegmentedControl: a radio button drawn as part of a joined row.
class Segment : public QRadioButton {
    Q_OBJECT

public:
    Segment(const QString& id, const QString& text, QWidget* parent);

    [[nodiscard]] QString id() const { return m_id; }
    void setEdge(SegmentEdge edge) { m_edge = edge; }
    void setHasMenu(bool hasMenu) { m_hasMenu = hasMenu; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool hitButton(const QPoint& point) const override { return rect().contains(point); }

private:
    [[nodiscard]] int textWidth() const;

    QString m_id;
    SegmentEdge m_edge = SegmentEdge::middle;
    bool m_hasMenu = false;
};

}  // namespace phaseladder::ui
