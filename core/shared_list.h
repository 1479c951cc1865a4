#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <utility>
#include <vector>

namespace phaseladder {

/// A list that stays as it was made. Copies share it, and lists that are shared are equal without a look at
/// them: a text of a million words is copied, kept in an undo step and compared at no cost.
template <class Value>
class SharedList {
public:
    SharedList() = default;
    SharedList(std::vector<Value> values)
        : m_values(values.empty() ? nullptr : std::make_shared<const std::vector<Value>>(std::move(values))) {
    }
    SharedList(std::initializer_list<Value> values) : SharedList(std::vector<Value>(values)) {}

    [[nodiscard]] const std::vector<Value>& values() const {
        static const std::vector<Value> none;
        return m_values != nullptr ? *m_values : none;
    }
    operator const std::vector<Value>&() const { return values(); }

    [[nodiscard]] bool empty() const { return m_values == nullptr; }
    [[nodiscard]] std::size_t size() const { return values().size(); }
    [[nodiscard]] const Value* data() const { return values().data(); }
    [[nodiscard]] auto begin() const { return values().begin(); }
    [[nodiscard]] auto end() const { return values().end(); }
    [[nodiscard]] const Value& operator[](std::size_t index) const { return values()[index]; }
    [[nodiscard]] const Value& front() const { return values().front(); }
    [[nodiscard]] const Value& back() const { return values().back(); }

    /// This copy becomes empty; the others stay.
    void clear() { m_values.reset(); }

    friend bool operator==(const SharedList& left, const SharedList& right) {
        return left.m_values == right.m_values || left.values() == right.values();
    }
    friend bool operator==(const SharedList& left, const std::vector<Value>& right) {
        return left.values() == right;
    }

private:
    std::shared_ptr<const std::vector<Value>> m_values;  // null: empty
};

}  // namespace phaseladder
