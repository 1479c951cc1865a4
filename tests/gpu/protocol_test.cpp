#include <QTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <new>
#include <string>

#include "tests/gpu/sample_messages.h"

namespace gpu = phaseladder::gpu;
namespace samples = phaseladder::tests;
using gpu::Bytes;
using gpu::Frame;
using gpu::frameHeaderBytes;
using gpu::FrameKind;
using gpu::FrameReader;
using phaseladder::ErrorKind;
using phaseladder::Result;
using Payload = std::span<const std::byte>;

namespace {

std::atomic<std::size_t> largestAllocation = 0;

}  // namespace

// The program's memory, so that a test can say what was asked for.
void* operator new(std::size_t size) {
    std::size_t before = largestAllocation;
    while (size > before && !largestAllocation.compare_exchange_weak(before, size)) {
    }
    if (void* memory = std::malloc(size)) {
        return memory;
    }
    throw std::bad_alloc();
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace {

/// A frame, and what reads its payload: empty where the message comes back as it was, else what is wrong.
struct Sample {
    std::string name;
    FrameKind kind;
    Bytes frame;
    std::function<std::string(Payload)> refusal;
};

template <class Message>
Sample sample(std::string name, FrameKind kind, const Message& message, Result<Message> (*decode)(Payload)) {
    const auto refusal = [message, decode](Payload payload) -> std::string {
        const Result<Message> read = decode(payload);
        if (!read) {
            return read.error().kind == ErrorKind::invalidInput ? read.error().message : "another error";
        }
        return *read == message ? "" : "another message";
    };
    return {std::move(name), kind, gpu::encode(message), refusal};
}

std::vector<Sample> allSamples() {
    return {sample("hello", FrameKind::hello, samples::filledHello(), gpu::decodeHello),
            sample("empty hello", FrameKind::hello, gpu::Hello(), gpu::decodeHello),
            sample("helper's hello", FrameKind::hello, samples::filledHelperHello(), gpu::decodeHelperHello),
            sample("helper's empty hello", FrameKind::hello, gpu::HelperHello(), gpu::decodeHelperHello),
            sample("rows", FrameKind::rows, samples::filledRows(), gpu::decodeRows),
            sample("empty rows", FrameKind::rows, samples::emptyRows(), gpu::decodeRows),
            sample("problem", FrameKind::problem, samples::filledProblem(), gpu::decodeProblem),
            sample("empty problem", FrameKind::problem, samples::emptyProblem(), gpu::decodeProblem),
            sample("run", FrameKind::run, samples::filledRun(), gpu::decodeRun),
            sample("empty run", FrameKind::run, samples::emptyRun(), gpu::decodeRun),
            sample("orders", FrameKind::orders, samples::filledOrders(), gpu::decodeOrders),
            sample("empty orders", FrameKind::orders, samples::emptyOrders(), gpu::decodeOrders),
            sample("echo", FrameKind::echo, gpu::EchoMessage{3, 1U << 26U}, gpu::decodeEcho),
            sample("empty echo", FrameKind::echo, gpu::EchoMessage{1, 0}, gpu::decodeEcho),
            sample("progress", FrameKind::progress, gpu::ProgressMessage{3, 5, 8}, gpu::decodeProgress),
            sample("empty progress", FrameKind::progress, gpu::ProgressMessage{1, 0, 0}, gpu::decodeProgress),
            sample("cancel", FrameKind::cancel, gpu::CancelMessage{3}, gpu::decodeCancel),
            sample("result", FrameKind::result, samples::filledResult(), gpu::decodeResult),
            sample("empty result", FrameKind::result, gpu::ResultMessage{.id = 1}, gpu::decodeResult),
            sample("echo's result", FrameKind::result, gpu::ResultMessage{.id = 1, .map = {1.0f, 2.0f}},
                   gpu::decodeResult),
            sample("error", FrameKind::error, samples::filledError(), gpu::decodeError),
            sample("empty error", FrameKind::error, gpu::ErrorMessage(), gpu::decodeError)};
}

Bytes bytesOf(std::initializer_list<int> numbers) {
    Bytes bytes;
    for (const int number : numbers) {
        bytes.push_back(static_cast<std::byte>(number));
    }
    return bytes;
}

Payload payloadOf(const Bytes& frame) {
    return Payload(frame).subspan(frameHeaderBytes);
}

}  // namespace

class ProtocolTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theLayoutIsTheOneThatIsWrittenDown();
    void anArrayAndATextStandBehindTheirCounts();
    void everyMessageComesBackAsItWas();
    void aFrameThatIsCutOffNeedsMore();
    void aPayloadThatIsCutOffIsRefused();
    void everyFlippedBitIsRefused();
    void framesComeByteByByteAndSeveralAtOnce();
    void aPromiseOfFourGigabytesTakesNoMemory();
    void matricesCarryWhatIsNoNumber();
    void textsComeOutShowable();
    void rowsAreCountedThroughRowOf();
};

