#include <QTest>

#include <cmath>
#include <cstring>
#include <limits>
#include <string>

#include "tests/gpu/sample_messages.h"

namespace gpu = phaseladder::gpu;
namespace samples = phaseladder::tests;
using gpu::Bytes;
using gpu::FrameReader;
using phaseladder::Result;
using Payload = std::span<const std::byte>;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
const gpu::HelperState unknownState = static_cast<gpu::HelperState>(16);

Payload payloadOf(const Bytes& frame) {
    return Payload(frame).subspan(gpu::frameHeaderBytes);
}

/// Why a message is refused once `change` was made to it; empty where it is not.
template <class Message, class Change>
std::string refusalOf(Message message, Result<Message> (*decode)(Payload), Change change) {
    change(message);
    const Result<Message> read = decode(payloadOf(gpu::encode(message)));
    return read ? std::string() : read.error().message;
}

template <class Change>
std::string refusalOfRows(Change change) {
    return refusalOf(samples::filledRows(), gpu::decodeRows, change);
}

template <class Change>
std::string refusalOfProblem(Change change) {
    return refusalOf(samples::filledProblem(), gpu::decodeProblem, change);
}

template <class Change>
std::string refusalOfMap(Change change) {
    return refusalOf(samples::filledRun(), gpu::decodeRun,
                     [change](gpu::RunMessage& run) { change(*run.map); });
}

template <class Change>
std::string refusalOfOrders(Change change) {
    return refusalOf(samples::filledOrders(), gpu::decodeOrders, change);
}

template <class Change>
std::string refusalOfResult(Change change) {
    return refusalOf(samples::filledResult(), gpu::decodeResult, change);
}

/// Why a stream is refused.
std::string refusalOfStream(const Bytes& stream, gpu::Side other = gpu::Side::helper) {
    FrameReader reader(other);
    reader.add(stream);
    const Result<std::optional<gpu::Frame>> frame = reader.next();
    return frame ? std::string() : frame.error().message;
}

/// A frame whose header has another byte somewhere.
Bytes changedFrame(std::size_t at, int value) {
    Bytes frame = gpu::encode(gpu::EchoMessage{1, 2});
    frame[at] = static_cast<std::byte>(value);
    return frame;
}

Bytes textBytes(const std::string& text) {
    Bytes bytes(text.size());
    std::memcpy(bytes.data(), text.data(), text.size());
    return bytes;
}

void compareRefusal(const std::string& seen, const std::string& expected) {
    QVERIFY2(seen == expected, ("\"" + seen + "\", not \"" + expected + "\"").c_str());
}

}  // namespace

class ProtocolRefusalsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aStreamOfSomethingElseIsRefusedAtItsFirstBytes();
    void otherVersionsAndDamagedFramesAreRefused();
    void helloesAreInRange();
    void rowsAreInRange();
    void problemsAreInRange();
    void rotationsFitTheirProblem();
    void offsetsFitTheirReach();
    void mapsLieInTheirWindow();
    void runsAreInRange();
    void ordersFitTheirTokens();
    void resultsFitTheirCounts();
    void smallMessagesAreInRange();
    void flagsAreZeroOrOne();
};

void ProtocolRefusalsTest::aStreamOfSomethingElseIsRefusedAtItsFirstBytes() {
    compareRefusal(refusalOfStream(textBytes("Last login: Mon")),
                   "the helper sent \"Last\" where a frame begins with \"PLGF\"");
    compareRefusal(refusalOfStream(textBytes("\x7F"
                                             "ELF"),
                                   gpu::Side::program),
                   "the program sent \" ELF\" where a frame begins with \"PLGF\"");
    compareRefusal(refusalOfStream(textBytes("PLG")), "");
}

