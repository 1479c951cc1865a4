#include "core/import/npy_dictionary.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "core/import/text.h"

namespace phaseladder {
namespace {

/// Takes a header's dictionary apart. Each part returns false at the first character that does not belong
/// there; m_problem then says why.
class DictionaryParser {
public:
    explicit DictionaryParser(std::string_view text) : m_text(text) {}

    Result<NpyDictionary> parse() {
        if (!dictionary()) {
            return fail(ErrorKind::invalidInput, std::move(m_problem));
        }
        return std::move(m_dictionary);
    }

private:
    bool dictionary() {
        if (!take('{')) {
            return unexpected();
        }
        while (!take('}')) {
            if (!entry()) {
                return false;
            }
            if (!take(',') && peek() != '}') {
                return unexpected();
            }
        }
        skipSpaces();
        return m_at == m_text.size() || unexpected();
    }

    bool entry() {
        std::string key;
        if (!string(key)) {
            return false;
        }
        if (!take(':')) {
            return unexpected();
        }
        if (key == "descr") {
            return isNew(key, m_dictionary.type.has_value()) && type();
        }
        if (key == "fortran_order") {
            return isNew(key, m_dictionary.columnMajor.has_value()) && truth();
        }
        if (key == "shape") {
            return isNew(key, m_dictionary.shape.has_value()) && shape();
        }
        return problem(
            fmt::format("Header is not a plain NumPy header (unknown key {}; known: 'descr', "
                        "'fortran_order', 'shape').",
                        quotedText(key)));
    }

    bool isNew(const std::string& key, bool known) {
        return !known || problem(fmt::format("Key {} appears twice in the header.", quotedText(key)));
    }

    bool type() {
        if (peek() == '[') {
            return problem("Arrays of records are not read; save one array of numbers.");
        }
        return string(m_dictionary.type.emplace());
    }

    bool truth() {
        skipSpaces();
        for (const std::string_view word : {"True", "False"}) {
            if (m_text.substr(m_at).starts_with(word)) {
                m_at += word.size();
                m_dictionary.columnMajor = word == "True";
                return true;
            }
        }
        return unexpected();
    }

    /// "()", "(3,)", "(3, 4)"; "(3)" is no tuple.
    bool shape() {
        std::vector<std::int64_t>& lengths = m_dictionary.shape.emplace();
        if (!take('(')) {
            return unexpected();
        }
        while (!take(')')) {
            if (!length(lengths.emplace_back())) {
                return false;
            }
            if (!take(',') && (lengths.size() == 1 || peek() != ')')) {
                return unexpected();
            }
        }
        return true;
    }

    bool length(std::int64_t& value) {
        skipSpaces();
        const char* const begin = m_text.data() + m_at;
        if (peek() < '0' || peek() > '9') {
            return unexpected();
        }
        const auto [end, error] = std::from_chars(begin, m_text.data() + m_text.size(), value);
        if (error != std::errc()) {
            return problem(
                fmt::format("A dimension is beyond 64 bits ({}).",
                            quotedText(std::string_view(begin, static_cast<std::size_t>(end - begin)))));
        }
        m_at += static_cast<std::size_t>(end - begin);
        m_at += m_text.substr(m_at).starts_with('L') ? 1 : 0;  // a long integer of Python 2
        return true;
    }

    /// A text in quotes of either kind, without escapes.
    bool string(std::string& value) {
        const char quote = peek();
        if (quote != '\'' && quote != '"') {
            return unexpected();
        }
        const std::size_t begin = ++m_at;
        m_at = std::min(m_text.find_first_of(std::string{quote, '\\', '\n'}, begin), m_text.size());
        if (m_at == m_text.size() || m_text[m_at] != quote) {
            return unexpected();
        }
        value = m_text.substr(begin, m_at - begin);
        ++m_at;
        return true;
    }

    void skipSpaces() { m_at = std::min(m_text.find_first_not_of(" \t\r\n", m_at), m_text.size()); }

    /// The next character that is no space; 0 at the end.
    char peek() {
        skipSpaces();
        return m_at < m_text.size() ? m_text[m_at] : '\0';
    }

    bool take(char character) {
        if (m_at == m_text.size() || peek() != character) {
            return false;
        }
        ++m_at;
        return true;
    }

    bool problem(std::string sentence) {
        m_problem = std::move(sentence);
        return false;
    }

    bool unexpected() {
        skipSpaces();
        const std::string_view rest = m_text.substr(m_at);
        return problem(rest.empty()
                           ? fmt::format("Header is not a plain NumPy header (it ends at {}).", m_at)
                           : fmt::format("Header is not a plain NumPy header (unexpected {} at {}).",
                                         quotedText(rest.substr(0, decodeCharacter(rest).bytes)), m_at + 1));
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    NpyDictionary m_dictionary;
    std::string m_problem;
};

}  // namespace

Result<NpyDictionary> parseNpyDictionary(std::string_view text) {
    return DictionaryParser(text).parse();
}

}  // namespace phaseladder
