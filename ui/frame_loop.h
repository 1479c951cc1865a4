#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QTimer>

#include "core/figures/figure.h"
#include "ui/compute_controller.h"

namespace phaseladder::ui {

class FigurePane;
class PaneGrid;
enum class Picture;
class SceneDocument;

/// From a change to a picture: asks for the figures of the shown panes whenever the scene, the layout or a
/// pane's size changes, hands the results to the panes, and knows when the newest of them has been painted.
class FrameLoop : public QObject {
    Q_OBJECT

public:
    FrameLoop(SceneDocument* document, PaneGrid* panes, ComputeController* controller,
              QObject* parent = nullptr);

    /// Asks at the next turn of the event loop, once for all that changed until then.
    void schedule();

    /// Draws the scene as if its tokens were in this order; an empty list ends it.
    void previewOrder(const QList<int>& order);

    /// The window tells when it has painted what was changed.
    void notePainted();

    /// Whether the pane has all that the newest request asked for: its whole figure, or why there is none.
    [[nodiscard]] bool isWhole(FigurePane* pane) const;
    /// Whether nothing of it waits to be checked that a GPU computed.
    [[nodiscard]] bool isChecked() const { return !m_isUnchecked; }
    /// Whether the newest request has been handed to the panes, and whether they have painted it.
    [[nodiscard]] bool isShown() const { return !m_scheduled.isActive() && m_shown == m_newest; }
    [[nodiscard]] bool isPainted() const { return !m_scheduled.isActive() && m_painted == m_newest; }
    /// Whether every pane has painted something of the newest request, be it the preview of a slow figure.
    [[nodiscard]] bool hasFirstPicture() const;

Q_SIGNALS:
    void figuresShown();
    /// What a GPU computed of them was checked.
    void figuresChecked();
    /// How far the whole of a pane's figure has come, of which a quick part is shown: 0 .. 1, and what is
    /// done.
    void progressed(FigurePane* pane, double share, const QString& what);
    /// "CPU (2 threads) · float32": where attention of the newest scene is computed.
    void attentionRan(const QString& where);
    /// All figures of a request are with their views, which will paint them now.
    void paintingDue();
    /// `milliseconds` from the change to its picture, in which the whole of a slow figure may still be on its
    /// way; not exact: it is, or the picture is a preview, or a newer setting is on its way.
    void painted(double milliseconds, bool exact);
    /// What the order does to the hidden states, against the tolerance; an empty text when that is unknown.
    void verdictChanged(const QString& text, const QString& explanation, bool orderBlind);

private:
    /// A request whose pictures are not all painted yet.
    struct Frame {
        quint64 generation = 0;
        QList<FigurePane*> panes;  ///< one a figure; null for the figure that only gives the verdict
        qsizetype verdict = -1;    ///< which figure gives it; none: below 0
        QList<bool> hasPicture;    ///< figures of which something has come
        QList<bool> whole;         ///< figures that are there and not only in their quick part
        QElapsedTimer since;
        bool hasBackend = false;     ///< where its attention runs has been told
        bool isHandedOver = false;   ///< every pane has a picture of it
        double milliseconds = -1.0;  ///< until they were painted; not painted yet: below 0
        bool isPreview = false;
    };

    void request();
    void showFigures(const ComputedFigures& computed);
    void showResult(FigurePane* pane, const Result<SharedFigure>& result, Picture picture);
    void showVerdict(const Figure& figure);
    void followBusy(bool busy);
    void showProgress(quint64 generation, qsizetype figure, double share, const QString& what);

    SceneDocument* m_document;
    PaneGrid* m_panes;
    ComputeController* m_controller;
    QTimer m_scheduled;
    QTimer m_busy;          // runs out when the person has waited long enough to be told
    QList<Frame> m_frames;  // oldest first
    QList<int> m_previewedOrder;
    quint64 m_newest = 0;
    quint64 m_shown = 0;
    quint64 m_painted = 0;
    bool m_isUnchecked = false;
};

}  // namespace phaseladder::ui
