#include "tests/gpu/check/speed_rows.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <map>
#include <optional>

#include "core/index.h"
#include "core/random.h"
#include "tests/gpu/check/exact_map.h"
#include "tests/gpu/check/helper_line.h"
#include "tests/gpu/check/own_device.h"
#include "tests/gpu/check/table.h"

namespace phaseladder::tests {
namespace {

constexpr int width = 128;
constexpr std::int64_t mostPixels = 1024;

enum class Numbers { float32, bf16 };

std::string nameOf(Numbers numbers) {
    return numbers == Numbers::float32 ? "float32" : "bf16";
}

/// Relative errors of weights, that of bf16 from the rounding of 128 channels.
double allowedError(Numbers numbers) {
    return numbers == Numbers::float32 ? 1e-5 : 5e-2;
}

/// The bars of a map, in milliseconds, set for an H200.
std::optional<double> barOf(Numbers numbers, std::int64_t tokens) {
    if (tokens == 131072) {
        return numbers == Numbers::float32 ? 70.0 : 12.0;
    }
    return tokens == 4096 ? std::optional(1.0) : std::nullopt;
}
constexpr double windowBar = 2.0;

/// 0 of none.
double percentile(std::vector<double> times, double share) {
    if (times.empty()) {
        return 0.0;
    }
    std::ranges::sort(times);
    const double place = std::ceil(share * static_cast<double>(times.size()));
    return times[static_cast<std::size_t>(place) - 1];
}

gpu::RowsMessage rowsOf(const std::vector<float>& numbers, std::int64_t tokens, std::uint64_t key) {
    return {.key = key, .width = width, .distinct = {numbers.begin(), numbers.begin() + tokens * width}};
}

constexpr std::uint64_t queriesKey = 1, keysKey = 2;

gpu::ProblemMessage problemOf(std::int64_t tokens, std::uint64_t key) {
    gpu::ProblemMessage problem;
    problem.key = key;
    problem.queries = queriesKey;
    problem.keys = keysKey;
    problem.width = width;
    problem.queryRows = problem.keyRows = problem.defined = tokens;
    problem.isCausal = true;
    problem.scale = 1.0 / std::sqrt(static_cast<double>(width));
    return problem;
}

gpu::RunMessage wholeMap(std::int64_t tokens, std::uint64_t problem) {
    const std::int64_t pixels = std::min(mostPixels, tokens);
    gpu::RunMessage run;
    run.id = 1;
    run.problem = problem;
    run.map = gpu::MapMessage{
        .rowEnd = tokens, .columnEnd = tokens, .pixelRows = pixels, .pixelColumns = pixels, .isMax = true};
    return run;
}

/// Windows of cells, each with keys that its queries see.
std::vector<gpu::RunMessage> randomWindows(std::int64_t tokens, std::uint64_t problem, int windows) {
    const std::int64_t side = std::min(mostPixels, tokens / 2);
    Random random(3);
    std::vector<gpu::RunMessage> runs(index(windows), wholeMap(tokens, problem));
    for (gpu::RunMessage& run : runs) {
        const auto row = static_cast<std::int64_t>(random.below(index(tokens - side + 1)));
        const auto column = static_cast<std::int64_t>(random.below(index(row + 1)));
        run.map = gpu::MapMessage{.rowBegin = row,
                                  .rowEnd = row + side,
                                  .columnBegin = column,
                                  .columnEnd = column + side,
                                  .pixelRows = side,
                                  .pixelColumns = side};
    }
    return runs;
}

/// Texts so long as a sentence says them.
std::string ofLength(std::int64_t tokens) {
    return ", n = " + std::to_string(tokens);
}

class SpeedCheck {
public:
    SpeedCheck(std::vector<std::int64_t> lengths, const std::vector<std::string>& helper)
        : m_lengths(std::move(lengths)),
          m_longest(std::ranges::max(m_lengths)),
          m_helper(helper),
          m_isEmulated(std::ranges::count(helper, "--emulate") > 0),
          m_head(m_longest, width) {}

