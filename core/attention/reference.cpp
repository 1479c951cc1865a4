#include <algorithm>
#include <cmath>
#include <limits>

#include "core/attention/backend.h"
#include "core/attention/pooled_map.h"
#include "core/attention/relative_rows.h"
#include "core/attention/rotate.h"
#include "core/cancelled.h"

namespace phaseladder {
namespace {

/// Rows of logits held at once: at most this many, and at most this many numbers.
constexpr Eigen::Index largestBlockRows = 32;
constexpr Eigen::Index largestBlockNumbers = Eigen::Index{1} << 20;

/// Rows rotated between two looks at the stop token.
constexpr Eigen::Index rotatedRows = 4096;

/// Logits to weights in place, stable for logits of any size. Returns |Σ weights - 1|.
double softmax(Eigen::Ref<Eigen::RowVectorXd> row) {
    row.array() = (row.array() - row.maxCoeff()).exp();
    row /= row.sum();
    return std::abs(row.sum() - 1.0);
}

/// One run: rotated copies of queries and keys, then rows of logits and weights, a block at a time.
class Run {
public:
    Run(const AttentionRequest& request, std::stop_token stop)
        : m_request(request),
          m_problem(*request.problem),
          m_stop(std::move(stop)),
          m_tokens(m_problem.queries.rows()),
          m_defined(definedTokens(m_problem)),
          m_queries(m_problem.queries),
          m_keys(m_problem.keys) {
        if (request.map) {
            m_map.emplace(*request.map);
        }
        m_result.definedTokens = m_defined;
        if (request.hiddenStates) {
            m_result.hiddenStates.resize(m_tokens, m_queries.cols());
        }
    }

    [[nodiscard]] Result<AttentionResult> result() {
        for (Eigen::Index begin = 0; m_problem.plan.rotation && begin < m_tokens; begin += rotatedRows) {
            if (m_stop.stop_requested()) {
                return cancelled();
            }
            rotateRows(m_queries, m_keys, *m_problem.plan.rotation, begin,
                       std::min(begin + rotatedRows, m_tokens));
        }

        // Hidden states need every row, a map those of its window.
        const Eigen::Index firstRow = m_request.hiddenStates || !m_map ? 0 : m_request.map->window.rowBegin;
        const Eigen::Index endRow = m_request.hiddenStates ? m_tokens
                                    : m_map                ? m_request.map->window.rowEnd
                                                           : 0;
        const Eigen::Index blockRows =
            std::clamp(largestBlockNumbers / m_tokens, Eigen::Index{1}, largestBlockRows);
        for (Eigen::Index begin = firstRow; begin < endRow; begin += blockRows) {
            if (m_stop.stop_requested()) {
                return cancelled();
            }
            addBlock(begin, std::min(blockRows, endRow - begin));
        }
        if (m_map) {
            m_map->writeTo(m_result);
        }
        return std::move(m_result);
    }

private:
    /// Logits of a block of queries, rows × keys.
    void setLogits(Eigen::Index begin, Eigen::Index count, Eigen::Index columns) {
        const EncodingPlan& plan = m_problem.plan;
        const double scale = logitScale(plan, m_queries.cols());
        const auto queries = m_queries.middleRows(begin, count);
        if (plan.queryOffsets) {
            m_rows.noalias() = scale * (queries.rowwise() + asRow(plan.queryOffsets->content)) *
                               m_keys.topRows(columns).transpose();
        } else {
            m_rows.noalias() = scale * queries * m_keys.topRows(columns).transpose();
        }
        if (plan.relativeKeys) {
            addRelativeKeys(*plan.relativeKeys, begin, count, columns);
        }
        if (plan.scoreBias) {
            for (Eigen::Index index = 0; index < count; ++index) {
                for (Eigen::Index key = 0; key < columns; ++key) {
                    m_rows(index, key) += plan.scoreBias->at(key - begin - index);
                }
            }
        }
    }

