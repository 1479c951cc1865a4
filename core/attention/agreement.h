#pragma once

#include "core/attention/backend.h"
#include "core/attention/problem.h"

namespace phaseladder {

/// How far the maps of two backends in single precision may be apart: |a - b| ≤ absolute + relative |b|.
struct Agreement {
    double relative = 0.0, absolute = 0.0;
};

/// Each backend is allowed twice the error of plain attention in single precision, so that two of them may be
/// four times that apart. Of the plain one, with unit roundoff u = 2^-24, d channels and n keys:
///   a logit s = scale · q·k + bias misses by at most (d + 8) u S, where S bounds |s| by the longest q and k
///     (8: the turn of both, the scale and the bias; Higham, Accuracy and Stability, section 3.1);
///   a weight e^s / Σ e^s misses by the share of two logits, and of a sum of n numbers, √n u.
[[nodiscard]] Agreement agreementInSingle(const AttentionProblem& problem, ViewValues values);

}  // namespace phaseladder
