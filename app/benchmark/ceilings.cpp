#include "app/benchmark/ceilings.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include <Eigen/Core>

#include "core/attention/packed_product.h"
#include "core/attention/tile_problem.h"
#include "core/random.h"
#include "core/threads.h"

namespace phaseladder::app {
namespace {

constexpr std::size_t memoryFloats = std::size_t(16) << 20;  // 64 MiB

using Work = std::function<void(int thread)>;

/// Seconds of the fastest of five runs of `work` on every thread at once.
double fastestSeconds(int threads, const Work& work) {
    double fastest = 1e9;
    for (int repeat = 0; repeat < 5; ++repeat) {
        const auto begin = std::chrono::steady_clock::now();
        {
            std::vector<std::jthread> workers;
            for (int thread = 0; thread < threads; ++thread) {
                workers.emplace_back(work, thread);
            }
        }
        const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
        fastest = std::min(fastest, elapsed.count());
    }
    return fastest;
}

Eigen::MatrixXf randomMatrix(Eigen::Index rows, Eigen::Index columns, std::uint64_t seed) {
    Random random(seed);
    return Eigen::MatrixXf::NullaryExpr(rows, columns,
                                        [&random] { return static_cast<float>(random.normal()); });
}

double fmaGigaflops(int threads) {
    using Packet = Eigen::internal::packet_traits<float>::type;
    constexpr auto width = std::size_t(Eigen::internal::packet_traits<float>::size);
    constexpr std::size_t chains = 12;  // enough to hide the latency of an addition, and fit the registers
    constexpr int steps = 4'000'000;
    std::vector<std::array<float, chains * width>> sums(static_cast<std::size_t>(threads));
    const double seconds = fastestSeconds(threads, [&](int thread) {
        const Packet factor = Eigen::internal::pset1<Packet>(0.999f);
        Packet values[chains];
        std::fill_n(values, chains, Eigen::internal::pset1<Packet>(1.0f + 0.1f * static_cast<float>(thread)));
        for (int step = 0; step < steps; ++step) {
            for (Packet& value : values) {
                value = Eigen::internal::pmadd(value, factor, factor);
            }
        }
        for (std::size_t chain = 0; chain < chains; ++chain) {
            Eigen::internal::pstoreu(sums[static_cast<std::size_t>(thread)].data() + chain * width,
                                     values[chain]);
        }
    });
    return 2.0 * double(chains * width) * steps * threads / seconds * 1e-9;
}

double gemmGigaflops(int threads) {
    constexpr Eigen::Index rows = packetRows * 2, columns = tileKeys, depth = 128;
    constexpr int products = 1600;
    Eigen::MatrixXf queries;
    PackedProduct::packQueries(randomMatrix(rows, depth, 1), queries);
    const Eigen::MatrixXf keys = randomMatrix(depth, columns, 2);
    std::vector<Eigen::MatrixXf> results(std::size_t(threads), Eigen::MatrixXf::Zero(rows, columns));
    const double seconds = fastestSeconds(threads, [&](int thread) {
        for (int product = 0; product < products; ++product) {
            PackedProduct::multiply(1.0f, queries, keys.data(), columns, results[std::size_t(thread)].data());
        }
    });
    return 2.0 * rows * columns * depth * products * threads / seconds * 1e-9;
}

double eigenGemmGigaflops(int threads) {
    constexpr Eigen::Index rows = 64, columns = 512, depth = 128;
    constexpr int products = 600;
    const Eigen::MatrixXf left = randomMatrix(rows, depth, 1);
    const Eigen::MatrixXf right = randomMatrix(depth, columns, 2);
    std::vector<Eigen::MatrixXf> results(std::size_t(threads), Eigen::MatrixXf::Zero(rows, columns));
    const double seconds = fastestSeconds(threads, [&](int thread) {
        for (int product = 0; product < products; ++product) {
            results[std::size_t(thread)].noalias() += left * right;
        }
    });
    return 2.0 * rows * columns * depth * products * threads / seconds * 1e-9;
}

double expPerSecond(int threads) {
    constexpr Eigen::Index count = 1 << 14;
    constexpr int passes = 400;
    const Eigen::ArrayXf input = randomMatrix(count, 1, 3).array();
    std::vector<Eigen::ArrayXf> results(std::size_t(threads), Eigen::ArrayXf::Zero(count));
    const double seconds = fastestSeconds(threads, [&](int thread) {
        for (int pass = 0; pass < passes; ++pass) {
            results[std::size_t(thread)] = (input + 1e-6f * float(pass)).exp();
        }
    });
    return double(count) * passes * threads / seconds;
}

}  // namespace

Ceilings measureCeilings() {
    const int threads = threadCount();
    Ceilings ceilings;
    ceilings.fmaGigaflops = fmaGigaflops(threads);
    ceilings.gemmGigaflops = gemmGigaflops(threads);
    ceilings.eigenGemmGigaflops = eigenGemmGigaflops(threads);
    ceilings.expPerSecond = expPerSecond(threads);

    std::vector<float> source(memoryFloats, 1.0f);
    std::vector<float> target(memoryFloats, 2.0f);
    const std::size_t share = memoryFloats / std::size_t(threads);
    const double gigabytes = double(share) * sizeof(float) * threads * 1e-9;
    std::vector<float> totals(std::size_t(threads), 0.0f);
    ceilings.loadGigabytesPerSecond =
        gigabytes / fastestSeconds(threads, [&](int thread) {
            const auto begin = Eigen::Index(share) * thread;
            totals[std::size_t(thread)] +=
                Eigen::Map<const Eigen::ArrayXf>(source.data() + begin, Eigen::Index(share)).sum();
        });
    ceilings.copyGigabytesPerSecond =
        2.0 * gigabytes / fastestSeconds(threads, [&](int thread) {
            const std::size_t begin = share * std::size_t(thread);
            std::memcpy(target.data() + begin, source.data() + begin, share * sizeof(float));
        });
    float value = 3.0f;
    ceilings.storeGigabytesPerSecond = gigabytes / fastestSeconds(threads, [&](int thread) {
                                           const auto begin = target.begin() + std::ptrdiff_t(share) * thread;
                                           std::fill(begin, begin + std::ptrdiff_t(share), value);
                                       });
    return ceilings;
}

}  // namespace phaseladder::app
