#include "gpu/helper/device_probe.h"

#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

namespace phaseladder::gpu {
namespace {

constexpr int positions = 8, pairs = 2;
/// A position of which p · W of 64 bits has wrapped many times, and that is 1 of 8 after all.
constexpr std::int64_t firstPosition = (std::int64_t{1} << 40U) + 1;
constexpr float rootHalf = 0.70710678F;

/// cos of eighths of a turn, from the first one on; of sin, two further back.
constexpr std::array<float, 8> cosines{1.0F, rootHalf, 0.0F, -rootHalf, -1.0F, -rootHalf, 0.0F, rootHalf};

std::string number(float value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.7g", static_cast<double>(value));
    return text.data();
}

/// Compares with what is known: pair 0 turns by an eighth of a turn a token, pair 1 by three.
void compare(DeviceSession& session, const std::vector<float>& cosine, const std::vector<float>& sine) {
    constexpr float tolerance = 1e-6F;
    for (std::size_t at = 0; at < cosine.size(); ++at) {
        const std::size_t eighths = (at / pairs + 1) * (at % pairs == 0 ? 1 : 3) % 8;
        const std::array<float, 2> computed{cosine[at], sine[at]};
        const std::array<float, 2> right{cosines[eighths], cosines[(eighths + 6) % 8]};
        for (std::size_t which = 0; which < right.size(); ++which) {
            if (!(std::fabs(computed[which] - right[which]) <= tolerance)) {
                session.fail({HelperState::wrongAnswer, "the probe computed " + number(computed[which]) +
                                                            " where " + number(right[which]) + " is right"});
                return;
            }
        }
    }
}

void computeKnownPhases(DeviceSession& session, const std::function<void()>& meanwhile) {
    const std::vector<std::uint64_t> turnsPerToken{std::uint64_t{1} << 61U, std::uint64_t{3} << 61U};
    const DeviceArray<std::uint64_t> turns = session.upload(turnsPerToken);
    const DeviceArray<float> cosine(session, positions * pairs), sine(session, positions * pairs);
    PhaseTableArguments table{};
    table.rotation.turnsPerToken = turns.data();
    table.rotation.pairs = pairs;
    table.rotation.attentionFactor = 1.0F;
    table.rotation.axes = 1;
    table.rows = positions;
    table.start = firstPosition;
    table.step = 1;
    table.cosine = cosine.data();
    table.sine = sine.data();
    session.launch(table, {1, 1});
    session.wait(meanwhile);
    std::vector<float> cosineNumbers(positions * pairs), sineNumbers(positions * pairs);
    session.download(cosine.data(), std::span(cosineNumbers));
    session.download(sine.data(), std::span(sineNumbers));
    if (session.isGood()) {
        compare(session, cosineNumbers, sineNumbers);
    }
}

}  // namespace

HelperHello probeDevice(DeviceSession& session, const std::function<void()>& meanwhile) {
    session.open();
    computeKnownPhases(session, meanwhile);
    HelperHello hello;
    hello.program = "phaseladder-gpu " PHASELADDER_VERSION;
    hello.isEmulated = session.isEmulated();
    hello.freeBytes = session.freeMemory();
    hello.device = session.properties().name;
    hello.memoryBytes = session.properties().memoryBytes;
    hello.capabilityMajor = session.properties().capabilityMajor;
    hello.capabilityMinor = session.properties().capabilityMinor;
    hello.driverVersion = session.isEmulated() ? 0 : session.driverVersion();
    hello.runtimeVersion = session.isEmulated() ? 0 : session.runtimeVersion();
    hello.productsPerSecond = session.properties().productsPerSecond;
    if (session.fault()) {
        hello.state = session.fault()->state;
        hello.reason = session.fault()->reason;
    }
    return hello;
}

}  // namespace phaseladder::gpu
