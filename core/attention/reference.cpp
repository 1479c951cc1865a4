#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "core/attention/backend.h"
#include "core/attention/pooled_map.h"
#include "core/attention/relative_rows.h"
#include "core/attention/rotate.h"
#include "core/cancelled.h"
#include "core/index.h"

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
          m_defined(definedTokens(m_problem)),
          m_queries(m_problem.queries.matrix()),
          m_keys(m_problem.keys.matrix()) {
        if (request.map) {
            m_map.emplace(*request.map);
            m_mapRows = neededRows(*request.map);
        }
        m_result.definedTokens = m_defined;
        if (request.hiddenStates) {
            m_values = m_problem.values.matrix();
            m_result.hiddenStates.resize(m_queries.rows(), m_queries.cols());
        }
    }

    [[nodiscard]] Result<AttentionResult> result() {
        if (m_problem.plan.rotation && !rotate()) {
            return cancelled();
        }
        // Hidden states need every row, a map those of its window.
        std::vector<std::int64_t> rows = m_mapRows;
        if (m_request.hiddenStates) {
            rows.resize(index(m_queries.rows()));
            std::iota(rows.begin(), rows.end(), std::int64_t{0});
        }
        const auto blockRows = static_cast<std::size_t>(
            std::clamp(largestBlockNumbers / m_keys.rows(), Eigen::Index{1}, largestBlockRows));
        for (std::size_t begin = 0; begin < rows.size(); begin += blockRows) {
            if (m_stop.stop_requested()) {
                return cancelled();
            }
            addBlock(std::span(rows).subspan(begin, std::min(blockRows, rows.size() - begin)));
        }
        if (m_map) {
            m_map->writeTo(m_result);
        }
        return std::move(m_result);
    }

