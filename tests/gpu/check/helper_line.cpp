#include "tests/gpu/check/helper_line.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>

extern char** environ;

namespace phaseladder::tests {
namespace {

constexpr int patience = 120'000;  // milliseconds without a byte; sanitizers take long to begin
constexpr std::size_t portion = std::size_t{1} << 20U;

}  // namespace

HelperLine::HelperLine(const std::vector<std::string>& command) {
    std::array<int, 2> in{-1, -1}, out{-1, -1};
    if (pipe2(in.data(), O_CLOEXEC) != 0 || pipe2(out.data(), O_CLOEXEC) != 0) {
        return;
    }
    m_to = in[1];
    m_from = out[0];
    std::vector<char*> words;
    for (const std::string& word : command) {
        words.push_back(const_cast<char*>(word.c_str()));  // NOLINT: spawning changes none of them
    }
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in[0], STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, out[1], STDOUT_FILENO);
    if (posix_spawnp(&m_process, words.front(), &actions, nullptr, words.data(), environ) != 0) {
        m_process = -1;
    }
    posix_spawn_file_actions_destroy(&actions);
    close(in[0]);
    close(out[1]);
}

HelperLine::~HelperLine() {
    send(gpu::encodeBye());
    close(m_to);
    close(m_from);
    while (m_process > 0 && waitpid(m_process, nullptr, 0) < 0 && errno == EINTR) {
    }
}

Result<gpu::HelperHello> HelperLine::greet() {
    send(gpu::encode(gpu::Hello{"gpu_check"}));
    const Result<gpu::Frame> frame = receive();
    if (!frame) {
        return tl::unexpected(frame.error());
    }
    Result<gpu::HelperHello> hello = gpu::decodeHelperHello(frame->payload);
    if (hello && hello->state != gpu::HelperState::ready) {
        return fail(ErrorKind::unavailable, hello->reason);
    }
    return hello;
}

void HelperLine::send(const gpu::Bytes& frame) {
    std::span<const std::byte> rest(frame);
    while (!rest.empty()) {
        const ssize_t count = write(m_to, rest.data(), rest.size());
        if (count < 0 && errno != EINTR) {
            return;  // its end shows when an answer is waited for
        }
        rest = rest.subspan(count < 0 ? 0 : static_cast<std::size_t>(count));
    }
}

Result<gpu::ResultMessage> HelperLine::ask(const gpu::Bytes& request) {
    send(request);
    const Result<gpu::Frame> frame = receive();
    if (!frame) {
        return tl::unexpected(frame.error());
    }
    if (frame->kind == gpu::FrameKind::error) {
        const Result<gpu::ErrorMessage> error = gpu::decodeError(frame->payload);
        return fail(ErrorKind::failed, error ? error->reason : error.error().message);
    }
    if (frame->kind != gpu::FrameKind::result) {
        return fail(ErrorKind::failed, "the helper sent no result");
    }
    return gpu::decodeResult(frame->payload);
}

/// The next frame but for those of progress.
Result<gpu::Frame> HelperLine::receive() {
    std::vector<std::byte> bytes(portion);
    for (;;) {
        Result<std::optional<gpu::Frame>> frame = m_reader.next();
        if (!frame) {
            return tl::unexpected(frame.error());
        }
        if (*frame && (*frame)->kind != gpu::FrameKind::progress) {
            return std::move(**frame);
        }
        if (*frame) {
            continue;
        }
        pollfd waiting{m_from, POLLIN, 0};
        if (poll(&waiting, 1, patience) == 0) {
            return fail(ErrorKind::failed, "the helper was silent for two minutes");
        }
        const ssize_t count = read(m_from, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return fail(ErrorKind::failed, "the helper ended, or could not be started");
        }
        m_reader.add(std::span(bytes).first(static_cast<std::size_t>(count)));
    }
}

}  // namespace phaseladder::tests
