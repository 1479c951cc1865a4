#include "tests/gpu/check/contract_rows.h"

#include <algorithm>
#include <optional>

#include "tests/gpu/check/case_files.h"
#include "tests/gpu/check/helper_line.h"

namespace phaseladder::tests {
namespace {

constexpr double tolerance = 1e-5;
/// Products of two numbers of bf16 are within 2^-8 of what they would be; logits of 24 channels add up.
constexpr double tensorTolerance = 3e-2;

/// A helper that answers a case file.
class Contract {
public:
    explicit Contract(const std::vector<std::string>& helper) : m_line(helper) {}

    /// What was wrong first, in one sentence; else empty.
    std::string keep(const std::vector<gpu::Frame>& frames) {
        const Result<gpu::HelperHello> hello = m_line.greet();
        if (!hello) {
            return hello.error().message;
        }
        m_isEmulated = hello->isEmulated;
        for (const gpu::Frame& frame : frames) {
            const std::string wrong = take(frame);
            if (!wrong.empty()) {
                return "question " + std::to_string(m_questions) + ": " + wrong;
            }
        }
        return {};
    }

    [[nodiscard]] bool isEmulated() const { return m_isEmulated; }
    [[nodiscard]] bool isTensor() const { return m_isTensor; }
    [[nodiscard]] int questions() const { return m_questions; }
    [[nodiscard]] double error() const { return m_error; }
    [[nodiscard]] double allowed() const { return m_isTensor ? tensorTolerance : tolerance; }

private:
    std::string take(const gpu::Frame& frame) {
        const gpu::Bytes bytes = gpu::encodeFrame(frame.kind, frame.payload);
        if (frame.kind == gpu::FrameKind::result) {
            const Result<gpu::ResultMessage> right = gpu::decodeResult(frame.payload);
            return right ? compare(*right) : right.error().message;
        }
        if (frame.kind != gpu::FrameKind::run && frame.kind != gpu::FrameKind::orders) {
            m_line.send(bytes);
            return {};
        }
        const Result<gpu::RunMessage> run = gpu::decodeRun(frame.payload);
        m_isTensor |= frame.kind == gpu::FrameKind::run && run && run->isTensor;
        m_questions += 1;
        const Result<gpu::ResultMessage> answer = m_line.ask(bytes);
        m_answer = answer.value_or(gpu::ResultMessage{});
        return answer ? std::string() : answer.error().message;
    }

    std::string compare(const gpu::ResultMessage& right) {
        const gpu::ResultMessage& ours = m_answer;
        const double error =
            std::max({largestError(ours.map, right.map), largestError(ours.hidden, right.hidden),
                      largestError(ours.rowLogSums, right.rowLogSums),
                      largestError(ours.orderDifferences, right.orderDifferences)});
        m_error = std::max(m_error, error);
        if (!(error <= allowed())) {
            return formatted("an error of %.2g", error);
        }
        if (!(ours.largestRowSumError <= tolerance)) {
            return formatted("weights of a row sum up to 1 within %.2g only",
                             double(ours.largestRowSumError));
        }
        gpu::ResultMessage rest = right;  // what must be the same to the last bit
        rest.map = ours.map;
        rest.hidden = ours.hidden;
        rest.rowLogSums = ours.rowLogSums;
        rest.orderDifferences = ours.orderDifferences;
        rest.largestRowSumError = ours.largestRowSumError;
        rest.deviceMilliseconds = ours.deviceMilliseconds;
        return gpu::encode(rest) == gpu::encode(ours) ? std::string()
                                                      : "sizes, shown columns or bytes read differ";
    }

    HelperLine m_line;
    gpu::ResultMessage m_answer;
    bool m_isEmulated = false, m_isTensor = false;
    int m_questions = 0;
    double m_error = 0.0;
};

}  // namespace

Row contractRow(const std::filesystem::path& file, const std::vector<std::string>& helper) {
    Row row{.what = "contract: " + file.stem().string(), .verdict = Verdict::wrong};
    const Result<std::vector<gpu::Frame>> frames = readFrames(file);
    if (!frames) {
        row.result = frames.error().message;
        return row;
    }
    Contract contract(helper);
    const std::string wrong = contract.keep(*frames);
    row.what = (contract.isEmulated() ? "emulated " : "") + row.what;
    row.cases = contract.questions();
    row.bar = formatted("%.0e", contract.allowed());
    row.verdict = wrong.empty() ? Verdict::ok : Verdict::wrong;
    row.result = wrong.empty() ? formatted("error %.1e", contract.error()) : wrong;
    if (wrong.empty() && contract.isTensor() && contract.error() < tolerance) {
        row.result += ", so it was float32";
    }
    return row;
}

}  // namespace phaseladder::tests
