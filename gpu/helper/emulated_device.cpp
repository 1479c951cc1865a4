#include "gpu/helper/emulated_device.h"

#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "gpu/kernels.cuh"

namespace phaseladder::gpu {
namespace {

using Clock = std::chrono::steady_clock;
constexpr DeviceCode noMemoryCode = 2;

/// Runs a kernel with the threads of a block that it is written for.
struct Runner {
    Grid grid;
    BlockOrder order;

    void operator()(const PhaseTableArguments& table) const {
        plain([&] { fillPhaseTable(table); });
    }
    void operator()(const TurnRowsArguments& turn) const {
        plain([&] { turnRows(turn); });
    }
    void operator()(const ScoreColumnsArguments& scores) const {
        tiles([&] { scoreColumns(scores); });
    }
    void operator()(const TensorScoresArguments& scores) const {
        tiles([&] { scoreColumnsTensor(scores); });
    }
    void operator()(const SumRowsArguments& rows) const {
        plain([&] { sumRows(rows); });
    }
    void operator()(const PoolColumnsArguments& pool) const {
        plain([&] { poolColumns(pool); });
    }
    void operator()(const HiddenStatesArguments& hidden) const {
        tiles([&] { hiddenStates(hidden); });
    }
    void operator()(const RelativeProductsArguments& products) const {
        tiles([&] { relativeProducts(products); });
    }
    void operator()(const RelativeTableArguments& table) const {
        plain([&] { relativeTable(table); });
    }
    void operator()(const OrdersArguments& orders) const {
        plain([&] { orderDifferences(orders); });
    }

private:
    void plain(const std::function<void()>& kernel) const { runBlocks(grid, plainThreads, order, kernel); }
    void tiles(const std::function<void()>& kernel) const { runBlocks(grid, tileThreads, order, kernel); }
};

/// What a stream of CUDA is to its program: launches run one after the other, beside it.
class LaunchQueue {
public:
    explicit LaunchQueue(BlockOrder order)
        : m_order(order), m_thread([this](const std::stop_token& stop) { run(stop); }) {}

    void add(const KernelArguments& kernel, Grid grid) {
        {
            const std::lock_guard lock(m_mutex);
            m_launches.push_back({kernel, grid});
        }
        m_changed.notify_all();
    }

    [[nodiscard]] bool isDone() {
        const std::lock_guard lock(m_mutex);
        return m_launches.empty();
    }

    void wait() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_launches.empty(); });
    }

    void startClock() {
        const std::lock_guard lock(m_mutex);
        m_busy = {};
    }

    /// How long launches took since then.
    double milliseconds() {
        wait();
        const std::lock_guard lock(m_mutex);
        return std::chrono::duration<double, std::milli>(m_busy).count();
    }

private:
    struct Launch {
        KernelArguments kernel;
        Grid grid;
    };

    void run(const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        while (m_changed.wait(lock, stop, [this] { return !m_launches.empty(); })) {
            const Launch launch = m_launches.front();
            lock.unlock();
            const Clock::time_point begin = Clock::now();
            std::visit(Runner{launch.grid, m_order}, launch.kernel);
            lock.lock();
            m_busy += Clock::now() - begin;
            m_launches.pop_front();  // only now, so that an empty queue is one that is done
            m_changed.notify_all();
        }
    }

    BlockOrder m_order;
    std::mutex m_mutex;  // guards what follows
    std::condition_variable_any m_changed;
    std::deque<Launch> m_launches;
    Clock::duration m_busy{};
    std::jthread m_thread;  // ends before what it uses
};

std::uint64_t memoryOf(int name) {
    return static_cast<std::uint64_t>(sysconf(name)) * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

DeviceCode describe(DeviceProperties& properties) {
    properties.name = "emulated GPU";
    properties.memoryBytes = memoryOf(_SC_PHYS_PAGES);
    properties.capabilityMajor = 8;
    properties.productsPerSecond = 5e6;
    return 0;
}

DeviceCode reserve(void*& at, std::size_t bytes) {
    constexpr std::size_t alignment = 256;
    at = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    return at == nullptr ? noMemoryCode : 0;
}

}  // namespace

DeviceCalls makeEmulatedDevice(BlockOrder order) {
    const auto queue = std::make_shared<LaunchQueue>(order);
    const auto copy = [queue](void* to, const void* from, std::size_t bytes) {
        queue->wait();
        std::memcpy(to, from, bytes);
        return 0;
    };
    const auto answer = [](int number) {
        return [number](int& to) {
            to = number;
            return 0;
        };
    };
    DeviceCalls calls;
    calls.driverVersion = calls.runtimeVersion = answer(13000);
    calls.deviceCount = answer(1);
    calls.properties = describe;
    calls.freeMemory = [](std::uint64_t& bytes) {
        bytes = memoryOf(_SC_AVPHYS_PAGES);
        return 0;
    };
    calls.allocate = reserve;
    calls.release = [queue](void* at) {
        queue->wait();
        std::free(at);
        return 0;
    };
    calls.upload = calls.download = copy;
    calls.clear = [queue](void* at, std::size_t bytes) {
        queue->wait();
        std::memset(at, 0, bytes);
        return 0;
    };
    calls.launch = [queue](const KernelArguments& kernel, Grid grid) {
        queue->add(kernel, grid);
        return 0;
    };
    calls.query = [queue](bool& isDone) {
        isDone = queue->isDone();
        return 0;
    };
    calls.startClock = [queue] {
        queue->startClock();
        return 0;
    };
    calls.readClock = [queue](double& milliseconds) {
        milliseconds = queue->milliseconds();
        return 0;
    };
    calls.isEmulated = true;
    calls.launchSeconds = 1.0;
    calls.deadlineSeconds = 600.0;  // a sanitizer may make it slow
    return calls;
}

}  // namespace phaseladder::gpu
