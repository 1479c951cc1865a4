#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"

namespace phaseladder {

// An order of n tokens: position i holds token order[i], each of 0 .. n-1 once.

[[nodiscard]] std::vector<int> identityOrder(int count);
[[nodiscard]] bool isIdentityOrder(std::span<const int> order);
[[nodiscard]] std::vector<int> reversedOrder(int count);
/// Every token one place on, the last one first.
[[nodiscard]] std::vector<int> rotatedOrder(int count);
/// Fisher-Yates with the portable generator: the same seed gives the same order everywhere.
[[nodiscard]] std::vector<int> shuffledOrder(int count, std::uint64_t seed);

/// n! of at most 20 tokens.
[[nodiscard]] std::int64_t orderCount(int count);
/// Place of an order (a permutation of at most 20) among all n! in lexicographic order, from 0 (the
/// identity).
[[nodiscard]] std::int64_t orderRank(std::span<const int> order);
/// The order at a place 0 .. orderCount(count) - 1.
[[nodiscard]] std::vector<int> orderOfRank(int count, std::int64_t rank);

/// "Not a permutation of 0..2: 2 appears twice, 0 is missing." where it is none.
[[nodiscard]] Result<void> checkPermutation(std::span<const int> order, int count);

/// The order that arranges the result of `first` by `second`: position i holds first[second[i]]. Same length.
[[nodiscard]] std::vector<int> composedOrder(std::span<const int> first, std::span<const int> second);

/// inverse[order[i]] = i: the position of each token.
[[nodiscard]] std::vector<int> inverseOrder(std::span<const int> order);

/// Cycle notation, each cycle from its smallest member, without fixed points: "(0 2 1)(3 4)"; "identity" when
/// nothing moves. (0 2 1) says: position 0 holds token 2, position 2 holds token 1, position 1 holds token 0.
/// The order must be a permutation.
[[nodiscard]] std::string cyclesText(std::span<const int> order);

}  // namespace phaseladder
