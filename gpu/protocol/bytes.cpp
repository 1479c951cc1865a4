#include "gpu/protocol/bytes.h"

#include <cmath>

namespace phaseladder::gpu {
namespace {

/// Bytes of the character that a text begins with; 0 where it is a control character or no UTF-8.
std::size_t characterBytes(std::string_view text) {
    const auto byteAt = [text](std::size_t at) -> unsigned { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byteAt(0);
    if (first < 0x80) {
        return first >= 0x20 && first != 0x7F ? 1 : 0;
    }
    const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) {
        return 0;
    }
    unsigned code = first & (0x7FU >> length);
    for (std::size_t at = 1; at < length; ++at) {
        if ((byteAt(at) & 0xC0U) != 0x80) {
            return 0;
        }
        code = (code << 6U) | (byteAt(at) & 0x3FU);
    }
    const unsigned smallest = length == 2 ? 0xA0 : length == 3 ? 0x800 : 0x10000;
    const bool isSurrogate = code >= 0xD800 && code <= 0xDFFF;
    return code >= smallest && code <= 0x10FFFF && !isSurrogate ? length : 0;
}

}  // namespace

std::string showableText(std::string_view text) {
    std::string shown;
    while (!text.empty()) {
        const std::size_t length = characterBytes(text);
        const std::size_t taken = length == 0 ? 1 : length;
        if (shown.size() + taken > mostTextBytes) {
            break;
        }
        if (length > 0) {
            shown += text.substr(0, length);
        } else {
            shown += static_cast<unsigned char>(text[0]) < 0x80 ? ' ' : '?';
        }
        text.remove_prefix(taken);
    }
    return shown;
}

const std::byte* PayloadReader::take(std::string_view name, std::size_t size) {
    if (hasFailed()) {
        return nullptr;
    }
    if (m_rest.size() < size) {
        refuse(name, " is cut off: it has " + std::to_string(size) + " bytes, " +
                         std::to_string(m_rest.size()) + " are there");
        return nullptr;
    }
    const std::byte* bytes = m_rest.data();
    m_rest = m_rest.subspan(size);
    return bytes;
}

std::size_t PayloadReader::countOf(std::string_view name, std::size_t size) {
    const auto count = number<std::uint64_t>(name);
    if (count > m_rest.size() / size) {
        refuse(name, " is cut off: it has " + std::to_string(count) + " numbers of " + std::to_string(size) +
                         " bytes, " + std::to_string(m_rest.size()) + " bytes are there");
    }
    return hasFailed() ? 0 : static_cast<std::size_t>(count);
}

double PayloadReader::finite(std::string_view name) {
    const auto value = number<double>(name);
    requireFinite(name, {&value, 1});
    return value;
}

void PayloadReader::requireFinite(std::string_view name, std::span<const double> numbers) {
    for (const double value : numbers) {
        if (!std::isfinite(value)) {
            refuse(name, std::string(" must be finite, got ") + (std::isnan(value) ? "no number"
                                                                 : value > 0       ? "infinity"
                                                                                   : "-infinity"));
            return;
        }
    }
}

std::string PayloadReader::text(std::string_view name) {
    const std::size_t count = countOf(name, 1);
    if (count > mostTextBytes) {
        refuse(name, " must have at most " + std::to_string(mostTextBytes) + " bytes, got " +
                         std::to_string(count));
        return {};
    }
    const std::byte* bytes = take(name, count);
    if (bytes == nullptr) {
        return {};
    }
    std::string value(count, '\0');
    std::memcpy(value.data(), bytes, count);
    if (showableText(value) != value) {
        refuse(name, " must be UTF-8 without control characters, got \"" + showableText(value) + "\"");
    }
    return value;
}

void PayloadReader::requireCount(std::string_view name, std::uint64_t count, std::uint64_t wanted) {
    if (count != wanted) {
        refuse(name, " must have " + std::to_string(wanted) + " numbers, got " + std::to_string(count));
    }
}

void PayloadReader::requireNoneOrCount(std::string_view name, std::uint64_t count, std::uint64_t wanted) {
    if (count != 0 && count != wanted) {
        refuse(name,
               " must have none or " + std::to_string(wanted) + " numbers, got " + std::to_string(count));
    }
}

void PayloadReader::refuse(std::string_view name, const std::string& what) {
    if (!m_refusal) {
        m_refusal = m_message + "." + std::string(name) + what;
    }
}

void PayloadReader::requireEnd() {
    if (!m_refusal && !m_rest.empty()) {
        m_refusal =
            m_message + " must end with its last field, got " + std::to_string(m_rest.size()) + " bytes more";
    }
}

}  // namespace phaseladder::gpu
