#include "core/import/checked_json.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "core/import/text.h"
#include "core/number_text.h"

namespace phaseladder {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t maximumDepth = 64;
constexpr std::size_t maximumStringBytes = 1u << 20;

/// Reads a text and keeps, outside itself, how far the parser has come.
class TrackingIterator {
public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    TrackingIterator() = default;
    TrackingIterator(const char* at, const char** reached) : m_at(at), m_reached(reached) {}

    reference operator*() const { return *m_at; }
    TrackingIterator& operator++() {
        *m_reached = ++m_at;
        return *this;
    }
    TrackingIterator operator++(int) {
        const TrackingIterator before = *this;
        ++*this;
        return before;
    }
    friend bool operator==(const TrackingIterator& left, const TrackingIterator& right) {
        return left.m_at == right.m_at;
    }

private:
    const char* m_at = nullptr;
    const char** m_reached = nullptr;
};

/// Builds the value while it checks: the parser calls these and stops at the first `false`; `m_error` says
/// why.
class CheckingBuilder {
public:
    CheckingBuilder(std::string_view text, std::size_t maximumValues)
        : m_text(text), m_reached(text.data()), m_maximumValues(maximumValues) {}

    Result<Json> parse() {
        // The parser takes a zero byte for the end.
        if (const std::size_t zero = m_text.find('\0'); zero != std::string_view::npos) {
            return fail(ErrorKind::invalidInput,
                        fmt::format("Not valid JSON: a zero byte in line {} (byte {}).", lineAt(zero), zero));
        }
        const TrackingIterator begin(m_text.data(), &m_reached);
        const TrackingIterator end(m_text.data() + m_text.size(), &m_reached);
        if (!Json::sax_parse(begin, end, this)) {
            return fail(ErrorKind::invalidInput, m_error);
        }
        return std::move(m_root);
    }

    bool null() { return put(nullptr) != nullptr; }
    bool boolean(bool value) { return put(value) != nullptr; }
    bool number_integer(Json::number_integer_t value) { return put(value) != nullptr; }
    bool number_unsigned(Json::number_unsigned_t value) { return put(value) != nullptr; }
    bool number_float(Json::number_float_t value, const std::string&) { return put(value) != nullptr; }
    bool binary(Json::binary_t&) { return false; }

    bool string(std::string& value) { return fits(value) && put(std::move(value)) != nullptr; }

    bool key(std::string& name) {
        if (!fits(name)) {
            return false;
        }
        const auto [known, isNew] = m_open.back().keys.try_emplace(name, offset());
        if (!isNew) {
            return refuse(fmt::format("Key {} appears twice (lines {}, {}).", quotedText(name),
                                      lineAt(known->second), lineAt(offset())));
        }
        m_key = std::move(name);
        return true;
    }

    bool start_object(std::size_t) { return open(Json::object()); }
    bool end_object() { return close(); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_array() { return close(); }

    bool parse_error(std::size_t position, const std::string& lastToken, const Json::exception& exception) {
        constexpr int numberOverflow = 406;
        if (position > m_text.size()) {
            return refuse(fmt::format("File is incomplete (JSON ends at byte {}). Nothing was changed.",
                                      m_text.size()));
        }
        if (exception.id == numberOverflow) {
            return refuse(fmt::format("{} must be a finite number (got {}, line {}).",
                                      m_key.empty() ? "A value" : quotedText(m_key), lastToken,
                                      lineAt(position)));
        }
        return refuse(
            fmt::format("Not valid JSON: unexpected {} in line {} (byte {}).",
                        quotedText(lastToken.substr(lastToken.size() > 20 ? lastToken.size() - 20 : 0)),
                        lineAt(position), position - std::min<std::size_t>(position, 1)));
    }

private:
    struct Container {
        Json* value = nullptr;
        std::unordered_map<std::string, std::size_t> keys;  // and where each ends
    };

    std::size_t offset() const { return static_cast<std::size_t>(m_reached - m_text.data()); }

    std::ptrdiff_t lineAt(std::size_t byte) const {
        const std::string_view before = m_text.substr(0, byte);
        return 1 + std::count(before.begin(), before.end(), '\n');
    }

    bool refuse(std::string sentence) {
        m_error = std::move(sentence);
        return false;
    }

    bool fits(const std::string& text) {
        return text.size() <= maximumStringBytes ||
               refuse(fmt::format("A text in line {} is {} bytes long; the limit is {}.", lineAt(offset()),
                                  formatGrouped(text.size()), formatGrouped(maximumStringBytes)));
    }

    /// Puts a value where it belongs; null when there are too many. Appends to the object's list: looking its
    /// keys up one by one would take quadratic time.
    Json* put(Json value) {
        if (++m_values > m_maximumValues) {
            refuse(fmt::format("More than {} values (byte {}).", formatGrouped(m_maximumValues), offset()));
            return nullptr;
        }
        if (m_open.empty()) {
            m_root = std::move(value);
            return &m_root;
        }
        Json& parent = *m_open.back().value;
        if (parent.is_array()) {
            parent.push_back(std::move(value));
            return &parent.back();
        }
        auto& members = parent.get_ref<Json::object_t&>();
        members.emplace_back(m_key, std::move(value));
        return &members.back().second;
    }

    bool open(Json container) {
        if (m_open.size() == maximumDepth) {
            return refuse(
                fmt::format("Nested deeper than {} levels at byte {}.", maximumDepth, offset() - 1));
        }
        Json* const value = put(std::move(container));
        if (value == nullptr) {
            return false;
        }
        m_open.push_back({value, {}});
        return true;
    }

    bool close() {
        m_open.pop_back();
        return true;
    }

    std::string_view m_text;
    const char* m_reached;
    std::size_t m_maximumValues;
    std::size_t m_values = 0;
    Json m_root;
    std::vector<Container> m_open;
    std::string m_key;
    std::string m_error;
};

}  // namespace

Result<Json> parseCheckedJson(std::string_view text, std::size_t limit, std::size_t maximumValues) {
    if (text.size() > limit) {
        return fail(ErrorKind::invalidInput, fmt::format("File is {} bytes; the limit is {}.",
                                                         formatGrouped(text.size()), formatGrouped(limit)));
    }
    return CheckingBuilder(text, maximumValues).parse();
}

}  // namespace phaseladder
