#include "gpu/helper/faulty_device.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

namespace phaseladder::gpu {
namespace {

constexpr std::array<std::string_view, 14> callNames{
    "driverVersion", "runtimeVersion", "deviceCount", "properties", "freeMemory", "allocate",   "release",
    "upload",        "download",       "clear",       "launch",     "query",      "startClock", "readClock"};

bool readWhole(std::string_view text, int& number) {
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
    return code == std::errc() && end == text.data() + text.size();
}

/// The faults that are left to happen, and the request that is open.
struct Plan {
    std::vector<PlannedFault> faults;
    int request = 0;

    /// The fault of this call, which it then has had.
    const PlannedFault* take(std::string_view call, PlannedFault::Kind kind) {
        const auto planned = std::ranges::find_if(faults, [&](const PlannedFault& fault) {
            return fault.call == call && fault.kind == kind && (fault.isInAll || fault.request == request);
        });
        if (planned == faults.end()) {
            return nullptr;
        }
        if (!planned->isEvery) {
            happened = std::exchange(*planned, PlannedFault{});
            return &happened;
        }
        return &*planned;
    }

    PlannedFault happened;
};

/// A call that answers a planned code in place of what it would do.
template <class... Arguments>
void spoil(std::function<DeviceCode(Arguments...)>& call, const char* name,
           const std::shared_ptr<Plan>& plan) {
    call = [call, name, plan](Arguments... arguments) {
        const PlannedFault* fault = plan->take(name, PlannedFault::Kind::code);
        return fault == nullptr ? call(std::forward<Arguments>(arguments)...) : fault->number;
    };
}

void spoilAnswers(DeviceCalls& device, const std::shared_ptr<Plan>& plan) {
    device.driverVersion = [version = device.driverVersion, plan](int& number) {
        const PlannedFault* fault = plan->take("driverVersion", PlannedFault::Kind::answer);
        const DeviceCode code = version(number);
        number = fault == nullptr ? number : fault->number;
        return code;
    };
    device.query = [query = device.query, plan](bool& isDone) {
        const bool hangs = plan->take("query", PlannedFault::Kind::hang) != nullptr;
        const DeviceCode code = query(isDone);
        isDone = isDone && !hangs;
        return code;
    };
    device.download = [download = device.download, plan](void* to, const void* from, std::size_t bytes) {
        const DeviceCode code = download(to, from, bytes);
        if (plan->take("download", PlannedFault::Kind::flip) != nullptr) {
            constexpr std::size_t upperByte = 2;  // the largest bit of the fraction
            for (std::size_t at = upperByte; at < bytes; at += sizeof(float)) {
                static_cast<unsigned char*>(to)[at] ^= 0x40U;
            }
        }
        return code;
    };
}

}  // namespace

Result<PlannedFault> readFault(const std::string& text) {
    const auto refuse = [&text] {
        return fail(ErrorKind::usage,
                    "--fault is CALL:CODE[@REQUEST][*], such as launch:700@2 (got \"" + text + "\").");
    };
    PlannedFault fault;
    std::string_view left = text;
    if (left.ends_with('*')) {
        fault.isEvery = true;
        left.remove_suffix(1);
    }
    const std::size_t mark = left.find('@');
    fault.isInAll = fault.isEvery && mark == std::string_view::npos;
    if (mark != std::string_view::npos) {
        if (!readWhole(left.substr(mark + 1), fault.request) || fault.request < 0) {
            return refuse();
        }
        left = left.substr(0, mark);
    }
    const std::size_t colon = left.find_first_of(":=");
    fault.call = left.substr(0, colon);
    if (colon == std::string_view::npos || std::ranges::find(callNames, fault.call) == callNames.end()) {
        return refuse();
    }
    const std::string_view what = left.substr(colon + 1);
    if (what == "hang" && fault.call == "query") {
        fault.kind = PlannedFault::Kind::hang;
        fault.isEvery = true;
    } else if (what == "flip" && fault.call == "download") {
        fault.kind = PlannedFault::Kind::flip;
        fault.isEvery = true;
    } else if (!readWhole(what, fault.number)) {
        return refuse();
    } else if (left[colon] == '=' && fault.call == "driverVersion") {
        fault.kind = PlannedFault::Kind::answer;
    } else if (left[colon] == '=') {
        return refuse();
    }
    return fault;
}

DeviceCalls makeFaulty(DeviceCalls device, std::vector<PlannedFault> faults) {
    const auto plan = std::make_shared<Plan>(Plan{std::move(faults), 0, {}});
    spoilAnswers(device, plan);
    spoil(device.driverVersion, "driverVersion", plan);
    spoil(device.runtimeVersion, "runtimeVersion", plan);
    spoil(device.deviceCount, "deviceCount", plan);
    spoil(device.properties, "properties", plan);
    spoil(device.freeMemory, "freeMemory", plan);
    spoil(device.allocate, "allocate", plan);
    spoil(device.release, "release", plan);
    spoil(device.upload, "upload", plan);
    spoil(device.download, "download", plan);
    spoil(device.clear, "clear", plan);
    spoil(device.launch, "launch", plan);
    spoil(device.query, "query", plan);
    spoil(device.startClock, "startClock", plan);
    spoil(device.readClock, "readClock", plan);
    device.beginRequest = [plan] { ++plan->request; };
    return device;
}

}  // namespace phaseladder::gpu
