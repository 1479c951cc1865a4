#include "core/attention/permutations.h"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/random.h"

namespace phaseladder {
namespace {

/// More faults than this are counted, not listed.
constexpr std::size_t listedFaults = 4;

std::string timesText(int times) {
    return times == 2 ? "twice" : fmt::format("{} times", times);
}

/// What is wrong with an order, in reading order: strangers and repeats first, then what is missing.
std::vector<std::string> faultsOf(std::span<const int> order, int count) {
    std::vector<int> uses(static_cast<std::size_t>(count), 0);
    std::vector<std::string> faults;
    for (const int token : order) {
        if (token >= 0 && token < count) {
            ++uses[static_cast<std::size_t>(token)];
        } else {
            faults.push_back(fmt::format("{} is outside", token));
        }
    }
    for (int token = 0; token < count; ++token) {
        if (const int times = uses[static_cast<std::size_t>(token)]; times > 1) {
            faults.push_back(fmt::format("{} appears {}", token, timesText(times)));
        }
    }
    for (int token = 0; token < count; ++token) {
        if (uses[static_cast<std::size_t>(token)] == 0) {
            faults.push_back(fmt::format("{} is missing", token));
        }
    }
    return faults;
}

}  // namespace

std::vector<int> identityOrder(int count) {
    std::vector<int> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    return order;
}

bool isIdentityOrder(std::span<const int> order) {
    for (std::size_t position = 0; position < order.size(); ++position) {
        if (order[position] != static_cast<int>(position)) {
            return false;
        }
    }
    return true;
}

std::vector<int> reversedOrder(int count) {
    std::vector<int> order = identityOrder(count);
    std::ranges::reverse(order);
    return order;
}

std::vector<int> rotatedOrder(int count) {
    std::vector<int> order = identityOrder(count);
    if (count > 0) {
        std::rotate(order.begin(), order.end() - 1, order.end());
    }
    return order;
}

std::vector<int> shuffledOrder(int count, std::uint64_t seed) {
    std::vector<int> order = identityOrder(count);
    Random random(streamSeed(seed, "shuffle"));
    for (std::size_t last = order.size(); last > 1; --last) {
        std::swap(order[last - 1], order[random.below(last)]);
    }
    return order;
}

std::int64_t orderCount(int count) {
    assert(count >= 0 && count <= 20);
    std::int64_t orders = 1;
    for (int factor = 2; factor <= count; ++factor) {
        orders *= factor;
    }
    return orders;
}

std::int64_t orderRank(std::span<const int> order) {
    std::int64_t rank = 0;
    for (std::size_t place = 0; place < order.size(); ++place) {
        const auto rest = order.subspan(place + 1);
        rank = rank * static_cast<std::int64_t>(order.size() - place) +
               std::ranges::count_if(rest, [&](int token) { return token < order[place]; });
    }
    return rank;
}

std::vector<int> orderOfRank(int count, std::int64_t rank) {
    assert(rank >= 0 && rank < orderCount(count));
    std::vector<int> left = identityOrder(count);
    std::vector<int> order;
    for (int place = 0; place < count; ++place) {
        const std::int64_t block = orderCount(count - place - 1);
        const auto chosen = left.begin() + rank / block;
        order.push_back(*chosen);
        left.erase(chosen);
        rank %= block;
    }
    return order;
}

Result<void> checkPermutation(std::span<const int> order, int count) {
    std::vector<std::string> faults = faultsOf(order, count);
    if (faults.empty()) {
        return {};
    }
    if (count == 0) {
        return fail(ErrorKind::usage, fmt::format("The text has no tokens, the order has {}.", order.size()));
    }
    if (faults.size() > listedFaults) {
        const std::size_t others = faults.size() - (listedFaults - 1);
        faults.resize(listedFaults - 1);
        faults.push_back(fmt::format("{} more faults", others));
    }
    return fail(ErrorKind::usage,
                fmt::format("Not a permutation of 0..{}: {}.", count - 1, fmt::join(faults, ", ")));
}

std::vector<int> composedOrder(std::span<const int> first, std::span<const int> second) {
    assert(first.size() == second.size());
    std::vector<int> order(second.size());
    std::ranges::transform(second, order.begin(),
                           [&](int position) { return first[static_cast<std::size_t>(position)]; });
    return order;
}

std::vector<int> inverseOrder(std::span<const int> order) {
    std::vector<int> inverse(order.size());
    for (std::size_t position = 0; position < order.size(); ++position) {
        inverse[static_cast<std::size_t>(order[position])] = static_cast<int>(position);
    }
    return inverse;
}

std::string cyclesText(std::span<const int> order) {
    std::vector<bool> seen(order.size(), false);
    std::string text;
    for (std::size_t start = 0; start < order.size(); ++start) {
        std::vector<int> cycle;
        for (std::size_t at = start; !seen[at]; at = static_cast<std::size_t>(order[at])) {
            seen[at] = true;
            cycle.push_back(static_cast<int>(at));
        }
        if (cycle.size() > 1) {
            text += fmt::format("({})", fmt::join(cycle, " "));
        }
    }
    return text.empty() ? "identity" : text;
}

}  // namespace phaseladder