void ProtocolRefusalsTest::otherVersionsAndDamagedFramesAreRefused() {
    compareRefusal(refusalOfStream(changedFrame(4, 2)),
                   "the helper speaks version 2 of the protocol, this program 1");
    compareRefusal(refusalOfStream(changedFrame(4, 0), gpu::Side::program),
                   "the program speaks version 0 of the protocol, this helper 1");
    compareRefusal(refusalOfStream(changedFrame(9, 1)),
                   "the helper sent a frame whose header does not fit its checksum");
    compareRefusal(refusalOfStream(changedFrame(gpu::frameHeaderBytes, 9)),
                   "the helper sent a frame of kind echo whose payload does not fit its checksum");
    compareRefusal(refusalOfStream(gpu::encodeFrame(static_cast<gpu::FrameKind>(12), {})),
                   "the helper sent a frame of kind 12, known are 1 .. 11");
    compareRefusal(refusalOfStream(gpu::encodeFrame(static_cast<gpu::FrameKind>(0), {})),
                   "the helper sent a frame of kind 0, known are 1 .. 11");
    compareRefusal(refusalOfStream(gpu::encodeFrame(gpu::FrameKind::error, Bytes(65537))),
                   "the helper sent a frame of kind error with 65537 bytes, allowed are 0 .. 65536");
    compareRefusal(refusalOfStream(gpu::encodeFrame(gpu::FrameKind::bye, Bytes(1))),
                   "the helper sent a frame of kind bye with 1 bytes, allowed are 0 .. 0");
}

void ProtocolRefusalsTest::helloesAreInRange() {
    const auto refusal = [](auto change) {
        return refusalOf(samples::filledHelperHello(), gpu::decodeHelperHello, change);
    };
    compareRefusal(refusal([](auto& hello) { hello.state = unknownState; }),
                   "hello.state must be 0 .. 15, got 16");
    compareRefusal(refusal([](auto& hello) { hello.capabilityMinor = -1; }),
                   "hello.capabilityMinor must be 0 .. 2147483647, got -1");
    compareRefusal(refusal([](auto& hello) { hello.productsPerSecond = none; }),
                   "hello.productsPerSecond must be finite, got no number");
    compareRefusal(refusal([](auto& hello) { hello.productsPerSecond = -2.0; }),
                   "hello.productsPerSecond must be 0 or above, got -2.000000");
    Bytes hello = gpu::encode(gpu::Hello{"ab"});
    hello.back() = std::byte{'\n'};
    compareRefusal(gpu::decodeHello(payloadOf(hello)).error().message,
                   "hello.program must be UTF-8 without control characters, got \"a \"");
    Bytes longText(8 + 4097, std::byte{'a'});
    const std::uint64_t count = 4097;
    std::memcpy(longText.data(), &count, sizeof count);
    compareRefusal(gpu::decodeHello(longText).error().message,
                   "hello.program must have at most 4096 bytes, got 4097");
}

void ProtocolRefusalsTest::rowsAreInRange() {
    compareRefusal(refusalOfRows([](auto& rows) { rows.key = 0; }),
                   "rows.key must be 1 .. 18446744073709551615, got 0");
    compareRefusal(refusalOfRows([](auto& rows) { rows.width = 0; }), "rows.width must be 1 .. 4096, got 0");
    compareRefusal(refusalOfRows([](auto& rows) { rows.width = 4097; }),
                   "rows.width must be 1 .. 4096, got 4097");
    compareRefusal(refusalOfRows([](auto& rows) { rows.distinct.push_back(0.0f); }),
                   "rows.distinct must have 6 numbers, got 7");
    compareRefusal(refusalOfRows([](auto& rows) { rows.rowOf[2] = 2; }),
                   "rows.rowOf must be below the 2 distinct rows, got 2");
    compareRefusal(refusalOfRows([](auto& rows) { rows.distinct.clear(); }),
                   "rows.rowOf must be below the 0 distinct rows, got 1");
}

