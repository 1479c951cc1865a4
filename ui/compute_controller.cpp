#include "ui/compute_controller.h"

#include <QMetaObject>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace phaseladder::ui {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// A job that a newer request has made stale may run this long; where the job before was cut off too, longer,
/// so that a drag over slow figures still shows some of them.
constexpr milliseconds staleJobLimit{30};
constexpr milliseconds staleJobLimitAfterCancel{500};

/// A job that is expected to take no longer than this may run as long: its pictures, previews perhaps, are
/// worth more than those of the newer request a little earlier.
constexpr milliseconds shortJobLimit{150};

/// What is ready is sent, and drawn while the next figure is computed, when it has waited this long or when
/// the next figure took this long before.
constexpr milliseconds portionTime{20};
constexpr double slowFigureMilliseconds = 2.0;

/// Between two looks at the progress, in portion times.
constexpr int portionsPerProgress = 5;

/// Between two looks at a GPU that is being looked for.
constexpr milliseconds pendingTime{50};

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Job {
    quint64 generation = 0;
    Scene scene;
    QList<FigureRequest> figures;
};

Result<SharedFigure> notInThisPortion() {
    return fail(ErrorKind::cancelled, {});
}

Result<SharedFigure> computeFigure(Engine& engine, const Scene& scene, const FigureRequest& request,
                                   const std::stop_token& stop) {
    try {
        return engine.figure(scene, request, stop).map([](Figure&& figure) {
            return std::make_shared<const Figure>(std::move(figure));
        });
    } catch (const std::exception& exception) {  // out of memory: the thread and the window go on
        return fail(ErrorKind::failed,
                    "The figure could not be computed: " + std::string(exception.what()) + ".");
    }
}

}  // namespace

struct ComputeController::State {
    std::unique_ptr<Engine> engine;                  // used by the worker only
    BackendInfo gpu;                                 // as it was told last, used by the worker only
    bool isRecheckLeft = false;                      // likewise
    std::map<std::string, double> lastMilliseconds;  // per figure id, used by the worker only

    quint64 newest = 0;     // window's thread only
    quint64 delivered = 0;  // generation of the newest portion shown
    quint64 completed = 0;
    QTimer overdue;
    QTimer ready;  // while busy: looks for figures that wait to be sent, and for progress
    int ticks = 0;

    Progress progress;
    std::mutex mutex;  // guards what follows
    std::condition_variable_any wake;
    std::optional<Job> waiting;
    std::deque<std::function<void(Engine&)>> errands;
    std::stop_source idleStop;  // of the re-check that goes on
    bool running = false;
    bool previousWasCancelled = false;
    bool isShort = false;     // the running job, by what its figures took before
    qsizetype whole = -1;     // figure that is computed beyond its quick part; below 0: none
    ComputedFigures portion;  // what is ready and not sent yet
    bool isAnyReady = false;
    std::stop_source runningStop;
    Clock::time_point runningSince;

    std::jthread worker;  // last: joined before anything else is destroyed

    [[nodiscard]] milliseconds limit() const {
        return whole >= 0             ? milliseconds{0}
               : previousWasCancelled ? staleJobLimitAfterCancel
               : isShort              ? shortJobLimit
                                      : staleJobLimit;
    }
    /// What the figure took the last time; 0 when it has not been computed yet.
    [[nodiscard]] double expectedMilliseconds(const FigureRequest& request) const;
    [[nodiscard]] std::vector<qsizetype> quickestFirst(const QList<FigureRequest>& figures) const;
    void begin(const Job& job);
    void put(qsizetype figure, Result<SharedFigure> result);
    [[nodiscard]] bool beginWhole(qsizetype figure);
    void finish(bool complete);
    void send(ComputeController& controller);
    bool run(const Job& job, const std::stop_token& stop, ComputeController& controller);
    void waitForWork(const std::stop_token& shutdown, ComputeController& controller);
    void tellGpu(ComputeController& controller);
    void work(const std::stop_token& shutdown, ComputeController& controller);
};

double ComputeController::State::expectedMilliseconds(const FigureRequest& request) const {
    const auto found = lastMilliseconds.find(request.id);
    return found == lastMilliseconds.end() ? 0.0 : found->second;
}

std::vector<qsizetype> ComputeController::State::quickestFirst(const QList<FigureRequest>& figures) const {
    std::vector<qsizetype> order(static_cast<std::size_t>(figures.size()));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {}, [&](qsizetype index) {
        // The scene may have grown since: what grows with it does not hold up the others.
        const FigureKind* kind = findFigure(figures[index].id);
        const bool growsFast = kind != nullptr && kind->growsFast;
        return expectedMilliseconds(figures[index]) + (growsFast ? slowFigureMilliseconds : 0.0);
    });
    return order;
}