void ProtocolTest::theLayoutIsTheOneThatIsWrittenDown() {
    // The sums are XXH3_64bits() of the library libxxhash.so; that of nothing is 2d06800538d394c2.
    QCOMPARE(gpu::encodeBye(), bytesOf({'P',  'L',  'G',  'F',  1,    0,    11,   0,        // version, kind
                                        0,    0,    0,    0,    0,    0,    0,    0,        // length
                                        0xC2, 0x94, 0xD3, 0x38, 0x05, 0x80, 0x06, 0x2D,     // payload
                                        0xD1, 0x63, 0x2A, 0xAB, 0xD4, 0x9F, 0xFA, 0x3D}));  // header
    QCOMPARE(gpu::encode(gpu::EchoMessage{7, 1000}),
             bytesOf({'P',  'L',  'G',  'F',  1,    0,    6,    0,     //
                      16,   0,    0,    0,    0,    0,    0,    0,     //
                      0x8F, 0xF5, 0xFC, 0xB4, 0x13, 0x7E, 0x27, 0x75,  //
                      0xE1, 0x52, 0x23, 0x31, 0x53, 0xDB, 0x25, 0xE9,  //
                      7,    0,    0,    0,    0,    0,    0,    0,     // id
                      0xE8, 0x03, 0,    0,    0,    0,    0,    0}));  // numbers
}

void ProtocolTest::anArrayAndATextStandBehindTheirCounts() {
    const Bytes rows = gpu::encode(gpu::RowsMessage{0x0102, 1, {1.0f, -2.0f}, {1}});
    const Payload rowsPayload = payloadOf(rows);
    QCOMPARE(Bytes(rowsPayload.begin(), rowsPayload.end()),
             bytesOf({2, 1, 0,    0,    0, 0, 0, 0,  // key
                      1, 0, 0,    0,                 // width
                      2, 0, 0,    0,    0, 0, 0, 0,  // count of distinct
                      0, 0, 0x80, 0x3F,              // 1
                      0, 0, 0,    0xC0,              // -2
                      1, 0, 0,    0,    0, 0, 0, 0,  // count of rowOf
                      1, 0, 0,    0}));
    const Bytes error = gpu::encode(gpu::ErrorMessage{1, gpu::HelperState::cancelled, "é"});
    const Payload errorPayload = payloadOf(error);
    QCOMPARE(Bytes(errorPayload.begin(), errorPayload.end()),
             bytesOf({1,    0,   0, 0, 0, 0, 0, 0,  // id
                      13,   0,                      // state
                      2,    0,   0, 0, 0, 0, 0, 0,  // bytes of the text
                      0xC3, 0xA9}));
}

