#include "tests/gpu/check/own_device.h"

#include <algorithm>
#include <chrono>

#include "gpu/helper/cuda_device.h"
#include "gpu/helper/emulated_device.h"

namespace phaseladder::tests {
namespace {

constexpr std::uint64_t chunkBytes = std::uint64_t{256} << 20U;  // as the helper's conversation begins

gpu::DeviceCalls deviceOf(const std::vector<std::string>& helper) {
    return std::ranges::find(helper, "--emulate") == helper.end()
               ? gpu::makeCudaDevice()
               : gpu::makeEmulatedDevice(gpu::BlockOrder::forward);
}

}  // namespace

OwnDevice::OwnDevice(const std::vector<std::string>& helper)
    : m_session(deviceOf(helper)), m_hello(gpu::probeDevice(m_session, [] {})), m_store(m_session) {}

Result<gpu::ResultMessage> OwnDevice::run(const gpu::RunMessage& message) {
    const gpu::RunWatch nobody{[] { return false; }, [](std::int64_t, std::int64_t) {}};
    gpu::ResultMessage result;
    if (gpu::DeviceProblem* problem = m_store.find(message.problem, [] {})) {
        const auto begin = std::chrono::steady_clock::now();
        result = gpu::runAttention(m_session, *problem, message, nobody, chunkBytes);
        const auto passed = std::chrono::steady_clock::now() - begin;
        m_wallMilliseconds = std::chrono::duration<double, std::milli>(passed).count();
    } else if (m_session.isGood()) {
        return fail(ErrorKind::failed, "the problem is not there");
    }
    if (!m_session.isGood()) {
        return fail(ErrorKind::failed, m_session.fault()->reason);
    }
    return result;
}

}  // namespace phaseladder::tests
