#include "gpu/gpu_backend.h"

#include <QProcess>

#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "core/attention/pooled_map.h"
#include "core/cancelled.h"
#include "gpu/fault_sentences.h"
#include "gpu/helper_connection.h"

namespace phaseladder::gpu {
namespace {

const QString bundledHelper = QStringLiteral("phaseladder-gpu");
constexpr int mostLosses = 2;  // after the first one it is started once more
constexpr double quickSeconds = 0.06;

BackendInfo away(std::string reason) {
    return {.id = "gpu", .label = "GPU", .available = false, .reason = std::move(reason)};
}

BackendInfo infoOf(const HelperHello& hello) {
    BackendInfo info{.id = "gpu", .label = "GPU"};
    info.label = hello.isEmulated       ? "emulated GPU (processor threads)"
                 : hello.device.empty() ? "GPU"
                                        : hello.device;
    if (hello.state != HelperState::ready) {
        info.available = false;
        info.reason = whyNotReady(hello);
        info.isFault = !isOrdinary(hello.state);
        info.canTryAgain = hello.state == HelperState::deviceBusy;
    }
    return info;
}

/// A command as sentences name it: without the folders of its program, and not too long.
std::string nameOf(QStringList words) {
    constexpr qsizetype longest = 48;
    words.first() = words.first().section(QLatin1Char('/'), -1);
    const QString name = words.join(QLatin1Char(' ')).simplified();
    return (name.size() > longest ? name.left(longest - 1) + QChar(0x2026) : name).toStdString();
}

/// What is found out in the background and read by whoever asks.
struct Found {
    std::mutex mutex;  // guards what follows
    enum class State { unknown, looking, known } state = State::unknown;
    BackendInfo info = away("not looked for yet");
    double productsPerSecond = 0.0;
    int losses = 0;
    std::unique_ptr<HelperConnection> connection;  // used by run() alone once it is there
};

/// Starts a helper, hears what it found and notes that.
void look(Found& found, const GpuOptions& options, const std::stop_token& stop) {
    const QString command = options.command.isEmpty() ? bundledHelper : options.command;
    const QStringList words = helperWords(command);
    const std::string name = nameOf(words.isEmpty() ? QStringList{command.simplified()} : words);
    if (words.isEmpty()) {
        const std::lock_guard lock(found.mutex);
        found.state = Found::State::known;
        found.info = away(fmt::format("no helper program \"{}\" found", name));
        found.info.isFault = !options.command.isEmpty();
        return;
    }
    auto connection = std::make_unique<HelperConnection>(words, name, options.silence);
    const HelperConnection::Answer<HelperHello> hello = connection->greet(stop);
    const std::lock_guard lock(found.mutex);
    found.state = Found::State::known;
    if (hello) {
        found.info = infoOf(*hello);
        found.info.isFault |= !found.info.available && !options.command.isEmpty();  // somebody expects it
        found.productsPerSecond = hello->productsPerSecond;
        found.connection = found.info.available ? std::move(connection) : nullptr;
        return;
    }
    found.info = away(hello.error().reason);
    found.info.isFault = true;
    if (hello.error().kind == HelperFault::Kind::cancelled || ++found.losses < mostLosses) {
        found.state = Found::State::unknown;
    }
}

class GpuBackend final : public Backend {
public:
    explicit GpuBackend(GpuOptions options) : m_options(std::move(options)) {}

    [[nodiscard]] BackendInfo info() const override {
        std::unique_lock lock(m_found->mutex);
        if (m_found->state == Found::State::unknown && m_found->losses < mostLosses) {
            m_found->state = Found::State::looking;
            m_found->info = away("still looking for it");
            m_found->info.isPending = true;
            lock.unlock();
            if (m_options.looksInBackground) {
                m_looking = std::jthread([found = m_found.get(), options = m_options](
                                             const std::stop_token& stop) { look(*found, options, stop); });
            } else {
                look(*m_found, m_options, {});
            }
            lock.lock();
        }
        return m_found->info;
    }

    [[nodiscard]] Result<AttentionResult> run(const AttentionRequest& request,
                                              std::stop_token stop) override {
        const BackendInfo now = info();
        if (!now.available) {
            return fail(ErrorKind::unavailable, now.reason);
        }
        const std::int64_t queries = request.problem->queries.rows(), keys = request.problem->keys.rows();
        if (queries == 0 || keys == 0) {
            return AttentionResult{.ranOn = now};
        }
        if (request.map && !isWithin(*request.map, queries, keys)) {
            return fail(ErrorKind::failed, "The window of the map lies outside the attention map.");
        }
        if (stop.stop_requested()) {
            return cancelled();
        }
        HelperConnection::Answer<AttentionResult> answer = m_found->connection->run(request, stop);
        if (answer) {
            answer->ranOn = now;
            return *std::move(answer);
        }
        if (answer.error().kind == HelperFault::Kind::cancelled) {
            return cancelled();
        }
        if (answer.error().kind == HelperFault::Kind::lost) {
            lose(answer.error().reason);
        }
        return fail(ErrorKind::unavailable, answer.error().reason);
    }

    [[nodiscard]] RunForecast forecast(const AttentionRequest& request) const override {
        const std::lock_guard lock(m_found->mutex);
        RunForecast forecast{.ranOn = m_found->info};
        forecast.quickProducts = std::max(quickSeconds * m_found->productsPerSecond, quickDoubleProducts());
        forecast.knownRows = m_found->connection ? m_found->connection->knownRows(request) : 0;
        return forecast;
    }

    void tryAgain() override {
        const std::lock_guard lock(m_found->mutex);
        if (m_found->state != Found::State::looking && !m_found->info.available) {
            m_found->state = Found::State::unknown;
            m_found->losses = 0;
        }
    }

private:
    void lose(const std::string& reason) {
        std::unique_ptr<HelperConnection> lost;
        const std::lock_guard lock(m_found->mutex);
        lost = std::move(m_found->connection);
        m_found->info = away(reason);
        m_found->losses += 1;
        m_found->state = m_found->losses < mostLosses ? Found::State::unknown : Found::State::known;
    }

    GpuOptions m_options;
    std::unique_ptr<Found> m_found = std::make_unique<Found>();
    mutable std::jthread m_looking;  // ends before what it fills
};

}  // namespace

std::unique_ptr<Backend> makeGpuBackend(GpuOptions options) {
    return std::make_unique<GpuBackend>(std::move(options));
}

}  // namespace phaseladder::gpu