void ProtocolRefusalsTest::problemsAreInRange() {
    compareRefusal(refusalOfProblem([](auto& problem) { problem.key = 0; }),
                   "problem.key must be 1 .. 18446744073709551615, got 0");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.queries = 0; }),
                   "problem.queries must be 1 .. 18446744073709551615, got 0");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.values = 0; }), "");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.width = 5000; }),
                   "problem.width must be 1 .. 4096, got 5000");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.queryRows = -1; }),
                   "problem.queryRows must be 0 .. 2147483647, got -1");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.keyRows = std::int64_t{1} << 31; }),
                   "problem.keyRows must be 0 .. 2147483647, got 2147483648");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.keyStart = (std::int64_t{1} << 40) + 1; }),
                   "problem.keyStart must be 0 .. 1099511627776, got 1099511627777");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.defined = -1; }),
                   "problem.defined must be 0 .. 9223372036854775807, got -1");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.scale = HUGE_VAL; }),
                   "problem.scale must be finite, got infinity");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.contentOffset.pop_back(); }),
                   "problem.contentOffset must have none or 4 numbers, got 3");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.positionOffset.push_back(0.0f); }),
                   "problem.positionOffset must have none or 4 numbers, got 5");
}

void ProtocolRefusalsTest::rotationsFitTheirProblem() {
    const auto refusal = [](auto change) {
        return refusalOfProblem([change](gpu::ProblemMessage& problem) { change(*problem.rotation); });
    };
    compareRefusal(refusal([](auto& rotation) { rotation.turnsPerToken.push_back(0); }),
                   "problem.rotation.turnsPerToken must have 0 .. 2 numbers, two channels each, got 3");
    compareRefusal(refusal([](auto& rotation) { rotation.attentionFactor = -HUGE_VAL; }),
                   "problem.rotation.attentionFactor must be finite, got -infinity");
    compareRefusal(refusal([](auto& rotation) { rotation.axes = 0; }),
                   "problem.rotation.axes must be 1 .. 255, got 0");
    compareRefusal(refusal([](auto& rotation) { rotation.axisOfPair.pop_back(); }),
                   "problem.rotation.axisOfPair must have none or 2 numbers, got 1");
    compareRefusal(refusal([](auto& rotation) { rotation.axisOfPair[1] = 2; }),
                   "problem.rotation.axisOfPair must be below the 2 axes, got 2");
    // Keys end at position 4, queries at 2: the positions 0 .. 4 on two axes.
    compareRefusal(refusal([](auto& rotation) { rotation.axisPositions.resize(8); }),
                   "problem.rotation.axisPositions must have none or 10 numbers, got 8");
    compareRefusal(
        refusal([](auto& rotation) { rotation.axisPositions[3] = std::int64_t{1} << 42; }),
        "problem.rotation.axisPositions must be -2199023255552 .. 2199023255552, got 4398046511104");
    compareRefusal(refusal([](auto& rotation) { rotation.logGrowthPerToken.push_back(0.0); }),
                   "problem.rotation.logGrowthPerToken must have none or 2 numbers, got 3");
    compareRefusal(refusal([](auto& rotation) { rotation.logGrowthPerToken[0] = none; }),
                   "problem.rotation.logGrowthPerToken must be finite, got no number");
    compareRefusal(
        refusal([](auto& rotation) { rotation.growthCentre = std::numeric_limits<std::int64_t>::min(); }),
        "problem.rotation.growthCentre must be -2199023255552 .. 2199023255552, got -9223372036854775808");
}

void ProtocolRefusalsTest::offsetsFitTheirReach() {
    compareRefusal(refusalOfProblem([](auto& problem) { problem.scoreBias->reach = -1; }),
                   "problem.scoreBias.reach must be 0 .. 2147483647, got -1");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.scoreBias->numbers.pop_back(); }),
                   "problem.scoreBias.numbers must have 3 numbers, got 2");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.relativeKeys->reach = 1; }),
                   "problem.relativeKeys.numbers must have 12 numbers, got 4");
    compareRefusal(refusalOfProblem([](auto& problem) { problem.relativeValues->reach = 2147483647; }),
                   "problem.relativeValues.numbers must have 17179869180 numbers, got 12");
}

