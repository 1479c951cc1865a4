#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "core/attention/backend.h"
#include "core/attention/guarded_backend.h"

namespace phaseladder {

/// Where a person wants attention to run. Automatic: small maps in double precision, large ones wherever they
/// are fastest.
enum class BackendChoice {
    automatic,
    reference,
    cpu,
    gpu,
    gpuFirst,  ///< the GPU computes everything, small maps too; without one it is automatic
};

/// Up to this many scores (heads × queries × keys) are computed in double precision where the choice is free.
inline constexpr std::int64_t mostReferenceScores = 65536;

/// The hidden states of longer texts are computed in single precision where the choice is free.
inline constexpr std::int64_t mostReferenceStates = 1024;

/// "CPU (2 threads)".
[[nodiscard]] std::string processorText();

/// "CPU (2 threads) · float32": where attention ran and in which precision, for the status line.
[[nodiscard]] std::string whatRan(const BackendInfo& info);

/// All backends of a program, and which one computes what. A GPU is guarded (GuardedBackend): the CPU stands
/// behind it.
class Backends {
public:
    /// Reference, CPU and, where the program has one, a GPU; null: none. Whether it is available is asked
    /// when it is needed first.
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

    /// The GPU as it is now; none where the program has none.
    [[nodiscard]] std::optional<BackendInfo> gpuInfo() const;
    /// Another one in its place; null: none.
    void replaceGpu(std::unique_ptr<Backend> gpu);
    void tryGpuAgain();
    /// What went wrong with it since the last call, a sentence each.
    [[nodiscard]] std::vector<std::string> takeNotices();
    /// Computes some of what it computed again, a piece a call.
    [[nodiscard]] Recheck recheck(std::stop_token stop);
    [[nodiscard]] bool hasUnchecked() const;

private:
    Backends(std::unique_ptr<Backend> reference, std::unique_ptr<Backend> cpu, std::unique_ptr<Backend> gpu);
    /// The one that everything is computed by; null: by what is best for it.
    [[nodiscard]] Backend* chosen() const;
    [[nodiscard]] Backend& fastest() const;
    [[nodiscard]] bool hasGpu() const { return m_gpu != nullptr && m_gpu->info().available; }

    std::unique_ptr<Backend> m_reference, m_cpu;
    std::unique_ptr<GuardedBackend> m_gpu;
    BackendChoice m_choice = BackendChoice::automatic;
};

}  // namespace phaseladder
