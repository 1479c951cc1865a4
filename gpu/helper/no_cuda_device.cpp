#include <dlfcn.h>

#include "gpu/helper/cuda_device.h"

namespace phaseladder::gpu {
namespace {

constexpr DeviceCode noDriverCode = 35;

/// 0 where there is no driver.
int installedDriver() {
    int version = 0;
    void* const library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (library == nullptr) {
        return version;
    }
    using GetVersion = int (*)(int*);
    const auto getVersion = reinterpret_cast<GetVersion>(dlsym(library, "cuDriverGetVersion"));
    if (getVersion == nullptr || getVersion(&version) != 0) {
        version = 0;
    }
    dlclose(library);
    return version;
}

}  // namespace

DeviceCalls makeCudaDevice() {
    const auto refuse = [](const auto&...) { return noToolkitCode; };
    DeviceCalls calls;
    calls.driverVersion = [](int& version) {
        version = installedDriver();
        return 0;
    };
    calls.runtimeVersion = [](int& version) {
        version = 0;
        return 0;
    };
    calls.deviceCount = [](int& count) {
        count = 0;
        return installedDriver() == 0 ? noDriverCode : noToolkitCode;
    };
    calls.properties = refuse;
    calls.freeMemory = refuse;
    calls.allocate = refuse;
    calls.release = refuse;
    calls.upload = refuse;
    calls.download = refuse;
    calls.clear = refuse;
    calls.launch = refuse;
    calls.query = refuse;
    calls.startClock = refuse;
    calls.readClock = refuse;
    return calls;
}

}  // namespace phaseladder::gpu