void ProtocolRefusalsTest::mapsLieInTheirWindow() {
    compareRefusal(refusalOfMap([](auto& map) { map.rowBegin = -1; }),
                   "run.map.rowBegin must be 0 .. 2147483646, got -1");
    compareRefusal(refusalOfMap([](auto& map) { map.rowEnd = map.rowBegin; }),
                   "run.map.rowEnd must be 5 .. 2147483647, got 4");
    compareRefusal(refusalOfMap([](auto& map) { map.columnEnd = std::int64_t{1} << 31; }),
                   "run.map.columnEnd must be 2 .. 2147483647, got 2147483648");
    compareRefusal(refusalOfMap([](auto& map) { map.pixelRows = 4; }),
                   "run.map.pixelRows must be 1 .. 3, got 4");
    compareRefusal(refusalOfMap([](auto& map) { map.pixelColumns = 0; }),
                   "run.map.pixelColumns must be 1 .. 5, got 0");
    compareRefusal(refusalOfMap([](auto& map) {
                       map.rowEnd = map.columnEnd = 1 << 20;
                       map.pixelRows = map.pixelColumns = 16385;
                   }),
                   "run.map.pixelRows × run.map.pixelColumns must be at most 268435456, got 268468225");
    compareRefusal(refusalOfMap([](auto& map) { map.firstPixelRow = 2; }),
                   "run.map.firstPixelRow must be 0 .. 1, got 2");
    compareRefusal(refusalOfMap([](auto& map) { map.endPixelRow = 1; }),
                   "run.map.endPixelRow must be 2 .. 2, got 1");
    compareRefusal(refusalOfMap([](auto& map) { map.endPixelRow = 3; }),
                   "run.map.endPixelRow must be 2 .. 2, got 3");
    compareRefusal(refusalOfMap([](auto& map) { map.firstPixelRow = map.endPixelRow = 0; }), "");
    compareRefusal(refusalOfMap([](auto& map) { map.sampledRows = -1; }),
                   "run.map.sampledRows must be 0 .. 2147483647, got -1");
}

void ProtocolRefusalsTest::runsAreInRange() {
    const auto refusal = [](auto change) { return refusalOf(samples::filledRun(), gpu::decodeRun, change); };
    compareRefusal(refusal([](auto& run) { run.id = 0; }), "run.id must be 1 .. 18446744073709551615, got 0");
    compareRefusal(refusal([](auto& run) { run.problem = 0; }),
                   "run.problem must be 1 .. 18446744073709551615, got 0");
    compareRefusal(refusal([](auto& run) { run.readsRelativeTable = true; }),
                   "run.readsRelativeTable goes with run.rowLogSums alone, got other wishes");
    compareRefusal(refusal([](auto& run) {
                       run.map.reset();
                       run.hiddenStates = false;
                       run.readsRelativeTable = true;
                   }),
                   "");
}

void ProtocolRefusalsTest::ordersFitTheirTokens() {
    compareRefusal(refusalOfOrders([](auto& orders) { orders.tokens = 1; }),
                   "orders.tokens must be 2 .. 10, got 1");
    compareRefusal(refusalOfOrders([](auto& orders) { orders.tokens = 11; }),
                   "orders.tokens must be 2 .. 10, got 11");
    compareRefusal(refusalOfOrders([](auto& orders) { orders.width = 0; }),
                   "orders.width must be 1 .. 4096, got 0");
    compareRefusal(refusalOfOrders([](auto& orders) { orders.scores.pop_back(); }),
                   "orders.scores must have 81 numbers, got 80");
    compareRefusal(refusalOfOrders([](auto& orders) { orders.values.push_back(0.0f); }),
                   "orders.values must have 18 numbers, got 19");
    compareRefusal(refusalOfOrders([](auto& orders) { orders.present.clear(); }),
                   "orders.present must have 6 numbers, got 0");
    compareRefusal(refusalOfOrders([](auto& orders) { orders.firstOrder = -1; }),
                   "orders.firstOrder must be 0 .. 6, got -1");
    compareRefusal(refusalOfOrders([](auto& orders) { orders.endOrder = 1; }),
                   "orders.endOrder must be 2 .. 6, got 1");
    compareRefusal(refusalOfOrders([](auto& orders) { orders.endOrder = 7; }),
                   "orders.endOrder must be 2 .. 6, got 7");
}