void ComputeController::State::begin(const Job& job) {
    double expected = 0.0;
    for (const FigureRequest& figure : job.figures) {
        expected += expectedMilliseconds(figure);
    }
    const std::string backend = whatRan(engine->mapBackend(job.scene));
    const std::lock_guard lock(mutex);
    isShort = expected <= static_cast<double>(shortJobLimit.count());
    portion = {};
    portion.generation = job.generation;
    portion.figures = QList<Result<SharedFigure>>(job.figures.size(), notInThisPortion());
    portion.backend = backend;
    isAnyReady = true;  // where the figures take long, the backend does not wait for them
}

void ComputeController::State::put(qsizetype figure, Result<SharedFigure> result) {
    const std::lock_guard lock(mutex);
    portion.figures[figure] = std::move(result);
    portion.milliseconds = millisecondsSince(runningSince);
    isAnyReady = true;
}

/// All figures are there, this one in its quick part; now it grows. False where a newer request waits.
bool ComputeController::State::beginWhole(qsizetype figure) {
    const std::lock_guard lock(mutex);
    if (waiting) {
        return false;
    }
    portion.shown = true;
    whole = figure;
    return true;
}

void ComputeController::State::finish(bool complete) {
    const std::lock_guard lock(mutex);
    portion.shown = portion.shown || complete;
    portion.complete = complete;
    portion.isUnchecked = engine->hasUnchecked();
    whole = -1;
}

/// Through the event loop, so that portions arrive in the order in which they were sent.
void ComputeController::State::send(ComputeController& controller) {
    const std::lock_guard lock(mutex);
    QMetaObject::invokeMethod(
        &controller, [&controller, sent = portion] { controller.deliver(sent); }, Qt::QueuedConnection);
    portion.figures.fill(notInThisPortion());
    isAnyReady = false;
}

/// False when the job was stopped before every figure was there; what was ready by then is delivered.
bool ComputeController::State::run(const Job& job, const std::stop_token& stop,
                                   ComputeController& controller) {
    begin(job);
    const std::vector<qsizetype> order = quickestFirst(job.figures);
    std::vector<qsizetype> partial;
    for (std::size_t step = 0; step < order.size() && !stop.stop_requested(); ++step) {
        FigureRequest request = job.figures[order[step]];
        request.effort = Effort::quick;
        if (step > 0 && expectedMilliseconds(request) > slowFigureMilliseconds) {
            send(controller);
        }
        const Clock::time_point figureStart = Clock::now();
        Result<SharedFigure> figure = computeFigure(*engine, job.scene, request, stop);
        if (figure || figure.error().kind != ErrorKind::cancelled) {
            lastMilliseconds[request.id] = millisecondsSince(figureStart);
        }
        if (figure && (*figure)->isPartial) {
            partial.push_back(order[step]);
        }
        put(order[step], std::move(figure));
    }
    const bool isShown = !stop.stop_requested();
    // In turns, so that two of them grow together.
    while (!partial.empty() && !stop.stop_requested()) {
        const qsizetype next = partial.front();
        partial.erase(partial.begin());
        FigureRequest request = job.figures[next];
        request.effort = Effort::more;
        if (!beginWhole(next)) {
            finish(false);
            send(controller);
            return isShown;
        }
        send(controller);
        Result<SharedFigure> figure = computeFigure(*engine, job.scene, request, stop);
        if (figure && (*figure)->isPartial) {
            partial.push_back(next);
        }
        put(next, std::move(figure));
    }
    finish(!stop.stop_requested());
    send(controller);
    return isShown;
}

/// Waits for something to do; where some of what the GPU computed is left to check, that is done meanwhile,
/// and where a GPU is being looked for, what was found is told.
void ComputeController::State::waitForWork(const std::stop_token& shutdown, ComputeController& controller) {
    const auto isWanted = [this] { return waiting.has_value() || !errands.empty(); };
    while (!shutdown.stop_requested()) {
        std::stop_source stop;
        {
            std::unique_lock lock(mutex);
            if (!isRecheckLeft && gpu.isPending) {
                wake.wait_for(lock, shutdown, pendingTime, isWanted);
            } else if (!isRecheckLeft) {
                wake.wait(lock, shutdown, isWanted);
            }
            if (isWanted()) {
                return;
            }
            idleStop = stop;
        }
        if (isRecheckLeft) {
            const std::stop_callback stopWithProgram(shutdown, [&stop] { stop.request_stop(); });
            const Recheck found = engine->recheck(stop.get_token());
            isRecheckLeft = found == Recheck::more || found == Recheck::stopped;
            if (found == Recheck::wrong) {
                QMetaObject::invokeMethod(&controller, &ComputeController::spoiled, Qt::QueuedConnection);
            } else if (found == Recheck::done) {
                QMetaObject::invokeMethod(&controller, &ComputeController::checked, Qt::QueuedConnection);
            }
        }
        tellGpu(controller);
    }
}

