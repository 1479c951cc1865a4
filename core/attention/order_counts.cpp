#include "core/attention/order_counts.h"

#include <algorithm>
#include <bit>

#include "core/attention/order_marks.h"
#include "core/cancelled.h"
#include "core/index.h"

namespace phaseladder {
namespace {

/// Denominator of a row and two projected numerators; with a number to spare, one register.
using Sums = Eigen::Array4d;

/// Goes through the states of a token at a position.
class StateWalk {
public:
    StateWalk(const OrderTable& table, int token, int position, std::vector<StateMark>& marks,
              std::stop_token stop)
        : m_marks(marks), m_stop(std::move(stop)), m_tokens(table.tokens()) {
        const auto directions = markDirections(table.width());
        const auto sums = [&](int key, int keyPosition) {
            const double score = table.score(token, position, key, keyPosition);
            const Eigen::RowVector2d mark = table.value(key, keyPosition, position) * directions;
            return Sums(score, score * mark[0], score * mark[1], 0.0);
        };
        m_own = sums(token, position);
        m_free = ((std::uint64_t{1} << m_tokens) - 1) & ~(std::uint64_t{1} << token);
        for (int place = 0; place < table.visiblePositions(position); ++place) {
            if (place == position) {
                continue;
            }
            for (int key = 0; key < m_tokens; ++key) {
                m_terms.push_back(sums(key, place));
            }
        }
        m_places = static_cast<int>(m_terms.size()) / m_tokens;
    }

    void go() {
        if (m_places == 0) {
            add(m_own);
        } else {
            descend(0, m_free, m_own);
        }
    }

private:
    void add(const Sums& sums) {
        const double share = 1.0 / sums[0];
        m_marks.push_back({{sums[1] * share, sums[2] * share}, static_cast<std::uint32_t>(m_marks.size())});
    }

    void descend(int place, std::uint64_t free, const Sums& sums) {
        if (place == 1 && m_stop.stop_requested()) {
            return;
        }
        const Sums* terms = &m_terms[index(place) * index(m_tokens)];
        if (place + 1 == m_places) {
            for (std::uint64_t left = free; left != 0; left &= left - 1) {
                add(sums + terms[std::countr_zero(left)]);
            }
            return;
        }
        for (std::uint64_t left = free; left != 0; left &= left - 1) {
            descend(place + 1, free & ~(left & (0 - left)), sums + terms[std::countr_zero(left)]);
        }
    }

    std::vector<StateMark>& m_marks;
    std::stop_token m_stop;
    int m_tokens, m_places = 0;
    std::uint64_t m_free = 0;  // bit b: token b has no position yet
    Sums m_own;
    std::vector<Sums, Eigen::aligned_allocator<Sums>> m_terms;  // visible positions × tokens
};

/// States of a token at a position: arrangements of the others on the positions that it sees.
std::int64_t statesAt(const OrderTable& table, int position) {
    std::int64_t states = 1;
    for (int place = 0; place < table.visiblePositions(position) - 1; ++place) {
        states *= table.tokens() - 1 - place;
    }
    return states;
}

/// The hidden states that a walk went through, made again one by one: d numbers each.
class TableStates {
public:
    TableStates(const OrderTable& table, int token, std::span<const int> positions)
        : m_table(table), m_token(token), m_positions(positions) {}

    [[nodiscard]] Eigen::RowVectorXd operator()(std::uint32_t state) const {
        std::int64_t left = state;
        std::size_t at = 0;
        while (left >= statesAt(m_table, m_positions[at])) {
            left -= statesAt(m_table, m_positions[at]);
            ++at;
        }
        const int position = m_positions[at];
        Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(m_table.width());
        double weight = 0.0;
        const auto add = [&](int key, int place) {
            const double score = m_table.score(m_token, position, key, place);
            sum += score * m_table.value(key, place, position);
            weight += score;
        };
        add(m_token, position);
        // The walk takes the free tokens in ascending order at each place: the digits of the state's number.
        std::vector<int> free;
        for (int key = 0; key < m_table.tokens(); ++key) {
            if (key != m_token) {
                free.push_back(key);
            }
        }
        std::int64_t below = statesAt(m_table, position);
        for (int place = 0; place < m_table.visiblePositions(position); ++place) {
            if (place != position) {
                below /= static_cast<std::int64_t>(free.size());
                const auto chosen = free.begin() + left / below;
                left %= below;
                add(*chosen, place);
                free.erase(chosen);
            }
        }
        return sum / weight;
    }

private:
    const OrderTable& m_table;
    int m_token;
    std::span<const int> m_positions;
};

}  // namespace

std::int64_t statesOfToken(const OrderTable& table) {
    std::int64_t states = 0;
    for (int position = 0; position < table.tokens(); ++position) {
        states += statesAt(table, position);
    }
    return states;
}

Result<std::int64_t> countStates(const OrderTable& table, int token, std::span<const int> positions,
                                 double tolerance, Progress* progress, std::stop_token stop) {
    std::int64_t states = 0;
    for (const int position : positions) {
        states += statesAt(table, position);
    }
    std::vector<StateMark> marks;
    marks.reserve(index(states));
    for (const int position : positions) {
        StateWalk(table, token, position, marks, stop).go();
    }
    if (stop.stop_requested()) {
        return cancelled();
    }
    const std::int64_t distinct =
        countDistinct(marks, tolerance, TableStates(table, token, positions), progress, stop);
    if (stop.stop_requested()) {
        return cancelled();
    }
    return distinct;
}

}  // namespace phaseladder
