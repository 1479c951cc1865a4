#include "core/attention/order_counts.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/attention/permutations.h"
#include "core/cancelled.h"
#include "core/random.h"

namespace phaseladder {
namespace {

constexpr std::uint64_t directionSeed = 1;

std::size_t index(std::int64_t number) {
    return static_cast<std::size_t>(number);
}

/// Three projections of a state, each at most the tolerance apart for states that are equal, and which of the
/// states gone through it is.
struct StateMark {
    std::array<double, 3> at{};
    std::uint32_t state = 0;

    double operator[](std::size_t number) const { return at[number]; }
};

/// States whose three projections are closer than this share of the tolerance differ by rounding only.
constexpr double surelyEqual = 1e-5;

/// The projections: d × 3.
Eigen::Matrix<double, Eigen::Dynamic, 3> markDirections(Eigen::Index width) {
    Eigen::Matrix<double, Eigen::Dynamic, 3> directions(width, 3);
    for (int column = 0; column < 3; ++column) {
        Random random(streamSeed(directionSeed, "order marks", static_cast<std::uint64_t>(column)));
        for (Eigen::Index row = 0; row < width; ++row) {
            directions(row, column) = random.normal();
        }
        directions.col(column) /= directions.col(column).cwiseAbs().sum();
    }
    return directions;
}

/// Denominator of a row and three projected numerators: one register.
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
            const Eigen::RowVector3d mark = table.value(key, keyPosition, position) * directions;
            return Sums(score, score * mark[0], score * mark[1], score * mark[2]);
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
        m_marks.push_back({{sums[1] * share, sums[2] * share, sums[3] * share},
                           static_cast<std::uint32_t>(m_marks.size())});
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

/// The marks sorted by their first number: shared out to as many buckets as there are marks, each of which is
/// sorted by itself.
void sortMarks(std::vector<StateMark>& marks) {
    const auto first = [](const StateMark& mark) { return mark[0]; };
    const auto [least, most] = std::ranges::minmax(marks, {}, first);
    const double width = (most[0] - least[0]) / static_cast<double>(marks.size());
    if (!(width > 0.0)) {
        return;
    }
    const auto bucketOf = [&, low = least[0]](const StateMark& mark) {
        return std::min(static_cast<std::size_t>((mark[0] - low) / width), marks.size() - 1);
    };
    std::vector<std::uint32_t> ends(marks.size() + 1, 0);
    for (const StateMark& mark : marks) {
        ++ends[bucketOf(mark) + 1];
    }
    for (std::size_t bucket = 1; bucket < ends.size(); ++bucket) {
        ends[bucket] += ends[bucket - 1];
    }
    std::vector<StateMark> sorted(marks.size());
    for (const StateMark& mark : marks) {
        sorted[ends[bucketOf(mark)]++] = mark;
    }
    // Each end has moved on to its own bucket's end by now.
    std::size_t begin = 0;
    for (std::size_t bucket = 0; bucket < marks.size(); ++bucket) {
        const std::size_t end = ends[bucket];
        if (end - begin > 1) {
            std::sort(sorted.begin() + static_cast<std::ptrdiff_t>(begin),
                      sorted.begin() + static_cast<std::ptrdiff_t>(end),
                      [](const StateMark& left, const StateMark& right) { return left[0] < right[0]; });
        }
        begin = end;
    }
    marks.swap(sorted);
}

/// The hidden states that a walk went through, made again one by one: d numbers each.
class StateMaker {
public:
    StateMaker(const OrderTable& table, int token, std::span<const int> positions)
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

/// How many of the marks' states differ in some channel by more than the tolerance. Projections that are
/// farther apart than it tell states apart; those of rounding only are equal; between the two the states
/// themselves are made and compared.
/// Stops early when asked.
std::int64_t countDistinct(std::vector<StateMark>& marks, double tolerance, const StateMaker& make,
                           const std::stop_token& stop) {
    if (marks.empty()) {
        return 0;
    }
    sortMarks(marks);
    // Places of the marks that stand for a state, of those that the next mark may still belong to.
    struct Known {
        std::size_t place;
        Eigen::RowVectorXd state;  ///< made when it is asked for
    };
    std::vector<Known> groups;
    std::int64_t distinct = 0;
    const auto stateOf = [&](Known& group) -> const Eigen::RowVectorXd& {
        if (group.state.size() == 0) {
            group.state = make(marks[group.place].state);
        }
        return group.state;
    };
    for (std::size_t place = 0; place < marks.size(); ++place) {
        if (place % 1024 == 0 && stop.stop_requested()) {
            return distinct;
        }
        const StateMark& mark = marks[place];
        std::erase_if(groups,
                      [&](const Known& group) { return mark[0] - marks[group.place][0] > tolerance; });
        Eigen::RowVectorXd own;
        const bool isKnown = std::ranges::any_of(groups, [&](Known& group) {
            double apart = 0.0;
            for (std::size_t number = 0; number < 3; ++number) {
                apart = std::max(apart, std::abs(mark[number] - marks[group.place][number]));
            }
            if (apart > tolerance || apart <= surelyEqual * tolerance) {
                return apart <= tolerance;
            }
            if (own.size() == 0) {
                own = make(mark.state);
            }
            return (own - stateOf(group)).cwiseAbs().maxCoeff() <= tolerance;
        });
        if (!isKnown) {
            groups.push_back({place, std::move(own)});
            ++distinct;
        }
    }
    return distinct;
}

}  // namespace

std::int64_t countDistinctRows(const RowMatrix& states, Eigen::Index firstRow, Eigen::Index step,
                               double tolerance) {
    struct Row {
        double mark;
        Eigen::Index row;
    };
    const auto direction = markDirections(states.cols()).col(0).eval();
    std::vector<Row> rows;
    for (Eigen::Index row = firstRow; row < states.rows(); row += step) {
        rows.push_back({states.row(row).dot(direction), row});
    }
    std::ranges::sort(rows, {}, &Row::mark);
    std::vector<Row> groups;
    std::int64_t distinct = 0;
    for (const Row& one : rows) {
        std::erase_if(groups, [&](const Row& group) { return one.mark - group.mark > tolerance; });
        const bool isKnown = std::ranges::any_of(groups, [&](const Row& group) {
            return (states.row(one.row) - states.row(group.row)).cwiseAbs().maxCoeff() <= tolerance;
        });
        if (!isKnown) {
            groups.push_back(one);
            ++distinct;
        }
    }
    return distinct;
}

std::int64_t statesOfToken(const OrderTable& table) {
    std::int64_t states = 0;
    for (int position = 0; position < table.tokens(); ++position) {
        states += statesAt(table, position);
    }
    return states;
}

Result<std::int64_t> countStates(const OrderTable& table, int token, std::span<const int> positions,
                                 double tolerance, std::stop_token stop) {
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
    const std::int64_t distinct = countDistinct(marks, tolerance, StateMaker(table, token, positions), stop);
    if (stop.stop_requested()) {
        return cancelled();
    }
    return distinct;
}

}  // namespace phaseladder