void ComputeController::State::tellGpu(ComputeController& controller) {
    const BackendInfo now = engine->gpuInfo().value_or(BackendInfo());
    const auto facts = [](const BackendInfo& info) {
        return std::tie(info.id, info.label, info.available, info.reason, info.isFault, info.canTryAgain);
    };
    if (facts(now) != facts(gpu)) {
        QMetaObject::invokeMethod(
            &controller, [&controller, now] { Q_EMIT controller.gpuChanged(now); }, Qt::QueuedConnection);
    }
    gpu = now;
    for (const std::string& notice : engine->takeNotices()) {
        QMetaObject::invokeMethod(
            &controller, [&controller, notice] { Q_EMIT controller.noticed(QString::fromStdString(notice)); },
            Qt::QueuedConnection);
    }
}

void ComputeController::State::work(const std::stop_token& shutdown, ComputeController& controller) {
    for (;;) {
        waitForWork(shutdown, controller);
        if (shutdown.stop_requested()) {
            return;
        }
        Job job;
        std::stop_source stop;
        {
            std::unique_lock lock(mutex);
            if (!errands.empty()) {
                const auto errand = std::move(errands.front());
                errands.pop_front();
                lock.unlock();
                errand(*engine);
                tellGpu(controller);
                continue;
            }
            job = std::move(*waiting);
            waiting.reset();
            running = true;
            runningStop = stop;
            runningSince = Clock::now();
        }
        const std::stop_callback stopWithProgram(shutdown, [&stop] { stop.request_stop(); });
        const bool isShown = run(job, stop.get_token(), controller);
        tellGpu(controller);
        isRecheckLeft = true;
        const std::lock_guard lock(mutex);
        running = false;
        previousWasCancelled = !isShown;
    }
}

ComputeController::ComputeController(std::unique_ptr<Engine> engine, QObject* parent)
    : QObject(parent), m_state(std::make_unique<State>()) {
    m_state->engine = std::move(engine);
    m_state->engine->reportProgressTo(&m_state->progress);
    m_state->ready.setInterval(portionTime);
    connect(&m_state->ready, &QTimer::timeout, this, &ComputeController::deliverReady);
    m_state->overdue.setSingleShot(true);
    connect(&m_state->overdue, &QTimer::timeout, this, &ComputeController::cancelOverdueJob);
    m_state->worker =
        std::jthread([this](const std::stop_token& shutdown) { m_state->work(shutdown, *this); });
}

ComputeController::~ComputeController() = default;

quint64 ComputeController::request(const Scene& scene, const QList<FigureRequest>& figures) {
    const bool wasBusy = isBusy();
    const quint64 generation = ++m_state->newest;
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->waiting = Job{generation, scene, figures};
        m_state->idleStop.request_stop();
    }
    m_state->wake.notify_one();
    cancelOverdueJob();
    if (!wasBusy) {
        m_state->ready.start();
        Q_EMIT busyChanged(true);
    }
    return generation;
}

void ComputeController::addErrand(std::function<void(Engine&)> errand) {
    {
        const std::lock_guard lock(m_state->mutex);
        m_state->errands.push_back(std::move(errand));
        m_state->idleStop.request_stop();
    }
    m_state->wake.notify_one();
}

void ComputeController::replaceGpu(std::unique_ptr<Backend> gpu) {
    // A function that is kept has to be one that could be copied.
    auto shared = std::make_shared<std::unique_ptr<Backend>>(std::move(gpu));
    addErrand([shared](Engine& engine) { engine.replaceGpu(std::move(*shared)); });
}

void ComputeController::tryGpuAgain() {
    addErrand([](Engine& engine) { engine.tryGpuAgain(); });
}

/// Sends what has waited since the last look, and says how far the slow figure is.
void ComputeController::deliverReady() {
    quint64 generation = 0;
    qsizetype figure = -1;
    bool isAny = false;
    {
        const std::lock_guard lock(m_state->mutex);
        generation = m_state->portion.generation;
        figure = m_state->whole;
        isAny = m_state->isAnyReady;
    }
    if (isAny) {
        m_state->send(*this);
    }
    const double share = m_state->progress.share();
    if (figure >= 0 && share >= 0.0 && ++m_state->ticks % portionsPerProgress == 0) {
        Q_EMIT progressed(generation, figure, share, QString::fromUtf8(m_state->progress.what()));
    }
}

/// Stops the running job where a newer one waits and the time it may take is over; else looks again then.
void ComputeController::cancelOverdueJob() {
    const std::lock_guard lock(m_state->mutex);
    if (!m_state->running || !m_state->waiting) {
        return;
    }
    const auto left =
        std::chrono::ceil<milliseconds>(m_state->limit() - (Clock::now() - m_state->runningSince));
    if (left.count() <= 0) {
        m_state->runningStop.request_stop();
    } else {
        m_state->overdue.start(left);
    }
}

void ComputeController::deliver(const ComputedFigures& portion) {
    if (portion.generation < m_state->delivered) {
        return;
    }
    m_state->delivered = portion.generation;
    if (portion.complete) {
        m_state->completed = portion.generation;
    }
    Q_EMIT finished(portion);
    if (portion.complete && !isBusy()) {
        m_state->ready.stop();
        Q_EMIT busyChanged(false);
    }
}

bool ComputeController::isBusy() const {
    return m_state->completed < m_state->newest;
}

}  // namespace phaseladder::ui
