#include "core/attention/order_walk.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cmath>
#include <limits>

#include "core/attention/order_marks.h"
#include "core/attention/permutations.h"
#include "core/attention/relative_rows.h"
#include "core/attention/rotate.h"
#include "core/index.h"

namespace phaseladder {
namespace {

constexpr int mostTokens = 10;

/// About 8 s on 2 cores, in a build for the machine.
constexpr double mostOperations = 1.7e11;
constexpr double mostTurnedBytes = 256.0 * 1024.0 * 1024.0;
constexpr double mostMarkBytes = 512.0 * 1024.0 * 1024.0;

/// Rows that are gone on from at a time; a batch is that many times the tokens that are still free.
constexpr std::size_t rowsPerBatch = 48;
constexpr std::size_t ordersPerBatch = 48;

/// How deep the prefixes are that the parts begin with.
constexpr int partDepth = 2;

}  // namespace

/// A batch. Each row sees as many rows, of its own batch and of those before it.
struct OrderWalk::Rows {
    struct Seen {
        int level = 0, row = 0;
    };
    std::vector<int> tokens, positions;  ///< positions ascend
    std::vector<std::uint32_t> free;     ///< bit b: token b stands at none of the positions before and here
    std::vector<std::int64_t> ranks;     ///< of the order that goes on with the free tokens as they come
    std::vector<std::array<Seen, mostTokens>> seen;
    std::vector<int> seenCounts;
    std::vector<RowMatrix> keys, values;  ///< layer × head, later layers

