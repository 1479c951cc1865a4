#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <variant>
#include <vector>

#include <Eigen/Core>

namespace phaseladder {

using RowMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Queries, keys or values of one head before their positions turn them: rows (tokens) × columns (channels),
/// in the form in which they take least room. The numbers never change: copies share them, and two that share
/// them hold the same.
class HeadRows {
public:
    HeadRows() = default;
    /// Every row by itself; implicit, since a matrix is what most callers have.
    HeadRows(RowMatrix rows);
    HeadRows(FloatRows rows);
    /// Row i is row rowOf[i] of the distinct ones: a text repeats its words.
    HeadRows(RowMatrix distinct, std::vector<Eigen::Index> rowOf);

    [[nodiscard]] Eigen::Index rows() const;
    [[nodiscard]] Eigen::Index cols() const;
    [[nodiscard]] Eigen::Index size() const { return rows() * cols(); }
    /// The memory that it takes, in bytes; copies share it.
    [[nodiscard]] std::int64_t bytes() const;

    /// Writes rows begin .. end-1 to `to`, (end - begin) × cols(), row-major.
    void copyRows(Eigen::Index begin, Eigen::Index end, float* to) const;
    void copyRows(Eigen::Index begin, Eigen::Index end, double* to) const;
    /// All rows as doubles.
    [[nodiscard]] RowMatrix matrix() const;

    /// The distinct rows as they are held, and of each row which of them it is; empty: row i is the i-th.
    [[nodiscard]] Eigen::Index distinctRows() const;
    void copyDistinctRows(float* to) const;
    [[nodiscard]] std::span<const Eigen::Index> rowOf() const;
    /// What copies share and nothing else does, to tell later on whether it is still there; null: no rows.
    [[nodiscard]] std::shared_ptr<const void> identity() const { return m_numbers; }

    /// Whether both are copies of one.
    [[nodiscard]] bool sharesWith(const HeadRows& other) const { return m_numbers == other.m_numbers; }

private:
    struct Repeated {
        RowMatrix distinct;
        std::vector<Eigen::Index> rowOf;
    };
    using Numbers = std::variant<RowMatrix, FloatRows, Repeated>;

    template <class Number>
    void copy(Eigen::Index begin, Eigen::Index end, Number* to) const;

    std::shared_ptr<const Numbers> m_numbers;  // null: no rows
};

}  // namespace phaseladder
