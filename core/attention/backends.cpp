#include "core/attention/backends.h"

#include <utility>

#include <fmt/format.h>

#include "core/threads.h"

namespace phaseladder {

std::string processorText() {
    const int threads = threadCount();
    return fmt::format("CPU ({} {})", threads, threads == 1 ? "thread" : "threads");
}

std::string whatRan(const BackendInfo& info) {
    const std::string place = info.id == "reference" ? "CPU"
                              : info.id == "cpu"     ? processorText()
                                                     : info.label;
    return place + (info.isDouble ? " · double" : " · float32");
}

Backends::Backends(std::unique_ptr<Backend> gpu)
    : Backends(makeReferenceBackend(), makeCpuBackend(), std::move(gpu)) {}

Backends::Backends(std::unique_ptr<Backend> reference, std::unique_ptr<Backend> cpu,
                   std::unique_ptr<Backend> gpu)
    : m_reference(std::move(reference)), m_cpu(std::move(cpu)) {
    replaceGpu(std::move(gpu));
}

Backends Backends::only(std::unique_ptr<Backend> backend) {
    Backends one(std::move(backend), nullptr, nullptr);
    one.m_choice = BackendChoice::reference;
    return one;
}

Result<void> Backends::choose(BackendChoice choice) {
    if (choice == BackendChoice::gpu) {
        if (m_gpu == nullptr) {
            return fail(ErrorKind::unavailable, "this program has no GPU backend");
        }
        if (const BackendInfo info = m_gpu->info(); !info.available) {
            return fail(ErrorKind::unavailable, info.reason);
        }
    }
    m_choice = choice;
    return {};
}

Backend* Backends::chosen() const {
    switch (m_choice) {
        case BackendChoice::reference:
            return m_reference.get();
        case BackendChoice::cpu:
            return m_cpu.get();
        case BackendChoice::gpu:
            return m_gpu.get();
        case BackendChoice::gpuFirst:
            return hasGpu() ? m_gpu.get() : nullptr;
        case BackendChoice::automatic:
            break;
    }
    return nullptr;
}

Backend& Backends::fastest() const {
    return hasGpu() ? *m_gpu : *m_cpu;
}

Backend& Backends::forScores(double scores) const {
    if (Backend* all = chosen()) {
        return *all;
    }
    return scores <= static_cast<double>(mostReferenceScores) ? *m_reference : fastest();
}

Backend& Backends::forStates(std::int64_t tokens) const {
    if (Backend* all = chosen()) {
        return *all;
    }
    return tokens <= mostReferenceStates ? *m_reference : fastest();
}

std::vector<BackendInfo> Backends::infos() const {
    std::vector<BackendInfo> infos{m_reference->info()};
    if (m_cpu != nullptr) {
        infos.push_back(m_cpu->info());
    }
    if (m_gpu != nullptr) {
        infos.push_back(m_gpu->info());
    }
    return infos;
}

std::optional<BackendInfo> Backends::gpuInfo() const {
    return m_gpu != nullptr ? std::optional(m_gpu->info()) : std::nullopt;
}

void Backends::replaceGpu(std::unique_ptr<Backend> gpu) {
    m_gpu = gpu != nullptr && m_cpu != nullptr ? std::make_unique<GuardedBackend>(std::move(gpu), *m_cpu)
                                               : nullptr;
}

void Backends::tryGpuAgain() {
    if (m_gpu != nullptr) {
        m_gpu->tryAgain();
    }
}

std::vector<std::string> Backends::takeNotices() {
    return m_gpu != nullptr ? m_gpu->takeNotices() : std::vector<std::string>();
}

bool Backends::hasUnchecked() const {
    return m_gpu != nullptr && m_gpu->hasUnchecked();
}

Recheck Backends::recheck(std::stop_token stop) {
    return m_gpu != nullptr ? m_gpu->recheck(std::move(stop)) : Recheck::done;
}

}  // namespace phaseladder