    [[nodiscard]] std::size_t size() const { return tokens.size(); }
};

OrderWalk::OrderWalk(std::shared_ptr<const LayerStack> stack, const std::stop_token& stop)
    : m_stack(std::move(stack)), m_tokens(m_stack->tokens()) {
    assert(m_tokens >= 1 && m_tokens <= mostTokens);
    const int layers = m_stack->layers();
    if (layers > 1) {
        m_input.resize(m_tokens * m_tokens, m_stack->width());
        for (int token = 0; token < m_tokens; ++token) {
            m_input.middleRows(place(token, 0), m_tokens) =
                m_stack->input(std::vector<int>(index(m_tokens), token));
        }
    }
    for (int layer = 0; layer < layers; ++layer) {
        for (int head = 0; head < m_stack->heads(); ++head) {
            const bool isRun = !stop.stop_requested() && (layer + 1 < layers || head == m_stack->shownHead());
            m_heads.push_back(!isRun ? Head() : layer == 0 ? firstHead(head) : laterHead(layer, head));
        }
    }
}

OrderWalk::Head OrderWalk::firstHead(int number) const {
    const EncodingPlan& plan = m_stack->plan(number);
    Head head;
    head.scale = logitScale(plan, m_stack->headWidth());
    RowMatrix queries(m_tokens * m_tokens, m_stack->headWidth());
    head.keys = queries;
    head.values = queries;
    for (int token = 0; token < m_tokens; ++token) {
        const auto problem = m_stack->firstProblem(number, std::vector<int>(index(m_tokens), token));
        RowMatrix tokenQueries = problem->queries.matrix(), tokenKeys = problem->keys.matrix();
        if (plan.rotation) {
            rotateRows(tokenQueries, tokenKeys, *plan.rotation, 0, m_tokens);
        }
        queries.middleRows(place(token, 0), m_tokens) = tokenQueries;
        head.keys.middleRows(place(token, 0), m_tokens) = tokenKeys;
        head.values.middleRows(place(token, 0), m_tokens) = problem->values.matrix();
    }
    for (Eigen::Index query = 0; query < queries.rows(); ++query) {
        for (Eigen::Index key = 0; key < queries.rows(); ++key) {
            head.logits.push_back(pairLogit(plan, head.scale, queries.row(query), query % m_tokens,
                                            head.keys.row(key), key % m_tokens));
        }
    }
    if (plan.relativeValues) {
        head.relativeValues = relativeMatrix(*plan.relativeValues);
    }
    if (const RowMatrix& output = *m_stack->head(0, number).output; output.size() > 0) {
        head.values = (head.values * output).eval();
        head.relativeValues =
            head.relativeValues.size() > 0 ? RowMatrix(head.relativeValues * output) : RowMatrix();
    }
    return head;
}

OrderWalk::Head OrderWalk::laterHead(int layer, int number) const {
    const EncodingPlan& plan = m_stack->plan(number);
    const LayerStack::Head& made = m_stack->head(layer, number);
    Head head;
    head.scale = logitScale(plan, m_stack->headWidth());
    for (int position = 0; position < m_tokens; ++position) {
        RowMatrix& query = head.queryAt.emplace_back(made.weights.query);
        RowMatrix& key = head.keyAt.emplace_back(made.weights.key);
        if (plan.rotation) {
            rotateRowsAt(query, key, *plan.rotation, position);
        }
    }
    head.value = made.weights.value;
    if (plan.relativeValues) {
        head.relativeValues = relativeMatrix(*plan.relativeValues);
    }
    if (const RowMatrix& output = *made.output; output.size() > 0) {
        head.value = (head.value * output).eval();
        head.relativeValues =
            head.relativeValues.size() > 0 ? RowMatrix(head.relativeValues * output) : RowMatrix();
    }
    return head;
}

double OrderWalk::states(int tokens, bool causal) {
    double prefixes = 0.0;
    double ofLength = 1.0;
    for (int length = 1; length <= tokens; ++length) {
        ofLength *= tokens - length + 1.0;
        prefixes += ofLength;
    }
    return causal ? prefixes : ofLength * tokens;
}

double OrderWalk::operationsOfRow(const LayerStack& stack, int tokens) {
    const auto width = static_cast<double>(stack.headWidth());
    const auto streamWidth = static_cast<double>(stack.width());
    const double attention = tokens * (width + streamWidth + 40.0);  // an exponential is worth about 20
    double row = 0.0;
    for (int layer = 0; layer < stack.layers(); ++layer) {
        const bool isLast = layer + 1 == stack.layers();
        const double products = streamWidth * (2.0 * width + (isLast ? width : streamWidth));
        row += (isLast ? 1.0 : stack.heads()) * (attention + (layer > 0 ? products : 0.0));
    }
    return row;
}

bool OrderWalk::canHold(const LayerStack& stack, int tokens) {
    const double turnedBytes = 2.0 * sizeof(double) * tokens * (stack.runs() - 1.0) *
                               static_cast<double>(stack.width() * stack.headWidth());
    return tokens <= mostTokens && turnedBytes <= mostTurnedBytes;
}

bool OrderWalk::fits(const LayerStack& stack, int tokens) {
    return canHold(stack, tokens) && states(tokens, stack.isCausal()) * sizeof(StateMark) <= mostMarkBytes &&
           states(tokens, stack.isCausal()) * operationsOfRow(stack, tokens) <= mostOperations;
}

RowMatrix OrderWalk::runRows(Rows& rows, const std::vector<Rows>& levels) const {
    const auto count = static_cast<Eigen::Index>(rows.size());
    const int layers = m_stack->layers();
    const int heads = m_stack->heads();
    RowMatrix stream(layers > 1 ? count : 0, m_input.cols());
    for (Eigen::Index row = 0; row < stream.rows(); ++row) {
        stream.row(row) = m_input.row(place(rows.tokens[index(row)], rows.positions[index(row)]));
    }
    rows.keys.resize(index(layers * heads));
    rows.values.resize(index(layers * heads));
    for (int layer = 0; layer < layers; ++layer) {
        const bool isLast = layer + 1 == layers;
        RowMatrix next = isLast ? RowMatrix::Zero(count, m_stack->headWidth()) : stream;
        for (int number = isLast ? m_stack->shownHead() : 0;
             number < (isLast ? m_stack->shownHead() + 1 : heads); ++number) {
            RowMatrix queries;
            if (layer > 0) {
                const Head& one = head(layer, number);
                RowMatrix& keys = rows.keys[index(layer * heads + number)];
                queries.resize(count, m_stack->headWidth());
                keys.resize(count, m_stack->headWidth());
                for (Eigen::Index begin = 0, end = 0; begin < count; begin = end) {
                    const int position = rows.positions[index(begin)];
                    while (end < count && rows.positions[index(end)] == position) {
                        ++end;
                    }
                    const auto at = stream.middleRows(begin, end - begin);
                    queries.middleRows(begin, end - begin).noalias() = at * one.queryAt[index(position)];
                    keys.middleRows(begin, end - begin).noalias() = at * one.keyAt[index(position)];
                }
                rows.values[index(layer * heads + number)].noalias() = stream * one.value;
            }
            attend(rows, levels, layer, number, queries, next);
        }
        stream = std::move(next);
    }
    return stream;
}

void OrderWalk::attend(const Rows& rows, const std::vector<Rows>& levels, int layer, int number,
                       const RowMatrix& queries, RowMatrix& sums) const {
    const Head& one = head(layer, number);
    const EncodingPlan& plan = m_stack->plan(number);
    const std::size_t slot = index(layer * m_stack->heads() + number);
    const Eigen::Index places = Eigen::Index{m_tokens} * m_tokens;
    std::array<double, mostTokens> weights{};
    for (std::size_t row = 0; row < rows.size(); ++row) {
        const int count = rows.seenCounts[row];
        const int position = rows.positions[row];
        const auto other = [&](int at) -> const Rows& {
            return levels[index(rows.seen[row][index(at)].level)];
        };
        const auto rowOf = [&](int at) { return index(rows.seen[row][index(at)].row); };
        double most = -std::numeric_limits<double>::infinity();
        for (int at = 0; at < count; ++at) {
            const Rows& key = other(at);
            const int keyPosition = key.positions[rowOf(at)];
            double& logit = weights[index(at)];
            logit = layer == 0
                        ? one.logits[index(place(rows.tokens[row], position) * places +
                                           place(key.tokens[rowOf(at)], keyPosition))]
                        : pairLogit(plan, one.scale, queries.row(static_cast<Eigen::Index>(row)), position,
                                    key.keys[slot].row(static_cast<Eigen::Index>(rowOf(at))), keyPosition);
            most = std::max(most, logit);
        }
        double total = 0.0;
        for (int at = 0; at < count; ++at) {
            weights[index(at)] = std::exp(weights[index(at)] - most);
            total += weights[index(at)];
        }
        auto sum = sums.row(static_cast<Eigen::Index>(row));
        for (int at = 0; at < count; ++at) {
            const Rows& key = other(at);
            const int keyPosition = key.positions[rowOf(at)];
            const double weight = weights[index(at)] / total;
            if (layer == 0) {
                sum += weight * one.values.row(place(key.tokens[rowOf(at)], keyPosition));
            } else {
                sum += weight * key.values[slot].row(static_cast<Eigen::Index>(rowOf(at)));
            }
            if (one.relativeValues.size() > 0) {
                sum += weight *
                       one.relativeValues.row(relativeRow(*plan.relativeValues, keyPosition - position));
            }
        }
    }
}

/// Rows of whole orders, all of position 0 first.
OrderWalk::Rows OrderWalk::orderRows(std::span<const std::vector<int>> orders) const {
    Rows rows;
    const auto count = static_cast<int>(orders.size());
    for (int position = 0; position < m_tokens; ++position) {
        for (int order = 0; order < count; ++order) {
            rows.tokens.push_back(orders[index(order)][index(position)]);
            rows.positions.push_back(position);
            auto& seen = rows.seen.emplace_back();
            rows.seenCounts.push_back(m_stack->isCausal() ? position + 1 : m_tokens);
            for (int key = 0; key < rows.seenCounts.back(); ++key) {
                seen[index(key)] = {0, key * count + order};
            }
        }
    }
    return rows;
}

RowMatrix OrderWalk::states(std::span<const std::vector<int>> orders) const {
    const auto count = static_cast<Eigen::Index>(orders.size());
    std::vector<Rows> levels;
    levels.push_back(orderRows(orders));
    const RowMatrix byPosition = runRows(levels.front(), levels);
    RowMatrix hidden(byPosition.rows(), byPosition.cols());
    for (Eigen::Index row = 0; row < byPosition.rows(); ++row) {
        hidden.row(row % count * m_tokens + levels.front().tokens[index(row)]) = byPosition.row(row);
    }
    return hidden;
}

/// One part under way: the batches of the prefixes that it has come through.
class OrderWalk::Part {
public:
    Part(const OrderWalk& walk, const std::function<void(const WalkedStates&)>& use,
         const std::stop_token& stop)
        : m_walk(walk), m_use(use), m_stop(stop), m_levels(index(walk.m_tokens)) {}

