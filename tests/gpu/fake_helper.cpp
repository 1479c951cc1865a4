// A helper that computes with the CPU of this program and misbehaves on demand:
//   fake_helper [--state NAME] [--device NAME] [--emulated] [--busy-while FILE] [--log FILE] [FAULT[@K]]...
// --state: what its hello says it found (noDriver, ...); --busy-while: deviceBusy while the file is there. A
// fault happens at the K-th run (from 1; default 1), @hello in place of the hello, @* at every run. --log
// appends a line for each start and message. A state's name is a fault too.
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "core/attention/backend.h"
#include "gpu/protocol/messages.h"

namespace {

using std::chrono::milliseconds;
namespace core = phaseladder;
namespace gpu = phaseladder::gpu;

const std::map<std::string, std::pair<gpu::HelperState, std::string>> states{
    {"ready", {gpu::HelperState::ready, ""}},
    {"noToolkit", {gpu::HelperState::noToolkit, "built without CUDA"}},
    {"noDriver", {gpu::HelperState::noDriver, "no NVIDIA driver found"}},
    {"driverTooOld",
     {gpu::HelperState::driverTooOld, "the NVIDIA driver is too old: 535.104 found, 580 or newer needed"}},
    {"noDevice", {gpu::HelperState::noDevice, "no GPU found: CUDA_VISIBLE_DEVICES=\"-1\" hides them"}},
    {"deviceBusy", {gpu::HelperState::deviceBusy, "NVIDIA H200 is in use by another program"}},
    {"driverMismatch",
     {gpu::HelperState::driverMismatch, "the NVIDIA driver was upgraded under the running system"}},
    {"deviceTooOld",
     {gpu::HelperState::deviceTooOld, "Tesla P100 has compute capability 6.0, 7.5 is needed"}},
    {"wrongAnswer", {gpu::HelperState::wrongAnswer, "the probe computed 0.5 where 0.25 is right"}},
};

struct Fault {
    std::string name;
    int run = 1;  // 0: at hello; below 0: at every run
};

struct Options {
    std::string state = "ready", device = "Test GPU", log;
    bool isEmulated = false;
    std::vector<Fault> faults;
};

void writeBytes(const gpu::Bytes& bytes, std::size_t count) {
    std::fwrite(bytes.data(), 1, count, stdout);
    std::fflush(stdout);
}

void write(const gpu::Bytes& frame) {
    writeBytes(frame, frame.size());
}

void log(const Options& options, const std::string& line) {
    if (!options.log.empty()) {
        std::ofstream(options.log, std::ios::app) << line << '\n';
    }
}

core::HeadRows headRows(const gpu::RowsMessage& message) {
    const auto width = Eigen::Index(message.width);
    const core::RowMatrix distinct =
        Eigen::Map<const core::FloatRows>(message.distinct.data(),
                                          Eigen::Index(message.distinct.size()) / width, width)
            .cast<double>();
    return message.rowOf.empty() ? core::HeadRows(distinct)
                                 : core::HeadRows(distinct, std::vector<Eigen::Index>(message.rowOf.begin(),
                                                                                      message.rowOf.end()));
}

std::vector<double> inDouble(const std::vector<float>& numbers) {
    return {numbers.begin(), numbers.end()};
}

core::EncodingPlan planOf(const gpu::ProblemMessage& message) {
    core::EncodingPlan plan;
    plan.definedTokens = message.defined;
    plan.scaleByRootWidth = false;
    plan.softmaxMultiplier = message.scale;
    if (const auto& rotation = message.rotation) {
        plan.rotation.emplace();
        plan.rotation->turnsPerToken = rotation->turnsPerToken;
        plan.rotation->layout =
            rotation->isInterleaved ? core::RopeLayout::interleaved : core::RopeLayout::half;
        plan.rotation->rotaryDim = 2 * static_cast<int>(rotation->turnsPerToken.size());
        plan.rotation->attentionFactor = rotation->attentionFactor;
        plan.rotation->axisOfPair = rotation->axisOfPair;
        plan.rotation->axisNames.resize(rotation->axes);
        plan.rotation->axisPositions = rotation->axisPositions;
        plan.rotation->logGrowthPerToken = rotation->logGrowthPerToken;
        plan.rotation->growthCentre = rotation->growthCentre;
    }
    if (message.scoreBias) {
        plan.scoreBias = core::ScoreBias{message.scoreBias->reach, inDouble(message.scoreBias->numbers)};
    }
    const auto vectors = [](const gpu::OffsetsMessage& offsets) {
        return core::RelativeVectors{offsets.reach, inDouble(offsets.numbers)};
    };
    if (message.relativeKeys) {
        plan.relativeKeys = vectors(*message.relativeKeys);
    }
    if (message.relativeValues) {
        plan.relativeValues = vectors(*message.relativeValues);
    }
    if (!message.contentOffset.empty()) {
        plan.queryOffsets =
            core::QueryOffsets{inDouble(message.contentOffset), inDouble(message.positionOffset)};
    }
    return plan;
}

core::MapRequest mapRequest(const gpu::MapMessage& map) {
    return {.window = {map.rowBegin, map.rowEnd, map.columnBegin, map.columnEnd},
            .pixelRows = map.pixelRows,
            .pixelColumns = map.pixelColumns,
            .pooling = map.isMax ? core::Pooling::max : core::Pooling::mean,
            .values = map.isLogits ? core::ViewValues::logits : core::ViewValues::weights,
            .firstPixelRow = map.firstPixelRow,
            .endPixelRow = map.endPixelRow,
            .sampledRows = map.sampledRows};
}

gpu::ResultMessage resultMessage(std::uint64_t id, const core::AttentionResult& result) {
    gpu::ResultMessage message;
    message.id = id;
    message.pixelRows = result.pixelRows;
    message.pixelColumns = result.pixelColumns;
    message.map.assign(result.map.begin(), result.map.end());
    for (std::int64_t row = 0; row < result.pixelRows; ++row) {
        const auto begin = result.masked.begin() + row * result.pixelColumns;
        message.shownColumns.push_back(static_cast<std::uint32_t>(
            std::find(begin, begin + result.pixelColumns, std::uint8_t{1}) - begin));
    }
    message.computedRows = result.computedRows;
    message.hiddenRows = result.hiddenStates.rows();
    message.hiddenColumns = result.hiddenStates.cols();
    message.hidden.assign(result.hiddenStates.data(),
                          result.hiddenStates.data() + result.hiddenStates.size());
    message.largestRowSumError = static_cast<float>(result.largestRowSumError);
    return message;
}

class Helper {
public:
    explicit Helper(Options options) : m_options(std::move(options)) {}

