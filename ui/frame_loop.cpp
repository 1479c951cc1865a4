#include "ui/frame_loop.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/figures/figure_list.h"
#include "core/number_text.h"
#include "ui/document.h"
#include "ui/figure/figure_pane.h"
#include "ui/pane_grid.h"

namespace phaseladder::ui {
namespace {

constexpr int busyMilliseconds = 150;
constexpr std::int64_t longestVerdict = 1024;  // tokens: above, the order's verdict is not computed unasked
constexpr std::string_view verdictFigure = "attention";
constexpr std::string_view verdictReadout = "order_difference";

}  // namespace

FrameLoop::FrameLoop(SceneDocument* document, PaneGrid* panes, ComputeController* controller, QObject* parent)
    : QObject(parent), m_document(document), m_panes(panes), m_controller(controller) {
    m_scheduled.setSingleShot(true);
    m_busy.setSingleShot(true);
    m_busy.setInterval(busyMilliseconds);
    connect(&m_scheduled, &QTimer::timeout, this, &FrameLoop::request);
    connect(&m_busy, &QTimer::timeout, this, [this] { followBusy(true); });
    connect(document, &SceneDocument::sceneChanged, this, &FrameLoop::request);
    connect(panes, &PaneGrid::shownPanesChanged, this, &FrameLoop::schedule);
    for (const FigurePane* pane : panes->panes()) {
        connect(pane, &FigurePane::requestChanged, this, &FrameLoop::schedule);
        connect(pane, &FigurePane::figureIdChanged, this, &FrameLoop::schedule);
    }
    connect(controller, &ComputeController::finished, this, &FrameLoop::showFigures);
    connect(controller, &ComputeController::spoiled, this, &FrameLoop::schedule);
    connect(controller, &ComputeController::checked, this, [this] {
        m_isUnchecked = false;
        Q_EMIT figuresChecked();
    });
    connect(controller, &ComputeController::progressed, this, &FrameLoop::showProgress);
    connect(controller, &ComputeController::busyChanged, this, [this](bool busy) {
        if (busy) {
            m_busy.start();
        } else {
            followBusy(false);
        }
    });
}

void FrameLoop::schedule() {
    m_scheduled.start();
}

void FrameLoop::request() {
    m_scheduled.stop();
    Scene scene = m_document->scene();
    Frame frame;
    frame.isPreview =
        !m_previewedOrder.isEmpty() && std::size_t(m_previewedOrder.size()) == scene.tokens.size();
    if (frame.isPreview) {
        scene.order = std::vector<int>(m_previewedOrder.begin(), m_previewedOrder.end());
    }
    QList<FigureRequest> requests;
    for (FigurePane* pane : m_panes->panes()) {
        if (m_panes->isShown(pane)) {
            requests.append(pane->request());
            frame.panes.append(pane);
        }
    }
    const auto shown = std::find_if(requests.begin(), requests.end(), [](const FigureRequest& one) {
        return one.id == verdictFigure && one.compare == CompareMode::live;
    });
    if (shown != requests.end()) {
        frame.verdict = shown - requests.begin();
    } else if (sequenceLength(scene) <= longestVerdict) {
        frame.verdict = requests.size();
        FigureRequest verdict;
        verdict.id = verdictFigure;
        verdict.pixelRows = verdict.pixelColumns = 1;
        requests.append(verdict);
        frame.panes.append(nullptr);
    }
    frame.hasPicture.fill(false, requests.size());
    frame.whole.fill(false, requests.size());
    frame.since.start();
    frame.generation = m_newest = m_controller->request(scene, requests);
    m_frames.append(frame);
}

bool FrameLoop::isWhole(FigurePane* pane) const {
    if (m_scheduled.isActive()) {
        return false;
    }
    const qsizetype figure = m_frames.isEmpty() ? -1 : m_frames.last().panes.indexOf(pane);
    return m_frames.isEmpty() || (figure >= 0 && m_frames.last().whole[figure]);
}

void FrameLoop::previewOrder(const QList<int>& order) {
    if (order != m_previewedOrder) {
        m_previewedOrder = order;
        request();
    }
}

void FrameLoop::showFigures(const ComputedFigures& computed) {
    while (!m_frames.isEmpty() && m_frames.first().generation < computed.generation) {
        m_frames.removeFirst();
    }
    if (m_frames.isEmpty() || m_frames.first().generation != computed.generation) {
        return;
    }
    m_isUnchecked = computed.isUnchecked;
    Frame& frame = m_frames.first();
    if (!std::exchange(frame.hasBackend, true)) {
        Q_EMIT attentionRan(QString::fromStdString(computed.backend));  // until a figure says what it was
    }
    for (qsizetype index = 0; index < frame.panes.size(); ++index) {
        const Result<SharedFigure>& figure = computed.figures[index];
        frame.whole[index] = frame.whole[index] ||
                             (figure ? !(*figure)->isPartial : figure.error().kind != ErrorKind::cancelled);
        if (figure && !std::exchange(frame.hasPicture[index], true) && frame.panes[index] != nullptr) {
            frame.panes[index]->setBusy(false);  // the progress of an earlier setting is none of this one
        }
        showResult(frame.panes[index], computed.figures[index],
                   frame.isPreview ? Picture::preview : Picture::exact);
        if (figure && !(*figure)->ranOn.empty()) {
            Q_EMIT attentionRan(QString::fromStdString((*figure)->ranOn));
        }
        if (index == frame.verdict && figure) {
            showVerdict(**figure);
        } else if (index == frame.verdict && figure.error().kind != ErrorKind::cancelled) {
            Q_EMIT verdictChanged({}, {}, false);  // that of an earlier setting is none
        }
    }
    if (m_controller->isBusy() && !m_busy.isActive()) {
        m_busy.start();
    }
    Q_EMIT figuresShown();
    const bool isHandedOver = std::exchange(frame.isHandedOver, frame.isHandedOver || computed.shown);
    if (computed.complete) {
        m_shown = computed.generation;
    }
    if (computed.complete || isHandedOver != frame.isHandedOver) {
        // Queued behind what the views have queued themselves.
        QMetaObject::invokeMethod(this, &FrameLoop::paintingDue, Qt::QueuedConnection);
    }
}

void FrameLoop::showResult(FigurePane* pane, const Result<SharedFigure>& result, Picture picture) {
    if (!result) {
        if (result.error().kind != ErrorKind::cancelled && pane != nullptr) {
            pane->setBusy(false);
            pane->showError(QString::fromStdString(result.error().message));
        }
        return;
    }
    const Figure& figure = **result;
    if (pane != nullptr && pane->figureId() == QString::fromStdString(figure.id)) {
        pane->setBusy(figure.isPartial);
        // What the order does not change is exact at any time.
        pane->showFigure(*result, findFigure(figure.id)->followsOrder ? picture : Picture::exact);
    }
}

void FrameLoop::showVerdict(const Figure& figure) {
    const auto found = std::find_if(figure.readouts.begin(), figure.readouts.end(),
                                    [](const Readout& readout) { return readout.id == verdictReadout; });
    const double* difference = found == figure.readouts.end() ? nullptr : std::get_if<double>(&found->value);
    if (difference == nullptr || !found->tolerance) {
        Q_EMIT verdictChanged({}, {}, false);
        return;
    }
    const QString tolerance = QString::fromStdString(formatForPeople(*found->tolerance, 2));
    const QString sign = *difference <= *found->tolerance ? QStringLiteral(" ≤ ") : QStringLiteral(" > ");
    Q_EMIT verdictChanged(QString::fromStdString(found->chip) + sign + tolerance,
                          tr("%1: %2; tolerance %3")
                              .arg(QString::fromStdString(found->label),
                                   QString::fromStdString(formatForPeople(*difference, 2)), tolerance),
                          found->tone == Tone::good);
}

void FrameLoop::notePainted() {
    if (m_frames.isEmpty()) {
        return;
    }
    Frame& first = m_frames.first();
    const bool isDone = m_painted != m_shown && first.generation == m_shown;
    if (first.isHandedOver && first.milliseconds < 0.0) {
        first.milliseconds = double(first.since.nsecsElapsed()) * 1e-6;
        if (!isDone) {
            Q_EMIT painted(first.milliseconds, false);
        }
    }
    if (isDone) {
        m_painted = m_shown;
        const Frame frame = m_frames.takeFirst();
        Q_EMIT painted(frame.milliseconds, m_painted == m_newest && !frame.isPreview);
    }
}

bool FrameLoop::hasFirstPicture() const {
    const bool isOnItsWay = !m_frames.isEmpty() && m_frames.last().generation == m_newest;
    return isPainted() || (!m_scheduled.isActive() && isOnItsWay && m_frames.last().milliseconds >= 0.0);
}

void FrameLoop::followBusy(bool busy) {
    m_busy.stop();
    for (FigurePane* pane : m_panes->panes()) {
        const qsizetype figure = m_frames.isEmpty() ? -1 : m_frames.last().panes.indexOf(pane);
        pane->setBusy(busy && m_panes->isShown(pane) && figure >= 0 && !m_frames.last().whole[figure]);
    }
}

void FrameLoop::showProgress(quint64 generation, qsizetype figure, double share, const QString& what) {
    if (!m_frames.isEmpty() && m_frames.last().generation == generation) {
        if (FigurePane* pane = m_frames.last().panes[figure]) {
            pane->setProgress(share, what);
            Q_EMIT progressed(pane, share, what);
        }
    }
}

}  // namespace phaseladder::ui