private:
    /// False where it was stopped.
    [[nodiscard]] bool rotate() {
        const PairRotation& rotation = *m_problem.plan.rotation;
        for (Eigen::Index row = 0; row < m_queries.rows(); ++row) {
            if (row % rotatedRows == 0 && m_stop.stop_requested()) {
                return false;
            }
            rotateQuery(rowOf(m_queries, row), rotation, queryPosition(row));
        }
        for (Eigen::Index row = 0; row < m_keys.rows(); ++row) {
            if (row % rotatedRows == 0 && m_stop.stop_requested()) {
                return false;
            }
            rotateKey(rowOf(m_keys, row), rotation, keyPosition(row));
        }
        return true;
    }

    [[nodiscard]] static std::span<double> rowOf(RowMatrix& matrix, Eigen::Index row) {
        return {matrix.row(row).data(), index(matrix.cols())};
    }

    [[nodiscard]] std::int64_t queryPosition(std::int64_t row) const { return m_problem.queryStart + row; }
    [[nodiscard]] std::int64_t keyPosition(std::int64_t row) const { return m_problem.keyStart + row; }

    /// Keys 0 .. n-1 that a query sees.
    [[nodiscard]] Eigen::Index visibleKeys(std::int64_t row) const {
        const std::int64_t position = queryPosition(row);
        const std::int64_t end =
            position >= m_defined ? 0 : std::min(m_problem.causal ? position + 1 : m_defined, m_defined);
        return std::clamp<std::int64_t>(end - m_problem.keyStart, 0, m_keys.rows());
    }

    /// Logits of a block of queries, rows × keys.
    void setLogits(std::span<const std::int64_t> rows, Eigen::Index columns) {
        const EncodingPlan& plan = m_problem.plan;
        const double scale = logitScale(plan, m_queries.cols());
        const RowMatrix queries = m_queries(rows, Eigen::all);
        if (plan.queryOffsets) {
            m_rows.noalias() = scale * (queries.rowwise() + asRow(plan.queryOffsets->content)) *
                               m_keys.topRows(columns).transpose();
        } else {
            m_rows.noalias() = scale * queries * m_keys.topRows(columns).transpose();
        }
        if (plan.relativeKeys) {
            addRelativeKeys(*plan.relativeKeys, rows, queries, columns);
        }
        for (std::size_t at = 0; plan.scoreBias && at < rows.size(); ++at) {
            for (Eigen::Index key = 0; key < columns; ++key) {
                m_rows(static_cast<Eigen::Index>(at), key) +=
                    plan.scoreBias->at(keyPosition(key) - queryPosition(rows[at]));
            }
        }
    }

    /// Adds (q + v)·r of the offset key - query.
    void addRelativeKeys(const RelativeVectors& vectors, std::span<const std::int64_t> rows,
                         RowMatrix queries, Eigen::Index columns) {
        if (m_problem.plan.queryOffsets) {
            queries.rowwise() += asRow(m_problem.plan.queryOffsets->position);
        }
        const RowMatrix products =
            logitScale(m_problem.plan, m_queries.cols()) * queries * relativeMatrix(vectors).transpose();
        for (Eigen::Index at = 0; at < m_rows.rows(); ++at) {
            for (Eigen::Index key = 0; key < columns; ++key) {
                m_rows(at, key) +=
                    products(at, relativeRow(vectors, keyPosition(key) - queryPosition(rows[index(at)])));
            }
        }
    }

    /// Adds the relative value vectors, each with the weight of its offset.
    void addRelativeValues(const RelativeVectors& vectors, std::span<const std::int64_t> rows) {
        RowMatrix weights = RowMatrix::Zero(m_rows.rows(), 2 * vectors.reach + 1);
        for (Eigen::Index at = 0; at < m_rows.rows(); ++at) {
            for (Eigen::Index key = 0; key < m_rows.cols(); ++key) {
                weights(at, relativeRow(vectors, keyPosition(key) - queryPosition(rows[index(at)]))) +=
                    m_rows(at, key);
            }
        }
        m_result.hiddenStates(rows, Eigen::all) += weights * relativeMatrix(vectors);
    }

    void addBlock(std::span<const std::int64_t> rows) {
        Eigen::Index columns = 0;
        for (const std::int64_t row : rows) {
            columns = std::max(columns, visibleKeys(row));
        }
        setLogits(rows, columns);
        for (std::size_t at = 0; at < rows.size(); ++at) {
            const auto row = m_rows.row(static_cast<Eigen::Index>(at));
            const Eigen::Index visible = visibleKeys(rows[at]);
            const bool isShown = m_map && std::ranges::binary_search(m_mapRows, rows[at]);
            const auto show = [&](ViewValues values) {
                if (isShown && m_request.map->values == values) {
                    m_map->addRow(rows[at], row.data(), visible);
                }
            };
            show(ViewValues::logits);
            const double sumError =
                visible > 0 ? softmax(m_rows.row(static_cast<Eigen::Index>(at)).head(visible)) : 0.0;
            show(ViewValues::weights);
            m_rows.row(static_cast<Eigen::Index>(at)).tail(columns - visible).setZero();
            m_result.largestRowSumError = std::max(m_result.largestRowSumError, sumError);
        }
        if (m_request.hiddenStates) {
            addHiddenStates(rows, columns);
        }
    }

    void addHiddenStates(std::span<const std::int64_t> rows, Eigen::Index columns) {
        m_result.hiddenStates(rows, Eigen::all) = m_rows * m_values.topRows(columns);
        if (m_problem.plan.relativeValues) {
            addRelativeValues(*m_problem.plan.relativeValues, rows);
        }
        for (const std::int64_t row : rows) {
            if (visibleKeys(row) == 0) {
                m_result.hiddenStates.row(row).setConstant(std::numeric_limits<double>::quiet_NaN());
            }
        }
    }

    const AttentionRequest& m_request;
    const AttentionProblem& m_problem;
    std::stop_token m_stop;
    std::int64_t m_defined;       // positions that have a code
    RowMatrix m_queries, m_keys;  // queries × d, keys × d
    RowMatrix m_values;           // keys × d, where hidden states are asked for
    RowMatrix m_rows;             // logits of a block, then its weights: block × keys
    std::optional<PooledMap> m_map;
    std::vector<std::int64_t> m_mapRows;
    AttentionResult m_result;
};

class ReferenceBackend final : public Backend {
public:
    [[nodiscard]] BackendInfo info() const override {
        return {.id = "reference", .label = "CPU, double precision", .isDouble = true};
    }

    [[nodiscard]] Result<AttentionResult> run(const AttentionRequest& request,
                                              std::stop_token stop) override {
        const std::int64_t queries = request.problem->queries.rows(), keys = request.problem->keys.rows();
        if (queries == 0 || keys == 0) {
            return AttentionResult{.ranOn = info()};
        }
        if (request.map && !isWithin(*request.map, queries, keys)) {
            return fail(ErrorKind::failed, "The window of the map lies outside the attention map.");
        }
        Result<AttentionResult> result = Run(request, std::move(stop)).result();
        if (result) {
            result->ranOn = info();
        }
        return result;
    }
};

}  // namespace

std::unique_ptr<Backend> makeReferenceBackend() {
    return std::make_unique<ReferenceBackend>();
}

}  // namespace phaseladder