    void answer(const gpu::Frame& frame) {
        if (frame.kind == gpu::FrameKind::hello) {
            greet();
        } else if (frame.kind == gpu::FrameKind::rows) {
            gpu::RowsMessage rows = gpu::decodeRows(frame.payload).value();
            log(m_options, "rows " + std::to_string(rows.distinct.size()));
            m_rows[rows.key] = headRows(rows);
        } else if (frame.kind == gpu::FrameKind::problem) {
            log(m_options, "problem");
            keep(gpu::decodeProblem(frame.payload).value());
        } else if (frame.kind == gpu::FrameKind::run) {
            run(gpu::decodeRun(frame.payload).value());
        } else if (frame.kind == gpu::FrameKind::cancel) {
            log(m_options, "cancel");
        } else if (frame.kind == gpu::FrameKind::bye) {
            log(m_options, "bye");
            std::exit(0);
        }
    }

private:
    [[nodiscard]] std::string faultAt(int run) const {
        for (const Fault& fault : m_options.faults) {
            if (fault.run == run || (fault.run < 0 && run > 0)) {
                return fault.name;
            }
        }
        return {};
    }

    void greet() {
        const std::string fault = faultAt(0);
        const auto& [state, reason] = states.at(states.contains(fault) ? fault : m_options.state);
        gpu::HelperHello hello{.program = "fake_helper", .state = state, .reason = reason};
        hello.isEmulated = m_options.isEmulated;
        hello.device = m_options.device;
        hello.productsPerSecond = 1e9;
        const gpu::Bytes frame = encode(hello);
        if (states.contains(fault) || !misbehave(fault, 0, frame)) {
            write(frame);
        }
    }

    void keep(const gpu::ProblemMessage& message) {
        auto problem = std::make_shared<core::AttentionProblem>();
        problem->queries = m_rows[message.queries];
        problem->keys = m_rows[message.keys];
        if (message.values != 0) {
            problem->values = m_rows[message.values];
        }
        problem->plan = planOf(message);
        problem->causal = message.isCausal;
        problem->queryStart = message.queryStart;
        problem->keyStart = message.keyStart;
        m_problems[message.key] = std::move(problem);
    }

