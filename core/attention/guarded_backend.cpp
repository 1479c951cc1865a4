#include "core/attention/guarded_backend.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "core/attention/agreement.h"
#include "core/attention/backends.h"
#include "core/attention/pooled_map.h"
#include "core/attention/tile_problem.h"
#include "core/random.h"

namespace phaseladder {
namespace {

constexpr std::size_t mostLeft = 64;  // problems that are left to the second
/// Maps that wait to be checked. They keep their problems alive, which the store of a figure of all heads
/// does too, of as many.
constexpr std::size_t mostUnchecked = 160;
constexpr std::int64_t rowsOfCheck = 4096;

/// Two numbers that should be the same.
struct Pair {
    double computed = 0.0, again = 0.0;
};

std::string capitalized(std::string sentence) {
    if (!sentence.empty() && sentence.front() >= 'a' && sentence.front() <= 'z') {
        sentence.front() = static_cast<char>(sentence.front() - 'a' + 'A');
    }
    return sentence;
}

/// The pair that is farthest apart beyond what is allowed.
std::optional<Pair> worstPair(const std::vector<double>& computed, const std::vector<double>& again,
                              const Agreement& allowed) {
    std::optional<Pair> worst;
    double most = 0.0;
    for (std::size_t at = 0; at < computed.size(); ++at) {
        if (computed[at] == again[at] || (std::isnan(computed[at]) && std::isnan(again[at]))) {
            continue;
        }
        const double apart =
            std::abs(computed[at] - again[at]) - allowed.absolute - allowed.relative * std::abs(again[at]);
        const double beyond = std::isnan(apart) ? HUGE_VAL : apart;
        if (beyond > most) {
            most = beyond;
            worst = Pair{computed[at], again[at]};
        }
    }
    return worst;
}

}  // namespace

GuardedBackend::GuardedBackend(std::unique_ptr<Backend> first, Backend& second)
    : m_first(std::move(first)), m_second(second) {}

BackendInfo GuardedBackend::info() const {
    BackendInfo info = m_first->info();
    if (!m_wrong.empty()) {
        info.available = false;
        info.reason = m_wrong;
        info.isFault = true;
        info.canTryAgain = false;
    }
    if (!info.available && info.isFault) {
        tell(info.reason);
    }
    return info;
}

bool GuardedBackend::isForSecond(const AttentionRequest& request) const {
    return std::ranges::any_of(m_leftToSecond,
                               [&](const auto& left) { return left.lock() == request.problem; }) ||
           !info().available || !growthFitsSinglePrecision(*request.problem);
}

void GuardedBackend::leaveToSecond(const AttentionRequest& request) {
    m_leftToSecond.push_back(request.problem);
    if (m_leftToSecond.size() > mostLeft) {
        m_leftToSecond.pop_front();
    }
}

void GuardedBackend::tell(const std::string& fault) const {
    if (m_told.insert(fault).second) {
        m_notices.push_back(fmt::format("{}; computing on the {}.", capitalized(fault), processorText()));
    }
}

std::vector<std::string> GuardedBackend::takeNotices() {
    return std::exchange(m_notices, {});
}

Result<AttentionResult> GuardedBackend::run(const AttentionRequest& request, std::stop_token stop) {
    if (isForSecond(request)) {
        return m_second.run(request, std::move(stop));
    }
    Result<AttentionResult> result = m_first->run(request, stop);
    if (result) {
        remember(request, *result);
    } else if (result.error().kind == ErrorKind::unavailable) {
        tell(result.error().message);
        leaveToSecond(request);
        return m_second.run(request, std::move(stop));
    }
    return result;
}

RunForecast GuardedBackend::forecast(const AttentionRequest& request) const {
    return isForSecond(request) ? m_second.forecast(request) : m_first->forecast(request);
}

void GuardedBackend::tryAgain() {
    if (m_wrong.empty()) {
        m_leftToSecond.clear();
        m_told.clear();
        m_first->tryAgain();
    }
}

/// A preview is not checked: what takes its place is.
void GuardedBackend::remember(const AttentionRequest& request, const AttentionResult& result) {
    if (!request.map || request.map->sampledRows > 0 || result.map.empty()) {
        return;
    }
    Random place(++m_maps);
    const std::int64_t checks = (result.pixelRows + rowsOfCheck - 1) / rowsOfCheck;
    for (std::int64_t check = 0; check < checks; ++check) {
        const auto row = static_cast<std::int64_t>(place.below(static_cast<std::uint64_t>(result.pixelRows)));
        Computed computed{request, {}, {}};
        computed.request.hiddenStates = false;
        MapRequest& map = *computed.request.map;
        map.firstPixelRow = wantedPixelRows(*request.map).begin + row;
        map.endPixelRow = map.firstPixelRow + 1;
        const auto begin = row * result.pixelColumns, end = begin + result.pixelColumns;
        computed.map.assign(result.map.begin() + begin, result.map.begin() + end);
        computed.masked.assign(result.masked.begin() + begin, result.masked.begin() + end);
        m_unchecked.push_back(std::move(computed));
    }
    while (m_unchecked.size() > mostUnchecked) {
        m_unchecked.pop_front();
    }
}

Recheck GuardedBackend::recheck(std::stop_token stop) {
    if (m_unchecked.empty()) {
        return Recheck::done;
    }
    const Computed& computed = m_unchecked.back();  // the newest is the one that is looked at
    const Result<AttentionResult> again = m_second.run(computed.request, std::move(stop));
    if (!again) {
        return Recheck::stopped;
    }
    const Agreement allowed = agreementInSingle(*computed.request.problem, computed.request.map->values);
    const std::optional<Pair> worst = worstPair(computed.map, again->map, allowed);
    if (!worst && computed.masked == again->masked) {
        m_unchecked.pop_back();
        return m_unchecked.empty() ? Recheck::done : Recheck::more;
    }
    const BackendInfo first = m_first->info();
    m_wrong = worst ? fmt::format("{} computed {:.9g} where the CPU computes {:.9g}", first.label,
                                  worst->computed, worst->again)
                    : fmt::format("{} masks other cells than the CPU", first.label);
    tell(m_wrong);
    m_unchecked.clear();
    return Recheck::wrong;
}

}  // namespace phaseladder
