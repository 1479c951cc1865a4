#include <QTest>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "core/encodings/encoding.h"
#include "tests/gpu/check/case_files.h"
#include "tests/gpu/gpu_cases.h"

namespace phaseladder::tests {
namespace {

const std::filesystem::path folder = PHASELADDER_SOURCE_DIR "/tests/golden/gpu";
constexpr double tolerance = 1e-6;  // products of matrices differ in their last bits from machine to machine

template <class Number>
bool join(std::vector<Number>& today, const std::vector<Number>& committed) {
    const bool isNear = largestError(std::vector<float>(today.begin(), today.end()),
                                     std::vector<float>(committed.begin(), committed.end())) <= tolerance;
    today = committed;
    return isNear;
}

bool join(std::optional<gpu::OffsetsMessage>& today, const std::optional<gpu::OffsetsMessage>& committed) {
    return !today || !committed || join(today->numbers, committed->numbers);
}

// Whether all numbers are near; those of today become the committed ones, so that the rest can be compared.
bool join(gpu::RowsMessage& today, const gpu::RowsMessage& committed) {
    return join(today.distinct, committed.distinct);
}
bool join(gpu::ProblemMessage& today, const gpu::ProblemMessage& committed) {
    const bool isNear = join(today.scoreBias, committed.scoreBias) &&
                        join(today.relativeKeys, committed.relativeKeys) &&
                        join(today.relativeValues, committed.relativeValues) &&
                        join(today.contentOffset, committed.contentOffset) &&
                        join(today.positionOffset, committed.positionOffset);
    if (today.rotation && committed.rotation) {
        return isNear && join(today.rotation->logGrowthPerToken, committed.rotation->logGrowthPerToken);
    }
    return isNear;
}
bool join(gpu::RunMessage&, const gpu::RunMessage&) {
    return true;
}
bool join(gpu::OrdersMessage& today, const gpu::OrdersMessage& committed) {
    return join(today.scores, committed.scores) && join(today.values, committed.values) &&
           join(today.present, committed.present);
}
bool join(gpu::ResultMessage& today, const gpu::ResultMessage& committed) {
    return join(today.map, committed.map) && join(today.hidden, committed.hidden) &&
           join(today.rowLogSums, committed.rowLogSums) &&
           join(today.orderDifferences, committed.orderDifferences);
}

template <class Message>
bool isSame(Result<Message> today, const Result<Message>& committed) {
    return today && committed && join(*today, *committed) && gpu::encode(*today) == gpu::encode(*committed);
}

bool isSame(const gpu::Frame& today, const gpu::Frame& committed) {
    if (today.kind != committed.kind) {
        return false;
    }
    switch (today.kind) {
        case gpu::FrameKind::rows:
            return isSame(gpu::decodeRows(today.payload), gpu::decodeRows(committed.payload));
        case gpu::FrameKind::problem:
            return isSame(gpu::decodeProblem(today.payload), gpu::decodeProblem(committed.payload));
        case gpu::FrameKind::run:
            return isSame(gpu::decodeRun(today.payload), gpu::decodeRun(committed.payload));
        case gpu::FrameKind::orders:
            return isSame(gpu::decodeOrders(today.payload), gpu::decodeOrders(committed.payload));
        case gpu::FrameKind::result:
            return isSame(gpu::decodeResult(today.payload), gpu::decodeResult(committed.payload));
        default:
            return false;
    }
}

gpu::Frame frameOf(const gpu::Bytes& bytes) {
    gpu::FrameReader reader;
    reader.add(bytes);
    return reader.next().value().value();
}

}  // namespace

/// The files that tests/gpu_check.sh compares a GPU with. Where this fails after a change that was meant,
/// write_gpu_cases tests/golden/gpu writes them anew.
class GpuCasesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theFilesAreTheReferenceOfToday() {
        for (const CaseFile& today : gpuCases()) {
            const auto committed = readFrames(folder / (today.name + ".frames"));
            QVERIFY2(committed, committed ? "" : committed.error().message.c_str());
            QCOMPARE(committed->size(), today.frames.size());
            for (std::size_t at = 0; at < committed->size(); ++at) {
                QVERIFY2(isSame(frameOf(today.frames[at]), (*committed)[at]),
                         (today.name + ", frame " + std::to_string(at)).c_str());
            }
        }
    }

    void everyEncodingHasOneAndNothingElseIsThere() {
        std::vector<std::string> names{"longer_texts", "orders", "parts_of_texts", "slots", "tensor"};
        for (const Encoding& encoding : encodings()) {
            names.push_back("encoding_" + encoding.id);
        }
        std::ranges::sort(names);
        std::vector<std::string> found;
        std::uintmax_t bytes = 0;
        const std::vector<std::filesystem::path> files = caseFiles(folder).value();
        for (const std::filesystem::path& file : files) {
            found.push_back(file.stem().string());
            bytes += std::filesystem::file_size(file);
        }
        QVERIFY(found == names);
        QVERIFY2(bytes < 1'500'000, std::to_string(bytes).c_str());
    }
};

}  // namespace phaseladder::tests

QTEST_GUILESS_MAIN(phaseladder::tests::GpuCasesTest)
#include "gpu_cases_test.moc"