    Outcome print() {
        printMaps(Numbers::float32);
        printWindows();
        printWindowsOverPipe();
        printMaps(Numbers::bf16);  // last, since it may lose the device
        return m_outcome;
    }

private:
    using Answer = Result<gpu::ResultMessage>;
    using Ask = std::function<Answer(const gpu::RunMessage&)>;

    /// Right where there is an error that is small enough; then the time is held against the bar of real
    /// devices.
    void print(Row row, const Result<double>& error, Numbers numbers, double milliseconds,
               std::optional<double> bar) {
        const bool isRight = error && *error <= allowedError(numbers);
        row.result += error ? formatted(", error %.1e", *error) : error.error().message;
        row.what = (m_isEmulated ? "emulated " : "") + row.what;
        if (bar && !m_isEmulated) {
            row.bar = formatted("%g ms", *bar);
            row.verdict = milliseconds <= *bar ? Verdict::ok : Verdict::missed;
        }
        if (!isRight) {
            row.verdict = Verdict::wrong;
            m_outcome = Outcome::wrong;
        } else if (numbers == Numbers::bf16 && *error < 1e-4) {
            row.result += ", so it was float32";
        }
        tests::print(row);
    }

    [[nodiscard]] int repeats() const { return m_isEmulated ? 1 : 7; }
    [[nodiscard]] int windows() const { return m_isEmulated ? 3 : 50; }

    void sendRows(const std::function<void(const gpu::RowsMessage&)>& send, std::int64_t tokens) {
        send(rowsOf(m_head.queries, tokens, queriesKey));
        send(rowsOf(m_head.keys, tokens, keysKey));
    }

    void printMaps(Numbers numbers) {
        OwnDevice device(m_helper);
        for (const std::int64_t tokens : m_lengths) {
            sendRows([&](const gpu::RowsMessage& rows) { device.add(rows); }, tokens);
            std::vector<double> times;
            const Answer last = timeMaps(device, numbers, tokens, times);
            Row row{.what = "G1: cold map, " + nameOf(numbers) + ofLength(tokens), .cases = repeats()};
            row.result = last ? speedText(device.hello(), numbers, tokens, times) : "";
            print(row, errorOfMap(last, tokens), numbers, last ? percentile(times, 0.5) : 0.0,
                  barOf(numbers, tokens));
        }
    }

    /// Each of another problem, so that no sums of rows are there; the first one is for warming up.
    Answer timeMaps(OwnDevice& device, Numbers numbers, std::int64_t tokens, std::vector<double>& times) {
        for (int repeat = 0;; ++repeat) {
            device.add(problemOf(tokens, ++m_problems));
            gpu::RunMessage run = wholeMap(tokens, m_problems);
            run.isTensor = numbers == Numbers::bf16;
            Answer answer = device.run(run);
            if (answer && repeat > 0) {
                times.push_back(answer->deviceMilliseconds);
            }
            if (!answer || repeat == repeats()) {
                return answer;
            }
        }
    }

    std::string speedText(const gpu::HelperHello& device, Numbers numbers, std::int64_t tokens,
                          const std::vector<double>& times) const {
        const double median = percentile(times, 0.5);
        const double products = 0.5 * double(tokens) * double(tokens + 1) * width;
        std::string text = formatted("%.2f ms (%.2f .. %.2f), %.1f TFLOP/s", median, std::ranges::min(times),
                                     std::ranges::max(times), 2.0 * products / median / 1e9);
        if (numbers == Numbers::float32 && !m_isEmulated) {
            const double most = 2.0 * device.productsPerSecond;  // the helper counts on half of the peak
            text += formatted(", %.0f %% of the FMA peak", 1e5 * products / median / most);
        }
        return text;
    }

    /// Of three rows of pixels: the first, one in the middle and the last.
    Result<double> errorOfMap(const Answer& answer, std::int64_t tokens) {
        if (!answer) {
            return tl::unexpected(answer.error());
        }
        const std::int64_t pixels = std::min(mostPixels, tokens);
        double error = 0.0;
        for (const std::int64_t pixelRow : {std::int64_t{0}, pixels / 2, pixels - 1}) {
            std::vector<double>& exact = m_exact[{tokens, pixelRow}];
            if (exact.empty()) {
                exact = exactPixelRow(m_head, tokens, pixels, pixelRow);
            }
            error = std::max(error, largestRelativeError(answer->map.data() + pixelRow * pixels, exact));
        }
        return error;
    }

