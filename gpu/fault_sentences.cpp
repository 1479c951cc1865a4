#include "gpu/fault_sentences.h"

#include <fmt/format.h>

namespace phaseladder::gpu {
namespace {

/// What a state is called where the helper gave no reason.
const char* nameOf(HelperState state) {
    switch (state) {
        case HelperState::ready:
            return "the GPU is ready";
        case HelperState::noToolkit:
            return "the GPU helper was built without CUDA";
        case HelperState::noDriver:
            return "no NVIDIA driver found";
        case HelperState::driverTooOld:
            return "the NVIDIA driver is too old; 580 or newer is needed";
        case HelperState::noDevice:
            return "no GPU found";
        case HelperState::deviceBusy:
            return "the GPU is in use by another program";
        case HelperState::driverMismatch:
            return "the NVIDIA driver and its library differ";
        case HelperState::deviceTooOld:
            return "the GPU is too old; compute capability 7.5 is needed";
        case HelperState::wrongAnswer:
            return "the GPU computed a wrong number in its probe";
        case HelperState::outOfMemory:
            return "the GPU has not enough memory";
        case HelperState::launchTimedOut:
            return "the system ended a computation on the GPU that took too long";
        case HelperState::deviceLost:
            return "the GPU was lost";
        case HelperState::hung:
            return "the GPU does not answer";
        case HelperState::cancelled:
            return "the GPU helper cancelled what nobody cancelled";
        case HelperState::unknownRows:
            return "the GPU helper forgets what it was sent";
        case HelperState::badMessage:
            return "the GPU helper did not understand what it was sent";
    }
    return "the GPU failed";
}

/// What a person can do, unless the reason says it already.
const char* adviceFor(HelperState state) {
    switch (state) {
        case HelperState::deviceBusy:
            return "try again";
        case HelperState::driverMismatch:
            return "restart the computer";
        case HelperState::launchTimedOut:
            return "smaller windows take less time at once";
        default:
            return "";
    }
}

std::string sentence(HelperState state, const std::string& reason) {
    const std::string text = withoutStop(reason.empty() ? nameOf(state) : reason);
    const std::string advice = adviceFor(state);
    return advice.empty() || text.find(advice) != std::string::npos ? text
                                                                    : fmt::format("{}; {}", text, advice);
}

}  // namespace

std::string withoutStop(std::string sentence) {
    while (sentence.ends_with('.')) {
        sentence.pop_back();
    }
    return sentence;
}

std::string whyNotReady(const HelperHello& hello) {
    return sentence(hello.state, hello.reason);
}

std::string whatFailed(const ErrorMessage& error) {
    return sentence(error.state, error.reason);
}

bool isOrdinary(HelperState state) {
    return state == HelperState::noToolkit || state == HelperState::noDriver;
}

}  // namespace phaseladder::gpu
