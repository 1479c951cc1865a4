#pragma once

#include <QString>

#include "core/attention/backends.h"
#include "core/result.h"

namespace phaseladder::app {

/// What --backend and --helper say.
struct BackendOptions {
    QString backend = QStringLiteral("auto");  ///< auto, reference, cpu or gpu
    QString helper{};                          ///< empty: phaseladder-gpu
};

/// The backends of a command. It waits for the GPU's helper where one is needed. Error: unavailable, where
/// the GPU is asked for by name and is not there.
[[nodiscard]] Result<Backends> chooseBackends(const BackendOptions& options);

}  // namespace phaseladder::app
