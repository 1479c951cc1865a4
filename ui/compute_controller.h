#pragma once

#include <QList>
#include <QObject>

#include <functional>
#include <memory>
#include <string>

#include "core/engine.h"
#include "core/figures/figure.h"
#include "core/scene.h"

namespace phaseladder::ui {

/// From the engine to the pane without a copy: a map may have a million cells.
using SharedFigure = std::shared_ptr<const Figure>;

/// Figures of one request, in its order. A request may be delivered in portions, quick figures first: a
/// figure that is not in this portion is an error of kind `cancelled`, which means "leave what is shown as it
/// is". A figure whose quick part came first (Figure::isPartial) comes again after all others, as often as it
/// has grown, until it is whole.
struct ComputedFigures {
    quint64 generation = 0;
    QList<Result<SharedFigure>> figures;
    std::string backend{};      ///< "CPU (2 threads) · float32": what computes maps of the scene's attention
    double milliseconds = 0.0;  ///< time in the engine so far
    bool shown = false;         ///< all figures have come by now, some perhaps in their quick part
    bool complete = false;      ///< the last portion of a request that was not cancelled
    bool isUnchecked = false;   ///< some of what a GPU computed is computed again now: checked() tells
};

/// The only place with a thread. Newest request wins: at most one job runs and one waits; the waiting one is
/// overwritten, and the running one is cancelled by a newer request once it has taken longer than two frames,
/// but never so often that no picture comes during a long drag, and not where it is expected to be done soon;
/// what is computed beyond the quick parts is cancelled at once. When there is nothing to do, some of what a
/// GPU computed is computed again (Engine::recheck), until the next request. A figure that is ready does not
/// wait for a slow one. Results of an older generation than the newest delivered one are dropped in the
/// window's thread. Destruction stops the running job and waits for the thread, which looks at its stop token
/// once per block of rows.
class ComputeController : public QObject {
    Q_OBJECT

public:
    explicit ComputeController(std::unique_ptr<Engine> engine, QObject* parent = nullptr);
    ~ComputeController() override;

    /// Returns the generation of the request.
    quint64 request(const Scene& scene, const QList<FigureRequest>& figures);
    [[nodiscard]] bool isBusy() const;

    /// Another GPU in place of the engine's, and a further look for one that was away: when the running job
    /// has ended.
    void replaceGpu(std::unique_ptr<Backend> gpu);
    void tryGpuAgain();

Q_SIGNALS:
    /// In the window's thread.
    void finished(const phaseladder::ui::ComputedFigures& figures);
    void busyChanged(bool busy);
    /// How far the whole of a figure has come that was shown in its quick part: 0 .. 1, and what is done.
    void progressed(quint64 generation, qsizetype figure, double share, const QString& what);

    /// How the GPU is now.
    void gpuChanged(const phaseladder::BackendInfo& gpu);
    /// What went wrong with it, once.
    void noticed(const QString& sentence);
    /// It has computed something wrong: figures have to be asked for again.
    void spoiled();
    /// What is shown was checked, and is right.
    void checked();

private:
    void addErrand(std::function<void(Engine&)> errand);
    void deliver(const ComputedFigures& portion);
    void deliverReady();
    void cancelOverdueJob();

    struct State;
    std::unique_ptr<State> m_state;
};

}  // namespace phaseladder::ui