    /// The prefixes of length partDepth, in order; a shorter one belongs to the first that continues it.
    void prefixes(int part) {
        const int tokens = m_walk.m_tokens;
        const int depth = std::min(partDepth, tokens);
        const std::int64_t orders = orderCount(tokens - depth);
        const std::int64_t rank = part * orders;
        const std::vector<int> order = orderOfRank(tokens, rank);
        for (int position = 0; position < depth; ++position) {
            begin(position);
            const std::int64_t onward = orderCount(tokens - position - 1);
            append(position, position - 1, 0, order[index(position)], rank / onward * onward);
            RowMatrix hidden = run(position);
            if (rank % onward == 0) {
                hand(position, std::move(hidden));
            }
        }
        descend(depth - 1, 0, 1);
    }

    /// Orders of a part, from the first to the one before the last.
    void orders(std::int64_t first, std::int64_t last) {
        for (std::int64_t begin = first; begin < last && !m_stop.stop_requested();
             begin += static_cast<std::int64_t>(ordersPerBatch)) {
            std::vector<std::vector<int>> batch;
            const std::int64_t end = std::min(begin + static_cast<std::int64_t>(ordersPerBatch), last);
            for (std::int64_t rank = begin; rank < end; ++rank) {
                batch.push_back(orderOfRank(m_walk.m_tokens, rank));
            }
            m_levels[0] = m_walk.orderRows(batch);
            for (std::size_t row = 0; row < m_levels[0].size(); ++row) {
                m_levels[0].ranks.push_back(begin + static_cast<std::int64_t>(row % batch.size()));
            }
            hand(0, run(0));
        }
    }

private:
    void begin(int level) {
        Rows& rows = m_levels[index(level)];
        rows.tokens.clear();
        rows.positions.clear();
        rows.free.clear();
        rows.ranks.clear();
        rows.seen.clear();
        rows.seenCounts.clear();
    }