    void run(const gpu::RunMessage& message) {
        const std::string fault = faultAt(++m_run);
        log(m_options, "run");
        if (m_problems.count(message.problem) == 0 || fault == "unknownRows") {
            m_problems.clear();
            m_rows.clear();
            write(encode(gpu::ErrorMessage{message.id, gpu::HelperState::unknownRows, "no such problem"}));
            return;
        }
        core::AttentionRequest request{m_problems[message.problem], std::nullopt, message.hiddenStates};
        if (message.map) {
            request.map = mapRequest(*message.map);
        }
        gpu::ResultMessage result = resultMessage(message.id, m_backend->run(request, {}).value());
        if (fault == "wrongNumbers") {
            for (float& number : result.map) {
                number *= 1.01f;
            }
        } else if (fault == "shortResult") {
            result.pixelRows -= 1;
            result.map.resize(result.map.size() - std::size_t(result.pixelColumns));
            result.shownColumns.pop_back();
        } else if (fault == "wrongId") {
            result.id += 1000;
        } else if (fault == "slow") {
            for (int step = 0; step < 20; ++step) {
                write(encode(gpu::ProgressMessage{message.id, step, 20}));
                std::this_thread::sleep_for(milliseconds(50));
            }
        }
        const gpu::Bytes frame = encode(result);
        if (!misbehave(fault, message.id, frame)) {
            write(frame);
        }
    }

    /// Whether nothing is left to say.
    bool misbehave(const std::string& fault, std::uint64_t id, const gpu::Bytes& frame) {
        if (fault == "crash") {
            std::abort();
        } else if (fault == "exit") {
            std::fputs("fake_helper: out of luck\n", stderr);
            std::exit(3);
        } else if (fault == "kill") {
            std::raise(SIGKILL);
        } else if (fault == "hang") {
            for (;;) {
                pause();
            }
        } else if (fault == "garbage") {
            const gpu::Bytes noise(4096, std::byte{0x5a});
            write(noise);
        } else if (fault == "halfFrame") {
            writeBytes(frame, frame.size() / 2);
            std::exit(0);
        } else if (fault == "halfThenHang") {
            writeBytes(frame, frame.size() / 2);
            for (;;) {
                pause();
            }
        } else if (fault == "bye") {
            write(gpu::encodeBye());
            std::exit(0);
        } else if (fault == "outOfMemory") {
            write(encode(gpu::ErrorMessage{id, gpu::HelperState::outOfMemory,
                                           "the GPU has not enough memory: 3.0 GiB needed, 1.0 GiB free"}));
        } else if (fault == "deviceLost") {
            write(encode(gpu::ErrorMessage{id, gpu::HelperState::deviceLost,
                                           "the GPU was lost (an illegal memory access, CUDA 700)"}));
            std::exit(1);
        } else if (fault == "launchTimedOut") {
            write(encode(gpu::ErrorMessage{id, gpu::HelperState::launchTimedOut,
                                           "the display's watchdog ended a launch (CUDA 702)"}));
            std::exit(1);
        } else if (fault == "hung") {
            write(encode(gpu::ErrorMessage{id, gpu::HelperState::hung, "a launch did not end within 5 s"}));
            std::exit(1);
        } else if (states.contains(fault)) {
            const auto& [state, reason] = states.at(fault);
            write(encode(gpu::ErrorMessage{id, state, reason}));
            std::exit(1);
        } else {
            return false;
        }
        return true;
    }

    Options m_options;
    int m_run = 0;
    std::map<std::uint64_t, core::HeadRows> m_rows;
    std::map<std::uint64_t, std::shared_ptr<const core::AttentionProblem>> m_problems;
    std::unique_ptr<core::Backend> m_backend = core::makeCpuBackend();
};

Options readOptions(int argc, char** argv) {
    Options options;
    for (int at = 1; at < argc; ++at) {
        const std::string argument = argv[at];
        const auto value = [&] { return std::string(argv[++at]); };
        if (argument == "--state") {
            options.state = value();
        } else if (argument == "--device") {
            options.device = value();
        } else if (argument == "--log") {
            options.log = value();
        } else if (argument == "--busy-while") {
            options.state = access(value().c_str(), F_OK) == 0 ? "deviceBusy" : options.state;
        } else if (argument == "--emulated") {
            options.isEmulated = true;
        } else {
            const std::size_t mark = argument.find('@');
            const std::string place = mark == std::string::npos ? "1" : argument.substr(mark + 1);
            options.faults.push_back({argument.substr(0, mark), place == "hello" ? 0
                                                                : place == "*"   ? -1
                                                                                 : std::stoi(place)});
        }
    }
    return options;
}

}  // namespace

int main(int argc, char** argv) {
    const Options options = readOptions(argc, argv);
    log(options, "start " + std::to_string(getpid()));
    Helper helper(options);
    gpu::FrameReader reader(gpu::Side::program);
    std::vector<std::byte> buffer(1 << 16);
    for (;;) {
        const ssize_t count = read(STDIN_FILENO, buffer.data(), buffer.size());
        if (count <= 0) {
            return 0;
        }
        reader.add(std::span(buffer).first(static_cast<std::size_t>(count)));
        for (;;) {
            const auto frame = reader.next();
            if (!frame || !*frame) {
                break;
            }
            helper.answer(**frame);
        }
    }
}
