#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/attention/backend.h"

namespace phaseladder {

/// Where a person wants attention to run. Automatic: small maps in double precision, large ones wherever they
/// are fastest.
enum class BackendChoice { automatic, reference, cpu, gpu };

/// Up to this many scores (heads × queries × keys) are computed in double precision where the choice is free.
inline constexpr std::int64_t mostReferenceScores = 65536;

/// The hidden states of longer texts are computed in single precision where the choice is free.
inline constexpr std::int64_t mostReferenceStates = 1024;

/// "CPU (2 threads) · float32": where attention ran and in which precision, for the status line.
[[nodiscard]] std::string whatRan(const BackendInfo& info);

/// All backends of a program, and which one computes what.
class Backends {
public:
    /// Reference, CPU and, where the program has one, a GPU; null: none.
    explicit Backends(std::unique_ptr<Backend> gpu = nullptr);
    /// One that computes everything.
    [[nodiscard]] static Backends only(std::unique_ptr<Backend> backend);

    /// From now on. Refuses a backend that is not available with its reason (ErrorKind::unavailable).
    [[nodiscard]] Result<void> choose(BackendChoice choice);

    /// The one for a map of this many scores (heads × queries × keys of the whole map, so that every part of
    /// one map is computed in the same way).
    [[nodiscard]] Backend& forScores(double scores) const;
    /// The one for hidden states of a text.
    [[nodiscard]] Backend& forStates(std::int64_t tokens) const;

    /// All there are, in the order of the lists.
    [[nodiscard]] std::vector<BackendInfo> infos() const;

private:
    Backends(std::unique_ptr<Backend> reference, std::unique_ptr<Backend> cpu, std::unique_ptr<Backend> gpu);
    [[nodiscard]] Backend& fastest() const;

    std::unique_ptr<Backend> m_reference, m_cpu, m_gpu;
    Backend* m_chosen = nullptr;  // null: the choice is free
    bool m_hasGpu = false;        // one that is available
};

}  // namespace phaseladder
