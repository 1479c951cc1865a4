#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>

#include "gpu/kernels/arguments.h"
#include "gpu/kernels/grid.h"

namespace phaseladder::gpu {

/// A kernel with what it is given: what it is given says which one it is.
using KernelArguments =
    std::variant<PhaseTableArguments, TurnRowsArguments, ScoreColumnsArguments, TensorScoresArguments,
                 SumRowsArguments, PoolColumnsArguments, HiddenStatesArguments, RelativeProductsArguments,
                 RelativeTableArguments, OrdersArguments>;

/// A code of the CUDA runtime (driver_types.h), 0 where a call went well.
using DeviceCode = int;
/// What every call but those of versions answers where the helper was built without CUDA; without a driver
/// too, deviceCount answers 35.
inline constexpr DeviceCode noToolkitCode = -1;

struct DeviceProperties {
    std::string name;
    std::uint64_t memoryBytes = 0;
    int capabilityMajor = 0, capabilityMinor = 0;
    double productsPerSecond = 0.0;  ///< roughly, numbers multiplied and added in single precision
    int multiprocessors = 1;
};

/// Everything that the helper asks of a device: of CUDA (cuda_device), of the emulation (emulated_device), or
/// of either with faults (faulty_device). Calls come from one thread. Launches and copies happen in order;
/// upload, download and clear return when they are done, a launch before.
struct DeviceCalls {
    std::function<DeviceCode(int&version)> driverVersion, runtimeVersion;  ///< 13000 is 13.0; 0: no driver
    std::function<DeviceCode(int& count)> deviceCount;
    std::function<DeviceCode(DeviceProperties&)> properties;  ///< of the device 0, which is then in use
    std::function<DeviceCode(std::uint64_t& bytes)> freeMemory;
    std::function<DeviceCode(void*& at, std::size_t bytes)> allocate;
    std::function<DeviceCode(void* at)> release;
    std::function<DeviceCode(void*to, const void*from, std::size_t bytes)> upload, download;
    std::function<DeviceCode(void* at, std::size_t bytes)> clear;  ///< to bytes of 0
    std::function<DeviceCode(const KernelArguments& kernel, Grid grid)> launch;
    std::function<DeviceCode(bool& isDone)> query;              ///< whether all that was launched has ended
    std::function<DeviceCode()> startClock;                     ///< behind what was launched so far
    std::function<DeviceCode(double& milliseconds)> readClock;  ///< since then, by the device; waits for it
    std::function<void()> beginRequest = [] {};                 ///< another one; faults count them
    bool isEmulated = false;
    double launchSeconds = 0.005;  ///< that a launch may take, so that others see the screen meanwhile
    double deadlineSeconds = 5.0;  ///< after which what was launched will not end any more
};

}  // namespace phaseladder::gpu
