#include "core/attention/order_extremes.h"

#include <algorithm>
#include <limits>
#include <vector>

#include "core/attention/assignment.h"

namespace phaseladder {
namespace {

/// Climbs of λ; each is superlinear, a handful is usual.
constexpr int mostClimbs = 100;

/// Orders in which a token stands at one position: the other tokens are shared out to the positions it sees.
class Placement {
public:
    Placement(const OrderTable& table, int token, int position)
        : m_table(table), m_token(token), m_position(position) {
        for (int other = 0; other < table.tokens(); ++other) {
            if (other != token) {
                m_others.push_back(other);
            }
            if (other != position && other < table.visiblePositions(position)) {
                m_visible.push_back(other);
            }
        }
        m_ownScore = table.score(token, position, token, position);
        for (const int place : m_visible) {
            for (const int other : m_others) {
                m_scores.push_back(table.score(token, position, other, place));
            }
        }
        m_gains.resize(m_scores.size());
    }

    /// For each channel: above 0 where sign · h may exceed the level, were positions shared.
    [[nodiscard]] Eigen::ArrayXd bounds(double sign, const Eigen::ArrayXd& levels) const {
        Eigen::ArrayXd sum =
            m_ownScore * (sign * m_table.value(m_token, m_position, m_position).transpose().array() - levels);
        Eigen::ArrayXd most(levels.size());
        for (std::size_t column = 0; column < m_others.size(); ++column) {
            // Where some positions are masked, a token may have no place among those that are seen.
            most.setConstant(seesAll() ? -std::numeric_limits<double>::infinity() : 0.0);
            for (std::size_t row = 0; row < m_visible.size(); ++row) {
                const auto value = m_table.value(m_others[column], m_visible[row], m_position);
                most = most.max(score(row, column) * (sign * value.transpose().array() - levels));
            }
            sum += most;
        }
        return sum;
    }

    /// The largest sign · h of a channel, or `level` where none is above it.
    [[nodiscard]] double climbHidden(Eigen::Index channel, double sign, double level) {
        m_worth.clear();
        for (const int place : m_visible) {
            for (const int other : m_others) {
                m_worth.push_back(sign * m_table.value(other, place, m_position)[channel]);
            }
        }
        return climb(sign * m_table.value(m_token, m_position, m_position)[channel], level);
    }

    /// The largest sign · weight given to a token, or `level`.
    [[nodiscard]] double climbWeight(int key, double sign, double level) {
        m_worth.clear();
        for (std::size_t place = 0; place < m_visible.size(); ++place) {
            for (const int other : m_others) {
                m_worth.push_back(other == key ? sign : 0.0);
            }
        }
        const double own = key == m_token ? sign : 0.0;
        return boundWorth(own, level) > 0.0 ? climb(own, level) : level;
    }

private:
    [[nodiscard]] bool seesAll() const { return m_visible.size() == m_others.size(); }
    [[nodiscard]] double score(std::size_t row, std::size_t column) const {
        return m_scores[row * m_others.size() + column];
    }

    [[nodiscard]] double boundWorth(double own, double level) const {
        double sum = m_ownScore * (own - level);
        for (std::size_t column = 0; column < m_others.size(); ++column) {
            double most = seesAll() ? -std::numeric_limits<double>::infinity() : 0.0;
            for (std::size_t row = 0; row < m_visible.size(); ++row) {
                most = std::max(most, score(row, column) * (m_worth[row * m_others.size() + column] - level));
            }
            sum += most;
        }
        return sum;
    }

    [[nodiscard]] double climb(double own, double level) {
        for (int step = 0; step < mostClimbs; ++step) {
            for (std::size_t cell = 0; cell < m_gains.size(); ++cell) {
                m_gains[cell] = m_scores[cell] * (m_worth[cell] - level);
            }
            const std::vector<int> chosen = bestAssignment(m_gains, static_cast<int>(m_visible.size()),
                                                           static_cast<int>(m_others.size()));
            double numerator = m_ownScore * own;
            double denominator = m_ownScore;
            for (std::size_t row = 0; row < chosen.size(); ++row) {
                const std::size_t cell = row * m_others.size() + static_cast<std::size_t>(chosen[row]);
                numerator += m_scores[cell] * m_worth[cell];
                denominator += m_scores[cell];
            }
            const double reached = numerator / denominator;
            if (!(reached > level)) {
                break;
            }
            level = reached;
        }
        return level;
    }

    const OrderTable& m_table;
    int m_token, m_position;
    std::vector<int> m_others, m_visible;
    double m_ownScore = 0.0;
    std::vector<double> m_scores, m_worth, m_gains;  // visible positions × other tokens
};

}  // namespace

LargestChange largestChange(const OrderTable& table, int token, const OrderTable::States& present,
                            LargestChange reached, double negligible, const std::stop_token& stop) {
    const Eigen::ArrayXd hidden = present.hidden.row(token).transpose();
    double most = std::max(reached.hidden, negligible);
    double mostWeight = std::max(reached.weight, negligible);
    for (int position = 0; position < table.tokens() && !stop.stop_requested(); ++position) {
        Placement placement(table, token, position);
        for (const double sign : {1.0, -1.0}) {
            const Eigen::ArrayXd bounds = placement.bounds(sign, sign * hidden + most);
            for (Eigen::Index channel = 0; channel < bounds.size(); ++channel) {
                if (bounds[channel] > 0.0) {
                    const double now = sign * hidden[channel];
                    const double level = now + most;
                    const double top = placement.climbHidden(channel, sign, level);
                    most = top > level ? top - now : most;
                }
            }
            for (int key = 0; key < table.tokens(); ++key) {
                const double now = sign * present.weights(token, key);
                const double level = now + mostWeight;
                const double top = placement.climbWeight(key, sign, level);
                mostWeight = top > level ? top - now : mostWeight;
            }
        }
    }
    // What is no more than rounding was not found by the climb, but by the orders that were tried.
    return {most > negligible ? most : reached.hidden, mostWeight > negligible ? mostWeight : reached.weight};
}

}  // namespace phaseladder