void ProtocolRefusalsTest::resultsFitTheirCounts() {
    compareRefusal(refusalOfResult([](auto& result) { result.id = 0; }),
                   "result.id must be 1 .. 18446744073709551615, got 0");
    compareRefusal(refusalOfResult([](auto& result) { result.map.pop_back(); }),
                   "result.map must have 6 numbers, got 5");
    compareRefusal(refusalOfResult([](auto& result) { result.pixelRows = -2; }),
                   "result.pixelRows must be 0 .. 2147483647, got -2");
    compareRefusal(refusalOfResult([](auto& result) { result.pixelRows = result.pixelColumns = 2147483647; }),
                   "result.map must have 4611686014132420609 numbers, got 6");
    compareRefusal(refusalOfResult([](auto& result) { result.shownColumns.pop_back(); }),
                   "result.shownColumns must have none or 2 numbers, got 1");
    compareRefusal(refusalOfResult([](auto& result) { result.shownColumns[0] = 4; }),
                   "result.shownColumns must be 0 .. 3, got 4");
    compareRefusal(refusalOfResult([](auto& result) { result.hiddenColumns = 3; }),
                   "result.hidden must have 3 numbers, got 2");
    compareRefusal(refusalOfResult([](auto& result) { result.hiddenColumns = 4097; }),
                   "result.hiddenColumns must be 0 .. 4096, got 4097");
    compareRefusal(refusalOfResult([](auto& result) { result.computedRows = -1; }),
                   "result.computedRows must be 0 .. 2147483647, got -1");
    compareRefusal(refusalOfResult([](auto& result) { result.orderDifferences.resize(11); }),
                   "result.orderDifferences must have 0 .. 10 numbers, got 11");
    compareRefusal(refusalOfResult([](auto& result) { result.deviceMilliseconds = -1.0; }),
                   "result.deviceMilliseconds must be 0 or above, got -1.000000");
    compareRefusal(refusalOfResult([](auto& result) { result.deviceMilliseconds = none; }),
                   "result.deviceMilliseconds must be finite, got no number");
}

void ProtocolRefusalsTest::smallMessagesAreInRange() {
    compareRefusal(refusalOf(gpu::EchoMessage{1, (1U << 26U) + 1}, gpu::decodeEcho, [](auto&) {}),
                   "echo.numbers must be 0 .. 67108864, got 67108865");
    compareRefusal(refusalOf(gpu::EchoMessage{0, 1}, gpu::decodeEcho, [](auto&) {}),
                   "echo.id must be 1 .. 18446744073709551615, got 0");
    compareRefusal(refusalOf(gpu::ProgressMessage{1, 5, 4}, gpu::decodeProgress, [](auto&) {}),
                   "progress.rows must be 5 .. 9223372036854775807, got 4");
    compareRefusal(refusalOf(gpu::ProgressMessage{1, -1, 4}, gpu::decodeProgress, [](auto&) {}),
                   "progress.doneRows must be 0 .. 9223372036854775807, got -1");
    compareRefusal(refusalOf(gpu::CancelMessage{0}, gpu::decodeCancel, [](auto&) {}),
                   "cancel.id must be 1 .. 18446744073709551615, got 0");
    compareRefusal(refusalOf(gpu::ErrorMessage{0, unknownState, ""}, gpu::decodeError, [](auto&) {}),
                   "error.state must be 1 .. 15, got 16");
    compareRefusal(
        refusalOf(gpu::ErrorMessage{0, gpu::HelperState::ready, ""}, gpu::decodeError, [](auto&) {}),
        "error.state must be 1 .. 15, got 0");
}

void ProtocolRefusalsTest::flagsAreZeroOrOne() {
    constexpr std::size_t mapAt = 16;
    Bytes run = gpu::encode(samples::emptyRun());
    run[gpu::frameHeaderBytes + mapAt] = std::byte{2};
    compareRefusal(gpu::decodeRun(payloadOf(run)).error().message, "run.map must be 0 .. 1, got 2");
    run = gpu::encode(samples::emptyRun());
    run.back() = std::byte{0xFF};
    compareRefusal(gpu::decodeRun(payloadOf(run)).error().message,
                   "run.readsRelativeTable must be 0 .. 1, got 255");
}

QTEST_GUILESS_MAIN(ProtocolRefusalsTest)
#include "protocol_refusals_test.moc"
