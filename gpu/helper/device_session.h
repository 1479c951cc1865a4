#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "gpu/helper/device_calls.h"
#include "gpu/protocol/messages.h"

namespace phaseladder::gpu {

/// Why a device computes nothing, or why it has no result.
struct DeviceFault {
    HelperState state = HelperState::deviceLost;
    std::string reason;  ///< one sentence without a full stop, with what was seen

    friend bool operator==(const DeviceFault&, const DeviceFault&) = default;
};

class DeviceSession;

/// Numbers in device memory. Empty where there was no room, and then the session has failed.
template <class T>
class DeviceArray {
public:
    DeviceArray() = default;
    DeviceArray(DeviceSession& session, std::size_t count);
    DeviceArray(DeviceArray&& other) noexcept { swap(other); }
    DeviceArray& operator=(DeviceArray&& other) noexcept {
        swap(other);
        return *this;
    }
    DeviceArray(const DeviceArray&) = delete;
    DeviceArray& operator=(const DeviceArray&) = delete;
    ~DeviceArray();

    /// In device memory; null where it is empty.
    [[nodiscard]] T* data() const { return m_at; }
    [[nodiscard]] std::size_t size() const { return m_count; }

private:
    void swap(DeviceArray& other) noexcept {
        std::swap(m_session, other.m_session);
        std::swap(m_at, other.m_at);
        std::swap(m_count, other.m_count);
    }

    DeviceSession* m_session = nullptr;
    T* m_at = nullptr;
    std::size_t m_count = 0;
};

/// A device in use. The first call that goes wrong is noted as the session's fault, and from then on every
/// call does nothing, so that a row of calls is checked once, at its end. Where the device itself goes on
/// (no memory), goOn() clears the fault; a lost device is never called again, not even to free its memory.
class DeviceSession {
public:
    explicit DeviceSession(DeviceCalls calls);

    [[nodiscard]] bool isGood() const { return !m_fault; }
    [[nodiscard]] const std::optional<DeviceFault>& fault() const { return m_fault; }
    /// Whether the device can be called no more.
    [[nodiscard]] bool isLost() const;
    /// After a fault with which the device goes on.
    void goOn();
    /// Notes a fault that is none of a call.
    void fail(DeviceFault fault);

    /// Asks for the driver, the device and its properties; once, before everything else.
    void open();
    [[nodiscard]] const DeviceProperties& properties() const { return m_properties; }
    [[nodiscard]] int driverVersion() const { return m_driverVersion; }
    [[nodiscard]] int runtimeVersion() const { return m_runtimeVersion; }
    [[nodiscard]] bool isEmulated() const { return m_calls.isEmulated; }
    [[nodiscard]] std::uint64_t freeMemory();
    /// Numbers that are multiplied and added in the time that a launch may take.
    [[nodiscard]] double productsOfLaunch() const;

    void beginRequest() { m_calls.beginRequest(); }
    [[nodiscard]] void* allocate(std::size_t bytes);
    void release(void* at);
    void launch(const KernelArguments& kernel, Grid grid);
    /// Until all that was launched has ended, calling `meanwhile` again and again; a fault after the
    /// deadline.
    void wait(const std::function<void()>& meanwhile);
    void startClock();
    [[nodiscard]] double milliseconds();  ///< since then, of the device; 0 after a fault

    template <class T>
    [[nodiscard]] DeviceArray<T> upload(std::span<const T> numbers) {
        DeviceArray<T> array(*this, numbers.size());
        uploadBytes(array.data(), numbers.data(), numbers.size_bytes());
        return array;
    }
    template <class T>
    [[nodiscard]] DeviceArray<T> upload(const std::vector<T>& numbers) {
        return upload(std::span<const T>(numbers));
    }
    template <class T>
    void download(const T* from, std::span<T> to) {
        downloadBytes(to.data(), from, to.size_bytes());
    }
    template <class T>
    void clear(const DeviceArray<T>& array) {
        clearBytes(array.data(), array.size() * sizeof(T));
    }

private:
    /// Whether a call went well; else its fault is noted.
    bool check(DeviceCode code, const char* doing);
    [[nodiscard]] DeviceFault faultOf(DeviceCode code, const char* doing) const;
    void uploadBytes(void* to, const void* from, std::size_t bytes);
    void downloadBytes(void* to, const void* from, std::size_t bytes);
    void clearBytes(void* at, std::size_t bytes);

    DeviceCalls m_calls;
    DeviceProperties m_properties;
    int m_driverVersion = 0, m_runtimeVersion = 0;
    std::optional<DeviceFault> m_fault;
};

template <class T>
DeviceArray<T>::DeviceArray(DeviceSession& session, std::size_t count)
    : m_session(&session),
      m_at(count == 0 ? nullptr : static_cast<T*>(session.allocate(count * sizeof(T)))),
      m_count(m_at == nullptr ? 0 : count) {}

template <class T>
DeviceArray<T>::~DeviceArray() {
    if (m_at != nullptr) {
        m_session->release(m_at);
    }
}

}  // namespace phaseladder::gpu
