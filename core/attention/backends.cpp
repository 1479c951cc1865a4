#include "core/attention/backends.h"

#include <utility>

#include <fmt/format.h>

#include "core/threads.h"

namespace phaseladder {

std::string whatRan(const BackendInfo& info) {
    const int threads = threadCount();
    const std::string place = info.id == "reference" ? "CPU"
                              : info.id == "cpu"
                                  ? fmt::format("CPU ({} {})", threads, threads == 1 ? "thread" : "threads")
                                  : info.label;
    return place + (info.isDouble ? " · double" : " · float32");
}

Backends::Backends(std::unique_ptr<Backend> gpu)
    : Backends(makeReferenceBackend(), makeCpuBackend(), std::move(gpu)) {}

Backends::Backends(std::unique_ptr<Backend> reference, std::unique_ptr<Backend> cpu,
                   std::unique_ptr<Backend> gpu)
    : m_reference(std::move(reference)),
      m_cpu(std::move(cpu)),
      m_gpu(std::move(gpu)),
      m_hasGpu(m_gpu != nullptr && m_gpu->info().available) {}

Backends Backends::only(std::unique_ptr<Backend> backend) {
    Backends one(std::move(backend), nullptr, nullptr);
    one.m_chosen = one.m_reference.get();
    return one;
}

Result<void> Backends::choose(BackendChoice choice) {
    Backend* chosen = choice == BackendChoice::reference ? m_reference.get()
                      : choice == BackendChoice::cpu     ? m_cpu.get()
                      : choice == BackendChoice::gpu     ? m_gpu.get()
                                                         : nullptr;
    if (choice != BackendChoice::automatic) {
        if (chosen == nullptr) {
            return fail(ErrorKind::unavailable, "This program has no such backend.");
        }
        if (const BackendInfo info = chosen->info(); !info.available) {
            return fail(ErrorKind::unavailable, info.reason);
        }
    }
    m_chosen = chosen;
    return {};
}

Backend& Backends::fastest() const {
    return m_hasGpu ? *m_gpu : *m_cpu;
}

Backend& Backends::forScores(double scores) const {
    if (m_chosen != nullptr) {
        return *m_chosen;
    }
    return scores <= static_cast<double>(mostReferenceScores) ? *m_reference : fastest();
}

Backend& Backends::forStates(std::int64_t tokens) const {
    if (m_chosen != nullptr) {
        return *m_chosen;
    }
    return tokens <= mostReferenceStates ? *m_reference : fastest();
}

std::vector<BackendInfo> Backends::infos() const {
    std::vector<BackendInfo> infos;
    for (const auto* backend : {&m_reference, &m_cpu, &m_gpu}) {
        if (*backend != nullptr) {
            infos.push_back((*backend)->info());
        }
    }
    return infos;
}

}  // namespace phaseladder
