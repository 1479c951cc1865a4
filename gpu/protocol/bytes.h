#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/result.h"
#include "gpu/protocol/frame.h"

namespace phaseladder::gpu {

// How numbers, arrays and texts stand in a payload: little-endian, one behind the other, without gaps.
//   number  1, 2, 4 or 8 bytes     flag  u8, 0 or 1     text  u64 count of bytes, then UTF-8
//   array   u64 count, then the numbers                 optional part  flag, then the part where it is 1

static_assert(std::endian::native == std::endian::little, "arrays are copied as they lie in memory");

/// Texts of messages have at most so many bytes.
inline constexpr std::size_t mostTextBytes = 4096;

/// The text as a message may carry it: at most mostTextBytes bytes; ' ' for control characters and '?' for
/// what is no UTF-8.
[[nodiscard]] std::string showableText(std::string_view text);

/// Puts the header into the first frameHeaderBytes of a frame.
[[nodiscard]] Bytes withHeader(Bytes frame, FrameKind kind);

/// Writes the payload of one frame behind the room for its header.
class PayloadWriter {
public:
    /// Takes memory once where it is told how many bytes the arrays have.
    explicit PayloadWriter(std::size_t arrayBytes = 0) {
        constexpr std::size_t otherBytes = 512;
        m_frame.reserve(arrayBytes + otherBytes);
        m_frame.resize(frameHeaderBytes);
    }

    template <class Number>
    void number(Number value) {
        append(&value, sizeof value);
    }

    void flag(bool value) { number(static_cast<std::uint8_t>(value ? 1 : 0)); }

    template <class Number>
    void numbers(const std::vector<Number>& values) {
        number<std::uint64_t>(values.size());
        append(values.data(), values.size() * sizeof(Number));
    }

    void text(std::string_view value) {
        const std::string shown = showableText(value);
        number<std::uint64_t>(shown.size());
        append(shown.data(), shown.size());
    }

    /// The whole frame; the writer is empty then.
    [[nodiscard]] Bytes frame(FrameKind kind) { return withHeader(std::move(m_frame), kind); }

private:
    void append(const void* data, std::size_t size) {
        const auto* bytes = static_cast<const std::byte*>(data);
        m_frame.insert(m_frame.end(), bytes, bytes + size);
    }

    Bytes m_frame;
};

/// Reads a payload from front to back. The first thing that is wrong is kept as a sentence, and all that is
/// read after it is 0 or empty. Names of fields appear in sentences behind the message's: "rows.width".
class PayloadReader {
public:
    PayloadReader(std::string message, std::span<const std::byte> payload)
        : m_message(std::move(message)), m_rest(payload) {}

    template <class Number>
    [[nodiscard]] Number number(std::string_view name) {
        Number value{};
        if (const std::byte* bytes = take(name, sizeof value)) {
            std::memcpy(&value, bytes, sizeof value);
        }
        return value;
    }

    /// A whole number from lowest to highest.
    template <class Number>
    [[nodiscard]] Number number(std::string_view name, Number lowest, Number highest) {
        const Number value = number<Number>(name);
        if (!hasFailed() && (value < lowest || value > highest)) {
            refuse(name, " must be " + std::to_string(lowest) + " .. " + std::to_string(highest) + ", got " +
                             std::to_string(value));
            return Number{};
        }
        return value;
    }

    /// A number that is neither infinite nor none.
    [[nodiscard]] double finite(std::string_view name);

    [[nodiscard]] bool flag(std::string_view name) {
        return number<std::uint8_t>(name, std::uint8_t{0}, std::uint8_t{1}) == 1;
    }

    /// An array; its count is checked against the bytes that are there before it takes memory.
    template <class Number>
    [[nodiscard]] std::vector<Number> numbers(std::string_view name) {
        const std::size_t count = countOf(name, sizeof(Number));
        std::vector<Number> values(count);
        if (count > 0) {
            std::memcpy(values.data(), take(name, count * sizeof(Number)), count * sizeof(Number));
        }
        return values;
    }

    [[nodiscard]] std::string text(std::string_view name);

    /// Refuses an array that has another count of numbers.
    void requireCount(std::string_view name, std::uint64_t count, std::uint64_t wanted);
    /// The same of an array that may also be empty.
    void requireNoneOrCount(std::string_view name, std::uint64_t count, std::uint64_t wanted);

    /// Refuses an array with a number that is infinite or none.
    void requireFinite(std::string_view name, std::span<const double> numbers);

    /// Keeps the sentence of a field, unless there is one already: its name, then `what`.
    void refuse(std::string_view name, const std::string& what);

    [[nodiscard]] bool hasFailed() const { return m_refusal.has_value(); }

    /// The message, or what is wrong with the payload.
    template <class Message>
    [[nodiscard]] Result<Message> finish(Message message) {
        requireEnd();
        if (m_refusal) {
            return fail(ErrorKind::invalidInput, *m_refusal);
        }
        return message;
    }

private:
    /// The next bytes of the payload, or null where they are not there.
    [[nodiscard]] const std::byte* take(std::string_view name, std::size_t size);
    /// The count of an array whose numbers are there.
    [[nodiscard]] std::size_t countOf(std::string_view name, std::size_t size);
    void requireEnd();

    std::string m_message;
    std::span<const std::byte> m_rest;
    std::optional<std::string> m_refusal;
};

}  // namespace phaseladder::gpu
