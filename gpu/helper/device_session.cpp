#include "gpu/helper/device_session.h"

#include <chrono>
#include <cstdlib>
#include <thread>

namespace phaseladder::gpu {
namespace {

using Clock = std::chrono::steady_clock;

/// What a device is lost by, by the codes of driver_types.h.
const char* causeOf(DeviceCode code) {
    switch (code) {
        case 214:
            return "an uncorrectable memory error";
        case 700:
            return "an illegal memory access";
        case 714:
            return "a stack error on the device";
        case 715:
            return "an illegal instruction";
        case 716:
            return "a misaligned address";
        case 717:
            return "an invalid address space";
        case 718:
            return "an invalid program counter";
        case 719:
            return "a failed launch";
        default:
            return "an error";
    }
}

std::string versionText(int version) {
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::string mebibytes(std::uint64_t bytes) {
    return std::to_string((bytes + (1U << 20U) - 1) >> 20U) + " MiB";
}

std::string noDeviceReason() {
    const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");  // NOLINT: one thread asks
    return visible == nullptr
               ? "no GPU found"
               : "no GPU found: CUDA_VISIBLE_DEVICES=\"" + std::string(visible) + "\" hides it";
}

/// A launch of the last microseconds is looked at without sleeping.
void rest(Clock::duration waited) {
    if (waited < std::chrono::milliseconds(2)) {
        std::this_thread::yield();
    } else {
        std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
}

}  // namespace

DeviceSession::DeviceSession(DeviceCalls calls) : m_calls(std::move(calls)) {}

bool DeviceSession::isLost() const {
    return m_fault && m_fault->state != HelperState::outOfMemory && m_fault->state != HelperState::cancelled;
}

void DeviceSession::goOn() {
    if (!isLost()) {
        m_fault.reset();
    }
}

void DeviceSession::fail(DeviceFault fault) {
    if (!m_fault) {
        m_fault = std::move(fault);
    }
}

DeviceFault DeviceSession::faultOf(DeviceCode code, const char* doing) const {
    const std::string number = "CUDA " + std::to_string(code);
    const std::string device = m_properties.name.empty() ? "the GPU" : m_properties.name;
    switch (code) {
        case noToolkitCode:
            return {HelperState::noToolkit, "the GPU helper was built without CUDA"};
        case 2:
            return {HelperState::outOfMemory, device + " has not enough memory"};
        case 35:
            return m_driverVersion == 0
                       ? DeviceFault{HelperState::noDriver, "no NVIDIA driver found"}
                       : DeviceFault{HelperState::driverTooOld,
                                     "the NVIDIA driver is too old: it offers CUDA " +
                                         versionText(m_driverVersion) + ", and " +
                                         (m_runtimeVersion == 0 ? "13.0" : versionText(m_runtimeVersion)) +
                                         " (driver 580 or newer) is needed"};
        case 46:
            return {HelperState::deviceBusy, device + " is in use by another program (" + number + ")"};
        case 100:
            return {HelperState::noDevice, noDeviceReason()};
        case 209:
        case 222:
            return {HelperState::deviceTooOld, device + " cannot run the kernels: compute capability " +
                                                   std::to_string(m_properties.capabilityMajor) + "." +
                                                   std::to_string(m_properties.capabilityMinor) +
                                                   " found, 7.5 or above needed (" + number + ")"};
        case 702:
            return {HelperState::launchTimedOut, "the display's watchdog ended a launch (" + number + ")"};
        case 803:
            return {HelperState::driverMismatch,
                    "the NVIDIA driver and its library differ, as after an upgrade (" + number + ")"};
        default:
            return {HelperState::deviceLost,
                    "the GPU was lost by " + std::string(causeOf(code)) + " (" + number + ", " + doing + ")"};
    }
}

bool DeviceSession::check(DeviceCode code, const char* doing) {
    if (code != 0) {
        fail(faultOf(code, doing));
    }
    return code == 0;
}

void DeviceSession::open() {
    constexpr int oldestCapability = 75;
    int devices = 0;
    if (!check(m_calls.driverVersion(m_driverVersion), "driver version") ||
        !check(m_calls.runtimeVersion(m_runtimeVersion), "runtime version") ||
        !check(m_calls.deviceCount(devices), "count of devices")) {
        return;
    }
    if (devices == 0) {
        check(100, "count of devices");
        return;
    }
    if (check(m_calls.properties(m_properties), "properties") &&
        m_properties.capabilityMajor * 10 + m_properties.capabilityMinor < oldestCapability) {
        check(209, "properties");
    }
}

std::uint64_t DeviceSession::freeMemory() {
    std::uint64_t bytes = 0;
    if (isGood()) {
        check(m_calls.freeMemory(bytes), "free memory");
    }
    return bytes;
}

double DeviceSession::productsOfLaunch() const {
    return m_properties.productsPerSecond * m_calls.launchSeconds;
}

void* DeviceSession::allocate(std::size_t bytes) {
    void* at = nullptr;
    if (!isGood()) {
        return nullptr;
    }
    const DeviceCode code = m_calls.allocate(at, bytes);
    if (code == 0) {
        return at;
    }
    DeviceFault fault = faultOf(code, "allocation");
    if (fault.state == HelperState::outOfMemory) {
        std::uint64_t left = 0;
        fault.reason += ": " + mebibytes(bytes) + " needed at once, " +
                        (m_calls.freeMemory(left) == 0 ? mebibytes(left) : std::string("less")) + " free";
    }
    fail(std::move(fault));
    return nullptr;
}

void DeviceSession::release(void* at) {
    if (!isLost()) {
        (void)m_calls.release(at);
    }
}

void DeviceSession::uploadBytes(void* to, const void* from, std::size_t bytes) {
    if (isGood() && bytes > 0) {
        check(m_calls.upload(to, from, bytes), "upload");
    }
}

void DeviceSession::downloadBytes(void* to, const void* from, std::size_t bytes) {
    if (isGood() && bytes > 0) {
        check(m_calls.download(to, from, bytes), "download");
    }
}

void DeviceSession::clearBytes(void* at, std::size_t bytes) {
    if (isGood() && bytes > 0) {
        check(m_calls.clear(at, bytes), "clearing");
    }
}

void DeviceSession::launch(const KernelArguments& kernel, Grid grid) {
    if (isGood() && grid.x > 0 && grid.y > 0) {
        check(m_calls.launch(kernel, grid), "launch");
    }
}

void DeviceSession::wait(const std::function<void()>& meanwhile) {
    const Clock::time_point begin = Clock::now();
    bool isDone = false;
    while (isGood() && check(m_calls.query(isDone), "launch") && !isDone) {
        const Clock::duration waited = Clock::now() - begin;
        if (waited > std::chrono::duration<double>(m_calls.deadlineSeconds)) {
            fail({HelperState::hung, "a launch did not end within " +
                                         std::to_string(static_cast<int>(m_calls.deadlineSeconds)) + " s"});
            return;
        }
        meanwhile();
        rest(waited);
    }
}

void DeviceSession::startClock() {
    if (isGood()) {
        check(m_calls.startClock(), "clock");
    }
}

double DeviceSession::milliseconds() {
    double passed = 0.0;
    if (isGood()) {
        check(m_calls.readClock(passed), "clock");
    }
    return passed;
}

}  // namespace phaseladder::gpu