void ProtocolTest::everyMessageComesBackAsItWas() {
    for (const Sample& sample : allSamples()) {
        FrameReader reader;
        reader.add(sample.frame);
        const Result<std::optional<Frame>> frame = reader.next();
        QVERIFY2(frame && *frame, sample.name.c_str());
        QCOMPARE((*frame)->kind, sample.kind);
        QCOMPARE(sample.refusal((*frame)->payload), std::string());
        QCOMPARE(reader.waiting(), std::size_t{0});
        QCOMPARE(gpu::encodeFrame(sample.kind, (*frame)->payload), sample.frame);
    }
}

void ProtocolTest::aFrameThatIsCutOffNeedsMore() {
    for (const Sample& sample : allSamples()) {
        for (std::size_t size = 0; size < sample.frame.size(); ++size) {
            FrameReader reader;
            reader.add(Payload(sample.frame).first(size));
            const Result<std::optional<Frame>> frame = reader.next();
            QVERIFY2(frame && !*frame, sample.name.c_str());
            QCOMPARE(reader.waiting(), size);
        }
    }
}

void ProtocolTest::aPayloadThatIsCutOffIsRefused() {
    for (const Sample& sample : allSamples()) {
        const Payload payload = payloadOf(sample.frame);
        for (std::size_t size = 0; size < payload.size(); ++size) {
            const std::string refusal = sample.refusal(payload.first(size));
            QVERIFY2(refusal.find(" is cut off: it has ") != std::string::npos,
                     (sample.name + ": " + refusal).c_str());
        }
        Bytes longer(payload.begin(), payload.end());
        longer.resize(longer.size() + 3);
        const std::string refusal = sample.refusal(longer);
        QVERIFY2(refusal.ends_with(" must end with its last field, got 3 bytes more"), refusal.c_str());
    }
}

void ProtocolTest::everyFlippedBitIsRefused() {
    for (const Sample& sample : allSamples()) {
        for (std::size_t bit = 0; bit < 8 * sample.frame.size(); ++bit) {
            Bytes frame = sample.frame;
            frame[bit / 8] ^= std::byte{1} << (bit % 8);
            FrameReader reader;
            reader.add(frame);
            const Result<std::optional<Frame>> read = reader.next();
            QVERIFY2(!read, (sample.name + ", bit " + std::to_string(bit)).c_str());
            QCOMPARE(read.error().kind, ErrorKind::invalidInput);
            reader.add(sample.frame);  // nothing good comes any more
            QCOMPARE(reader.next().error(), read.error());
        }
    }
}

void ProtocolTest::framesComeByteByByteAndSeveralAtOnce() {
    Bytes stream;
    for (const Sample& sample : allSamples()) {
        stream.insert(stream.end(), sample.frame.begin(), sample.frame.end());
    }
    for (const std::size_t step : {std::size_t{1}, std::size_t{7}, std::size_t{100}, stream.size()}) {
        FrameReader reader;
        std::vector<Frame> frames;
        for (std::size_t begin = 0; begin < stream.size(); begin += step) {
            reader.add(Payload(stream).subspan(begin, std::min(step, stream.size() - begin)));
            for (Result<std::optional<Frame>> frame = reader.next(); *frame; frame = reader.next()) {
                frames.push_back(std::move(**frame));
            }
        }
        const std::vector<Sample> expected = allSamples();
        QCOMPARE(frames.size(), expected.size());
        for (std::size_t at = 0; at < frames.size(); ++at) {
            QCOMPARE(gpu::encodeFrame(frames[at].kind, frames[at].payload), expected[at].frame);
        }
    }
    FrameReader reader;
    reader.add(gpu::encodeBye());
    reader.add(bytesOf({'o', 'o', 'p', 's'}));
    QVERIFY(*reader.next());  // what came before is still good
    QVERIFY(!reader.next());
}