    void printWindows() {
        OwnDevice device(m_helper);
        sendRows([&](const gpu::RowsMessage& rows) { device.add(rows); }, m_longest);
        device.add(problemOf(m_longest, ++m_problems));
        std::vector<double> times, deviceTimes;
        const Result<double> error = askWindows([&](const gpu::RunMessage& run) {
            Answer answer = device.run(run);
            times.push_back(device.wallMilliseconds());
            deviceTimes.push_back(answer ? answer->deviceMilliseconds : 0.0);
            return answer;
        });
        Row row{.what = "G2: warm window and its copy to the host" + ofLength(m_longest), .cases = windows()};
        row.result = error ? timesText(times) + formatted(", device p95 %.2f ms", slowOf(deviceTimes)) : "";
        print(row, error, Numbers::float32, slowOf(times), windowBar);
    }

    void printWindowsOverPipe() {
        HelperLine line(m_helper);
        (void)line.greet();
        sendRows([&](const gpu::RowsMessage& rows) { line.send(gpu::encode(rows)); }, m_longest);
        line.send(gpu::encode(problemOf(m_longest, ++m_problems)));
        std::vector<double> times;
        const Result<double> error = askWindows([&](const gpu::RunMessage& run) {
            const auto begin = std::chrono::steady_clock::now();
            Answer answer = line.ask(gpu::encode(run));
            const auto passed = std::chrono::steady_clock::now() - begin;
            times.push_back(std::chrono::duration<double, std::milli>(passed).count());
            return answer;
        });
        Row row{.what = "G2: the same through the helper's pipe" + ofLength(m_longest), .cases = windows()};
        row.result = error ? timesText(times) : "";
        print(row, error, Numbers::float32, slowOf(times), std::nullopt);
    }

    /// Asks for the whole map and then for windows of it; the largest error of the last row of each.
    Result<double> askWindows(const Ask& ask) {
        Answer answer = ask(wholeMap(m_longest, m_problems));
        double error = 0.0;
        for (const gpu::RunMessage& run : randomWindows(m_longest, m_problems, windows())) {
            answer = answer ? ask(run) : answer;
            if (!answer) {
                return tl::unexpected(answer.error());
            }
            const gpu::MapMessage& map = *run.map;
            std::vector<double> exact = exactWeights(m_head, map.rowEnd - 1);
            exact.resize(index(std::max<std::int64_t>(map.columnEnd, std::ssize(exact))), 0.0);
            exact = {exact.begin() + map.columnBegin, exact.begin() + map.columnEnd};
            const std::int64_t lastRow = (map.pixelRows - 1) * map.pixelColumns;
            error = std::max(error, largestRelativeError(answer->map.data() + lastRow, exact));
        }
        return error;
    }

    /// Of the windows: the first time is that of the whole map.
    static double slowOf(const std::vector<double>& times) {
        return percentile({times.begin() + 1, times.end()}, 0.95);
    }
    static std::string timesText(const std::vector<double>& times) {
        return formatted("p95 %.2f ms, median %.2f ms", slowOf(times),
                         percentile({times.begin() + 1, times.end()}, 0.5));
    }

    std::vector<std::int64_t> m_lengths;
    std::int64_t m_longest;
    const std::vector<std::string>& m_helper;
    bool m_isEmulated;  // then it is not about time
    RandomHead m_head;
    std::map<std::pair<std::int64_t, std::int64_t>, std::vector<double>> m_exact;  // of tokens, row of pixels
    std::uint64_t m_problems = 0;
    Outcome m_outcome = Outcome::right;
};

}  // namespace

Outcome printSpeedRows(const std::vector<std::int64_t>& lengths, const std::vector<std::string>& helper) {
    return SpeedCheck(lengths, helper).print();
}

}  // namespace phaseladder::tests