    /// Adds (q + v)·r of the offset key - query.
    void addRelativeKeys(const RelativeVectors& vectors, Eigen::Index begin, Eigen::Index count,
                         Eigen::Index columns) {
        RowMatrix queries = m_queries.middleRows(begin, count);
        if (m_problem.plan.queryOffsets) {
            queries.rowwise() += asRow(m_problem.plan.queryOffsets->position);
        }
        const RowMatrix products =
            logitScale(m_problem.plan, m_queries.cols()) * queries * relativeMatrix(vectors).transpose();
        for (Eigen::Index index = 0; index < count; ++index) {
            for (Eigen::Index key = 0; key < columns; ++key) {
                m_rows(index, key) += products(index, relativeRow(vectors, key - begin - index));
            }
        }
    }

    /// Adds the relative value vectors, each with the weight of its offset.
    void addRelativeValues(const RelativeVectors& vectors, Eigen::Index begin, Eigen::Index count,
                           Eigen::Index columns) {
        RowMatrix weights = RowMatrix::Zero(count, 2 * vectors.reach + 1);
        for (Eigen::Index index = 0; index < count; ++index) {
            for (Eigen::Index key = 0; key < columns; ++key) {
                weights(index, relativeRow(vectors, key - begin - index)) += m_rows(index, key);
            }
        }
        m_result.hiddenStates.middleRows(begin, count).noalias() += weights * relativeMatrix(vectors);
    }

    void addBlock(Eigen::Index begin, Eigen::Index count) {
        const Eigen::Index columns = std::min(m_problem.causal ? begin + count : m_tokens, m_defined);
        setLogits(begin, count, columns);
        for (Eigen::Index index = 0; index < count; ++index) {
            const Eigen::Index row = begin + index;
            const Eigen::Index visibleKeys = row >= m_defined ? 0 : m_problem.causal ? row + 1 : m_defined;
            const auto show = [&](ViewValues values) {
                if (m_map && m_request.map->values == values && m_map->containsRow(row)) {
                    m_map->addRow(row, m_rows.row(index).data(), visibleKeys);
                }
            };
            show(ViewValues::logits);
            const double sumError = visibleKeys > 0 ? softmax(m_rows.row(index).head(visibleKeys)) : 0.0;
            show(ViewValues::weights);
            m_rows.row(index).tail(columns - visibleKeys).setZero();
            m_result.largestRowSumError = std::max(m_result.largestRowSumError, sumError);
        }
        if (m_request.hiddenStates) {
            auto hidden = m_result.hiddenStates.middleRows(begin, count);
            hidden.noalias() = m_rows * m_problem.values.topRows(columns);
            if (m_problem.plan.relativeValues) {
                addRelativeValues(*m_problem.plan.relativeValues, begin, count, columns);
            }
            if (begin + count > m_defined) {
                hidden.bottomRows(std::min(count, begin + count - m_defined))
                    .setConstant(std::numeric_limits<double>::quiet_NaN());
            }
        }
    }

    const AttentionRequest& m_request;
    const AttentionProblem& m_problem;
    std::stop_token m_stop;
    Eigen::Index m_tokens, m_defined;
    RowMatrix m_queries, m_keys;  // tokens × d
    RowMatrix m_rows;             // logits of a block, then its weights: block × keys
    std::optional<PooledMap> m_map;
    AttentionResult m_result;
};

class ReferenceBackend final : public Backend {
public:
    [[nodiscard]] BackendInfo info() const override {
        return {.id = "reference", .label = "CPU, double precision"};
    }

    [[nodiscard]] Result<AttentionResult> run(const AttentionRequest& request,
                                              std::stop_token stop) override {
        const std::int64_t tokens = request.problem->queries.rows();
        if (tokens == 0) {
            return AttentionResult{};
        }
        if (request.map && !isWithin(*request.map, tokens)) {
            return fail(ErrorKind::failed, "The window of the map lies outside the attention map.");
        }
        return Run(request, std::move(stop)).result();
    }
};

}  // namespace

std::unique_ptr<Backend> makeReferenceBackend() {
    return std::make_unique<ReferenceBackend>();
}

}  // namespace phaseladder
