#pragma once

#include <QString>

#include <chrono>
#include <memory>

#include "core/attention/backend.h"

namespace phaseladder::gpu {

/// Where a GPU is looked for, and when.
struct GpuOptions {
    QString
        command{};  ///< of the helper program, for example "ssh host phaseladder-gpu"; empty: the bundled one
    /// In a thread of its own, so that nobody waits: until it has answered there is no GPU. Else whoever asks
    /// first waits for the answer.
    bool looksInBackground = false;
    /// Without a byte for so long while an answer is waited for, the helper is lost.
    std::chrono::milliseconds silence{5000};
};

/// Attention on a GPU through the helper program `phaseladder-gpu`, which is started when info() is asked
/// first. A helper that crashes, hangs or answers what it was not asked is lost with the sentence that run()
/// then refuses with (ErrorKind::unavailable); the next question starts it once more, after a second loss
/// nothing does but tryAgain(). What has no room on the GPU is refused likewise, and the helper stays.
[[nodiscard]] std::unique_ptr<Backend> makeGpuBackend(GpuOptions options = {});

}  // namespace phaseladder::gpu
