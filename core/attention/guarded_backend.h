#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/backend.h"

namespace phaseladder {

/// What a re-check has found.
enum class Recheck {
    done,     ///< nothing is left to check
    more,     ///< one map was right, and others wait
    stopped,  ///< it goes on with the next call
    wrong,    ///< the backend computed something else: nothing that it computed counts
};

/// A backend that may fail, or compute something wrong, with another one behind it: what the first cannot
/// compute is computed by the second, AttentionResult::ranOn says which one it was, and each fault is told
/// once. A problem that the first has failed at stays with the second, so that a map is made by one of them.
/// Of each map of the first some rows are computed again by the second when there is time.
class GuardedBackend final : public Backend {
public:
    /// The second must outlive it and never be unavailable.
    GuardedBackend(std::unique_ptr<Backend> first, Backend& second);

    /// Of the first.
    [[nodiscard]] BackendInfo info() const override;
    [[nodiscard]] Result<AttentionResult> run(const AttentionRequest& request, std::stop_token stop) override;
    [[nodiscard]] RunForecast forecast(const AttentionRequest& request) const override;
    /// Not where it computed something wrong.
    void tryAgain() override;

    /// What went wrong since the last call, a sentence each.
    [[nodiscard]] std::vector<std::string> takeNotices();

    /// Computes some rows of a map of the first again: 1 in 4096 of its rows of pixels, at least one, at
    /// places that move from map to map. After a wrong one the first is given up for good.
    [[nodiscard]] Recheck recheck(std::stop_token stop);
    /// Whether some of what the first computed is left to that.
    [[nodiscard]] bool hasUnchecked() const { return !m_unchecked.empty(); }

private:
    /// A map of the first, as far as it is computed again.
    struct Computed {
        AttentionRequest request;  ///< of one row of pixels
        std::vector<double> map;
        std::vector<std::uint8_t> masked;
    };

    [[nodiscard]] bool isForSecond(const AttentionRequest& request) const;
    void leaveToSecond(const AttentionRequest& request);
    void tell(const std::string& fault) const;
    void remember(const AttentionRequest& request, const AttentionResult& result);

    std::unique_ptr<Backend> m_first;
    Backend& m_second;
    std::string m_wrong;  // why the first is given up; empty: it is not
    std::deque<std::weak_ptr<const AttentionProblem>> m_leftToSecond;
    std::deque<Computed> m_unchecked;  // oldest first
    std::uint64_t m_maps = 0;          // so far: the seed of the next place
    // A fault of the first is learned of where it is asked how it is.
    mutable std::vector<std::string> m_notices;
    mutable std::set<std::string> m_told;
};

}  // namespace phaseladder
