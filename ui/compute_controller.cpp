#include "ui/compute_controller.h"

#include <QMetaObject>
#include <QTimer>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
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

/// What is ready is sent, and drawn while the next figure is computed, when it has waited this long or when
/// the next figure took this long before.
constexpr milliseconds portionTime{20};
constexpr double slowFigureMilliseconds = 2.0;

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

struct Job {
    quint64 generation = 0;
    Scene scene;
    QList<FigureRequest> figures;
};

Result<Figure> notInThisPortion() {
    return fail(ErrorKind::cancelled, {});
}

Result<Figure> computeFigure(Engine& engine, const Scene& scene, const FigureRequest& request,
                             const std::stop_token& stop) {
    try {
        return engine.figure(scene, request, stop);
    } catch (const std::exception& exception) {  // out of memory: the thread and the window go on
        return fail(ErrorKind::failed,
                    "The figure could not be computed: " + std::string(exception.what()) + ".");
    }
}

}  // namespace

struct ComputeController::State {
    std::unique_ptr<Engine> engine;  // used by the worker only
    BackendInfo backend;
    std::map<std::string, double> lastMilliseconds;  // per figure id, used by the worker only

    quint64 newest = 0;     // window's thread only
    quint64 delivered = 0;  // generation of the newest portion shown
    quint64 completed = 0;
    QTimer overdue;

    std::mutex mutex;  // guards what follows
    std::condition_variable_any wake;
    std::optional<Job> waiting;
    bool running = false;
    bool previousWasCancelled = false;
    std::stop_source runningStop;
    Clock::time_point runningSince;

    std::jthread worker;  // last: joined before anything else is destroyed

    [[nodiscard]] milliseconds limit() const {
        return previousWasCancelled ? staleJobLimitAfterCancel : staleJobLimit;
    }
    /// What the figure took the last time; 0 when it has not been computed yet.
    [[nodiscard]] double expectedMilliseconds(const FigureRequest& request) const;
    [[nodiscard]] std::vector<qsizetype> quickestFirst(const QList<FigureRequest>& figures) const;
    bool run(const Job& job, const std::stop_token& stop, ComputeController& controller);
    void work(const std::stop_token& shutdown, ComputeController& controller);
};

double ComputeController::State::expectedMilliseconds(const FigureRequest& request) const {
    const auto found = lastMilliseconds.find(request.id);
    return found == lastMilliseconds.end() ? 0.0 : found->second;
}

std::vector<qsizetype> ComputeController::State::quickestFirst(const QList<FigureRequest>& figures) const {
    std::vector<qsizetype> order(static_cast<std::size_t>(figures.size()));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, {},
                             [&](qsizetype index) { return expectedMilliseconds(figures[index]); });
    return order;
}

/// False when the job was stopped before its end; what was ready by then is delivered.
bool ComputeController::State::run(const Job& job, const std::stop_token& stop,
                                   ComputeController& controller) {
    const Clock::time_point start = Clock::now();
    Clock::time_point portionStart = start;
    const QList<Result<Figure>> emptyPortion(job.figures.size(), notInThisPortion());
    ComputedFigures portion{job.generation, emptyPortion, 0.0, false};
    const auto send = [&](bool complete) {
        portion.milliseconds = millisecondsSince(start);
        portion.complete = complete;
        QMetaObject::invokeMethod(
            &controller, [&controller, portion] { controller.deliver(portion); }, Qt::QueuedConnection);
        portion.figures = emptyPortion;
        portionStart = Clock::now();
    };
    const std::vector<qsizetype> order = quickestFirst(job.figures);
    std::vector<qsizetype> partial;
    for (std::size_t step = 0; step < order.size() && !stop.stop_requested(); ++step) {
        FigureRequest request = job.figures[order[step]];
        request.quickPart = true;
        if (step > 0 && (expectedMilliseconds(request) > slowFigureMilliseconds ||
                         Clock::now() - portionStart > portionTime)) {
            send(false);
        }
        const Clock::time_point figureStart = Clock::now();
        Result<Figure>& figure = portion.figures[order[step]];
        figure = computeFigure(*engine, job.scene, request, stop);
        lastMilliseconds[request.id] = millisecondsSince(figureStart);
        if (figure && figure->isPartial) {
            partial.push_back(order[step]);
        }
    }
    for (std::size_t step = 0; step < partial.size() && !stop.stop_requested(); ++step) {
        send(false);
        portion.figures[partial[step]] = computeFigure(*engine, job.scene, job.figures[partial[step]], stop);
    }
    const bool complete = !stop.stop_requested();
    send(complete);
    return complete;
}

void ComputeController::State::work(const std::stop_token& shutdown, ComputeController& controller) {
    while (!shutdown.stop_requested()) {
        Job job;
        std::stop_source stop;
        {
            std::unique_lock lock(mutex);
            if (!wake.wait(lock, shutdown, [this] { return waiting.has_value(); })) {
                return;
            }
            job = std::move(*waiting);
            waiting.reset();
            running = true;
            runningStop = stop;
            runningSince = Clock::now();
        }
        const std::stop_callback stopWithProgram(shutdown, [&stop] { stop.request_stop(); });
        const bool complete = run(job, stop.get_token(), controller);
        const std::lock_guard lock(mutex);
        running = false;
        previousWasCancelled = !complete;
    }
}

ComputeController::ComputeController(std::unique_ptr<Engine> engine, QObject* parent)
    : QObject(parent), m_state(std::make_unique<State>()) {
    m_state->backend = engine->backendInfo();
    m_state->engine = std::move(engine);
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
    }
    m_state->wake.notify_one();
    cancelOverdueJob();
    if (!wasBusy) {
        Q_EMIT busyChanged(true);
    }
    return generation;
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
        Q_EMIT busyChanged(false);
    }
}

bool ComputeController::isBusy() const {
    return m_state->completed < m_state->newest;
}

BackendInfo ComputeController::backendInfo() const {
    return m_state->backend;
}

}  // namespace phaseladder::ui