    /// A prefix one token longer than that of a row of the level before (-1: of none).
    void append(int level, int parentLevel, std::size_t parent, int token, std::int64_t rank) {
        Rows& rows = m_levels[index(level)];
        const bool hasParent = parentLevel >= 0;
        const std::uint32_t free =
            hasParent ? m_levels[index(parentLevel)].free[parent] : (1U << m_walk.m_tokens) - 1;
        rows.free.push_back(free & ~(1U << token));
        rows.seen.push_back(hasParent ? m_levels[index(parentLevel)].seen[parent]
                                      : std::array<Rows::Seen, mostTokens>());
        rows.seen.back()[index(level)] = {level, static_cast<int>(rows.tokens.size())};
        rows.seenCounts.push_back(level + 1);
        rows.tokens.push_back(token);
        rows.positions.push_back(level);
        rows.ranks.push_back(rank);
    }

    /// All prefixes that go on from rows first .. last-1 of a level, level by level and batch by batch.
    void descend(int level, std::size_t first, std::size_t last) {
        const int next = level + 1;
        if (next == m_walk.m_tokens) {
            return;
        }
        for (std::size_t from = first; from < last; from += rowsPerBatch) {
            if (m_stop.stop_requested()) {
                return;
            }
            begin(next);
            const std::int64_t step = orderCount(m_walk.m_tokens - next - 1);
            const Rows& parents = m_levels[index(level)];
            for (std::size_t parent = from; parent < std::min(from + rowsPerBatch, last); ++parent) {
                std::int64_t rank = parents.ranks[parent];
                for (std::uint32_t free = parents.free[parent]; free != 0; free &= free - 1) {
                    append(next, level, parent, std::countr_zero(free), rank);
                    rank += step;
                }
            }
            hand(next, run(next));
            descend(next, 0, m_levels[index(next)].size());
        }
    }

    [[nodiscard]] RowMatrix run(int level) { return m_walk.runRows(m_levels[index(level)], m_levels); }

    void hand(int level, RowMatrix hidden) {
        const Rows& rows = m_levels[index(level)];
        m_walked.hidden = std::move(hidden);
        m_walked.tokens = rows.tokens;
        m_walked.states.clear();
        for (std::size_t row = 0; row < rows.size(); ++row) {
            m_walked.states.push_back(
                static_cast<std::uint32_t>(rows.ranks[row] * m_walk.m_tokens + rows.positions[row]));
        }
        m_use(m_walked);
    }

    const OrderWalk& m_walk;
    const std::function<void(const WalkedStates&)>& m_use;
    const std::stop_token& m_stop;
    std::vector<Rows> m_levels;
    WalkedStates m_walked;
};

int OrderWalk::parts() const {
    return static_cast<int>(orderCount(m_tokens) / orderCount(std::max(m_tokens - partDepth, 0)));
}

void OrderWalk::go(int part, const std::function<void(const WalkedStates&)>& use,
                   const std::stop_token& stop) const {
    Part walk(*this, use, stop);
    if (m_stack->isCausal()) {
        walk.prefixes(part);
        return;
    }
    const std::int64_t orders = orderCount(m_tokens) / parts();
    walk.orders(part * orders, (part + 1) * orders);
}

}  // namespace phaseladder
