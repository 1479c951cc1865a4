#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "core/attention/backend.h"
#include "core/attention/pooled_map.h"
#include "core/cancelled.h"
#include "core/engine.h"
#include "core/index.h"

namespace phaseladder::test {

/// Computes nothing: cells of a preview are 1, exact ones 2, so that texts of any length can be asked about.
/// It takes `pause` for each request, and notes whose problems were asked for.
class PaintedBackend final : public Backend {
public:
    /// What was asked for; outlives the backend.
    struct Log {
        std::mutex mutex;
        std::vector<std::shared_ptr<const AttentionProblem>> problems;
        std::vector<MapRequest> maps;
        std::int64_t knownRows = 0;  ///< what the backend says to know of any window

        [[nodiscard]] std::size_t size() {
            const std::lock_guard lock(mutex);
            return maps.size();
        }
    };

    explicit PaintedBackend(Log& log, std::chrono::milliseconds pause = {}) : m_log(log), m_pause(pause) {}

    [[nodiscard]] BackendInfo info() const override { return {.id = "painted", .label = "painted"}; }

    [[nodiscard]] Result<AttentionResult> run(const AttentionRequest& request,
                                              std::stop_token stop) override {
        {
            const std::lock_guard lock(m_log.mutex);
            m_log.problems.push_back(request.problem);
            m_log.maps.push_back(*request.map);
        }
        std::this_thread::sleep_for(m_pause);
        if (stop.stop_requested()) {
            return cancelled();
        }
        const PixelRows wanted = wantedPixelRows(*request.map);
        AttentionResult result;
        result.pixelRows = wanted.end - wanted.begin;
        result.pixelColumns = request.map->pixelColumns;
        result.map.assign(index(result.pixelRows * result.pixelColumns),
                          request.map->sampledRows > 0 ? 1.0 : 2.0);
        result.masked.assign(result.map.size(), 0);
        result.computedRows = static_cast<std::int64_t>(neededRows(*request.map).size());
        result.definedTokens = request.problem->keys.rows();
        result.ranOn = info();
        return result;
    }

    [[nodiscard]] RunForecast forecast(const AttentionRequest& /*request*/) const override {
        return {.ranOn = info(), .knownRows = m_log.knownRows, .quickProducts = quickSingleProducts()};
    }

private:
    Log& m_log;
    std::chrono::milliseconds m_pause;
};

inline std::unique_ptr<Engine> paintedEngine(PaintedBackend::Log& log, std::chrono::milliseconds pause = {}) {
    return std::make_unique<Engine>(std::make_unique<PaintedBackend>(log, pause));
}

/// The start-up scene's words, repeated: a map of so many takes more than can be had at once.
inline constexpr std::int64_t longTextTokens = 131072;

inline Scene longText() {
    Scene scene;
    scene.textLength = longTextTokens;
    return scene;
}

inline FigureRequest mapOfLongText(Effort effort) {
    FigureRequest request;
    request.id = "attention";
    request.pixelRows = request.pixelColumns = 64;
    request.effort = effort;
    return request;
}

}  // namespace phaseladder::test
