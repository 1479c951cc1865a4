#pragma once

#include <cstdint>

#include "core/scene.h"

namespace phaseladder {

/// Whether the scene's encoding is the one of buckets.
[[nodiscard]] bool hasBuckets(const Scene& scene);

/// Whether the scene's buckets tell past from future.
[[nodiscard]] bool isBidirectional(const Scene& scene);

/// T5's bucket of an offset key - query. Bidirectional: half of the buckets a sign, the future's from
/// buckets/2 on; causal: the whole future is in bucket 0. Half of a sign's buckets hold one distance each,
/// the rest share by logarithm up to maximumDistance; larger distances are in the last one. buckets even,
/// ≥ 2. Source: relative_position_bucket of Hugging Face's T5.
[[nodiscard]] int t5Bucket(std::int64_t offset, bool bidirectional, int buckets, int maximumDistance);

/// How many distances of a direction, from 0 on, have a bucket of their own.
[[nodiscard]] int t5ExactDistances(const Scene& scene);

/// The first distance, in the direction of the sign of key - query, from which on all share the last bucket
/// (0 where all distances of that direction are in one).
[[nodiscard]] std::int64_t t5FirstSaturated(const Scene& scene, int sign);

}  // namespace phaseladder
