#include "gpu/helper/cuda_device.h"

#include <cuda_runtime.h>

#include <memory>

#include "gpu/kernels.cuh"

namespace phaseladder::gpu {
namespace {

/// The code of a call. The runtime forgets what it can go on after, so that no launch reports it again.
DeviceCode settled(cudaError_t error) {
    if (error != cudaSuccess) {
        static_cast<void>(cudaGetLastError());
    }
    return error;
}

/// Launches a kernel with the threads of a block that it is written for.
struct Launcher {
    Grid grid;

    DeviceCode operator()(const PhaseTableArguments& table) const {
        return launch(fillPhaseTable, plainThreads, table);
    }
    DeviceCode operator()(const TurnRowsArguments& turn) const {
        return launch(turnRows, plainThreads, turn);
    }
    DeviceCode operator()(const ScoreColumnsArguments& scores) const {
        return launch(scoreColumns, tileThreads, scores);
    }
    DeviceCode operator()(const TensorScoresArguments& scores) const {
        return launch(scoreColumnsTensor, tileThreads, scores);
    }
    DeviceCode operator()(const SumRowsArguments& rows) const { return launch(sumRows, plainThreads, rows); }
    DeviceCode operator()(const PoolColumnsArguments& pool) const {
        return launch(poolColumns, plainThreads, pool);
    }
    DeviceCode operator()(const HiddenStatesArguments& hidden) const {
        return launch(hiddenStates, tileThreads, hidden);
    }
    DeviceCode operator()(const RelativeProductsArguments& products) const {
        return launch(relativeProducts, tileThreads, products);
    }
    DeviceCode operator()(const RelativeTableArguments& table) const {
        return launch(relativeTable, plainThreads, table);
    }
    DeviceCode operator()(const OrdersArguments& orders) const {
        return launch(orderDifferences, plainThreads, orders);
    }

private:
    template <class Arguments>
    DeviceCode launch(void (*kernel)(Arguments), int threads, const Arguments& arguments) const {
        kernel<<<dim3(grid.x, grid.y), static_cast<unsigned>(threads)>>>(arguments);
        return settled(cudaGetLastError());
    }
};

/// The time between two events.
class EventClock {
public:
    EventClock() = default;
    EventClock(const EventClock&) = delete;
    EventClock& operator=(const EventClock&) = delete;
    ~EventClock() {
        for (cudaEvent_t event : {m_begin, m_end}) {
            if (event != nullptr) {
                cudaEventDestroy(event);
            }
        }
    }

    cudaError_t start() {
        for (cudaEvent_t* event : {&m_begin, &m_end}) {
            const cudaError_t error = *event == nullptr ? cudaEventCreate(event) : cudaSuccess;
            if (error != cudaSuccess) {
                return error;
            }
        }
        return cudaEventRecord(m_begin);
    }

    cudaError_t read(double& milliseconds) {
        float elapsed = 0.0f;
        cudaError_t error = cudaEventRecord(m_end);
        if (error == cudaSuccess) {
            error = cudaEventSynchronize(m_end);
        }
        if (error == cudaSuccess) {
            error = cudaEventElapsedTime(&elapsed, m_begin, m_end);
        }
        milliseconds = elapsed;
        return error;
    }

private:
    cudaEvent_t m_begin = nullptr, m_end = nullptr;
};

/// Memory from the device's pool, where it has one: what is given back stays with the process for the next
/// who asks, since windows of a map come and go many times a second, and the driver takes long for each
/// piece.
struct Memory {
    bool isPooled = false;

    /// Once the device is in use.
    void keepPool() {
        int isSupported = 0;
        cudaMemPool_t pool = nullptr;
        std::uint64_t keptBytes = UINT64_MAX;
        isPooled = settled(cudaDeviceGetAttribute(&isSupported, cudaDevAttrMemoryPoolsSupported, 0)) == 0 &&
                   isSupported != 0 && settled(cudaDeviceGetDefaultMemPool(&pool, 0)) == 0 &&
                   settled(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keptBytes)) == 0;
    }
    DeviceCode allocate(void*& at, std::size_t bytes) const {
        return settled(isPooled ? cudaMallocAsync(&at, bytes, nullptr) : cudaMalloc(&at, bytes));
    }
    DeviceCode release(void* at) const {
        return settled(isPooled ? cudaFreeAsync(at, nullptr) : cudaFree(at));
    }
};

DeviceCode describe(DeviceProperties& properties) {
    cudaDeviceProp device{};
    int kilohertz = 0;
    cudaError_t error = cudaGetDeviceProperties(&device, 0);
    if (error == cudaSuccess) {
        error = cudaSetDevice(0);
    }
    if (error == cudaSuccess) {
        error = cudaDeviceGetAttribute(&kilohertz, cudaDevAttrClockRate, 0);
    }
    if (error != cudaSuccess) {
        return settled(error);
    }
    constexpr double productsPerCycle = 128.0, shareReached = 0.5;  // of a multiprocessor
    properties.name = device.name;
    properties.memoryBytes = device.totalGlobalMem;
    properties.capabilityMajor = device.major;
    properties.capabilityMinor = device.minor;
    properties.multiprocessors = device.multiProcessorCount;
    properties.productsPerSecond =
        device.multiProcessorCount * productsPerCycle * kilohertz * 1000.0 * shareReached;
    return 0;
}

DeviceCode freeMemory(std::uint64_t& bytes) {
    std::size_t free = 0, total = 0;
    const cudaError_t error = cudaMemGetInfo(&free, &total);
    bytes = free;
    return settled(error);
}

DeviceCode clear(void* at, std::size_t bytes) {
    const cudaError_t error = cudaMemset(at, 0, bytes);  // returns before it is done
    return settled(error == cudaSuccess ? cudaStreamSynchronize(nullptr) : error);
}

DeviceCode query(bool& isDone) {
    const DeviceCode code = settled(cudaStreamQuery(nullptr));
    isDone = code != cudaErrorNotReady;
    return isDone ? code : 0;
}

}  // namespace

DeviceCalls makeCudaDevice() {
    const auto clock = std::make_shared<EventClock>();
    const auto memory = std::make_shared<Memory>();
    const auto copy = [](cudaMemcpyKind kind) {
        return [kind](void* to, const void* from, std::size_t bytes) {
            return settled(cudaMemcpy(to, from, bytes, kind));
        };
    };
    DeviceCalls calls;
    calls.driverVersion = [](int& version) { return settled(cudaDriverGetVersion(&version)); };
    calls.runtimeVersion = [](int& version) { return settled(cudaRuntimeGetVersion(&version)); };
    calls.deviceCount = [](int& count) { return settled(cudaGetDeviceCount(&count)); };
    calls.properties = [memory](DeviceProperties& properties) {
        const DeviceCode code = describe(properties);
        if (code == 0) {
            memory->keepPool();
        }
        return code;
    };
    calls.freeMemory = freeMemory;
    calls.allocate = [memory](void*& at, std::size_t bytes) { return memory->allocate(at, bytes); };
    calls.release = [memory](void* at) { return memory->release(at); };
    calls.upload = copy(cudaMemcpyHostToDevice);
    calls.download = copy(cudaMemcpyDeviceToHost);
    calls.clear = clear;
    calls.launch = [](const KernelArguments& kernel, Grid grid) {
        return std::visit(Launcher{grid}, kernel);
    };
    calls.query = query;
    calls.startClock = [clock] { return settled(clock->start()); };
    calls.readClock = [clock](double& milliseconds) { return settled(clock->read(milliseconds)); };
    return calls;
}

}  // namespace phaseladder::gpu