void ProtocolTest::aPromiseOfFourGigabytesTakesNoMemory() {
    // A header of a frame that was never made: another length, and the sum over it.
    const Bytes header =
        bytesOf({'P', 'L', 'G', 'F', 1, 0, 2, 0, 0,    0,    0,    0,    1,    0,    0,    0,
                 0,   0,   0,   0,   0, 0, 0, 0, 0xEC, 0xD1, 0x02, 0x3C, 0x5B, 0x81, 0x4A, 0xC3});
    largestAllocation = 0;
    FrameReader reader;
    reader.add(header);
    QVERIFY(reader.next() && !*reader.next());
    const std::size_t ofHeader = largestAllocation;
    QVERIFY2(ofHeader <= 4096, std::to_string(ofHeader).c_str());
    reader.add(bytesOf({1, 2, 3}));
    QCOMPARE(reader.waiting(), frameHeaderBytes + 3);
    const std::size_t ofPayload = largestAllocation;
    QVERIFY2(ofPayload <= std::size_t{8} << 20U, std::to_string(ofPayload).c_str());

    Bytes rows = gpu::encode(samples::emptyRows());
    rows[frameHeaderBytes + 12 + 4] = std::byte{1};  // 2^32 numbers
    largestAllocation = 0;
    QCOMPARE(
        gpu::decodeRows(payloadOf(rows)).error().message,
        std::string("rows.distinct is cut off: it has 4294967296 numbers of 4 bytes, 8 bytes are there"));
    const std::size_t ofCount = largestAllocation;
    QVERIFY2(ofCount <= 4096, std::to_string(ofCount).c_str());
}

void ProtocolTest::matricesCarryWhatIsNoNumber() {
    constexpr float none = std::numeric_limits<float>::quiet_NaN(), infinity = HUGE_VALF;
    const Bytes frame = gpu::encode(gpu::RowsMessage{1, 2, {none, infinity, -infinity, -0.0f}, {}});
    const Result<gpu::RowsMessage> rows = gpu::decodeRows(payloadOf(frame));
    QVERIFY(rows && std::isnan(rows->distinct[0]) && std::signbit(rows->distinct[3]));
    QCOMPARE(gpu::encode(*rows), frame);
    gpu::ResultMessage result = samples::filledResult();
    result.rowLogSums[0] = result.hidden[1] = result.largestRowSumError = none;
    QVERIFY(gpu::decodeResult(payloadOf(gpu::encode(result))));
}

void ProtocolTest::textsComeOutShowable() {
    const auto shown = [](const std::string& text) {
        const Bytes frame = gpu::encode(gpu::Hello{text});
        return gpu::decodeHello(payloadOf(frame))->program;
    };
    QCOMPARE(shown("a\nb\x7F"), std::string("a b "));
    QCOMPARE(shown("Grüße, 你好 😀"), std::string("Grüße, 你好 😀"));
    QCOMPARE(shown("\xC3"), std::string("?"));            // cut off
    QCOMPARE(shown("\xC0\xAF"), std::string("??"));       // longer than needed
    QCOMPARE(shown("\xED\xA0\x80"), std::string("???"));  // half of a pair of UTF-16
    QCOMPARE(shown("\xF5\x80\x80\x80"), std::string("????"));
    QCOMPARE(shown("\xC2\x9B"), std::string("??"));  // a control character beyond ASCII
    QCOMPARE(shown(std::string(5000, 'x')), std::string(4096, 'x'));
    QCOMPARE(shown(std::string(4095, 'x') + "é"), std::string(4095, 'x'));
}

void ProtocolTest::rowsAreCountedThroughRowOf() {
    QCOMPARE(samples::filledRows().rows(), std::uint64_t{4});
    gpu::RowsMessage plain = samples::filledRows();
    plain.rowOf.clear();
    QCOMPARE(plain.rows(), std::uint64_t{2});
    QCOMPARE(gpu::RowsMessage().rows(), std::uint64_t{0});
}

QTEST_GUILESS_MAIN(ProtocolTest)
#include "protocol_test.moc"
