#include "core/attention/head_rows.h"

#include <cassert>
#include <utility>

#include "core/index.h"

namespace phaseladder {

HeadRows::HeadRows(RowMatrix rows) : m_numbers(std::make_shared<const Numbers>(std::move(rows))) {}

HeadRows::HeadRows(FloatRows rows) : m_numbers(std::make_shared<const Numbers>(std::move(rows))) {}

HeadRows::HeadRows(RowMatrix distinct, std::vector<Eigen::Index> rowOf)
    : m_numbers(std::make_shared<const Numbers>(Repeated{std::move(distinct), std::move(rowOf)})) {}

Eigen::Index HeadRows::rows() const {
    if (!m_numbers) {
        return 0;
    }
    if (const auto* repeated = std::get_if<Repeated>(m_numbers.get())) {
        return static_cast<Eigen::Index>(repeated->rowOf.size());
    }
    const auto* doubles = std::get_if<RowMatrix>(m_numbers.get());
    return doubles != nullptr ? doubles->rows() : std::get<FloatRows>(*m_numbers).rows();
}

Eigen::Index HeadRows::cols() const {
    if (!m_numbers) {
        return 0;
    }
    if (const auto* repeated = std::get_if<Repeated>(m_numbers.get())) {
        return repeated->distinct.cols();
    }
    const auto* doubles = std::get_if<RowMatrix>(m_numbers.get());
    return doubles != nullptr ? doubles->cols() : std::get<FloatRows>(*m_numbers).cols();
}

std::int64_t HeadRows::bytes() const {
    if (!m_numbers) {
        return 0;
    }
    constexpr std::int64_t wide = sizeof(double);
    if (const auto* repeated = std::get_if<Repeated>(m_numbers.get())) {
        return wide * (repeated->distinct.size() + static_cast<std::int64_t>(repeated->rowOf.size()));
    }
    const auto* doubles = std::get_if<RowMatrix>(m_numbers.get());
    return doubles != nullptr
               ? wide * doubles->size()
               : static_cast<std::int64_t>(sizeof(float)) * std::get<FloatRows>(*m_numbers).size();
}

template <class Number>
void HeadRows::copy(Eigen::Index begin, Eigen::Index end, Number* to) const {
    assert(begin >= 0 && begin <= end && end <= rows());
    Eigen::Map<Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> target(to, end - begin,
                                                                                              cols());
    if (!m_numbers) {
        return;
    }
    if (const auto* repeated = std::get_if<Repeated>(m_numbers.get())) {
        for (Eigen::Index row = begin; row < end; ++row) {
            target.row(row - begin) =
                repeated->distinct.row(repeated->rowOf[index(row)]).template cast<Number>();
        }
    } else if (const auto* doubles = std::get_if<RowMatrix>(m_numbers.get())) {
        target = doubles->middleRows(begin, end - begin).template cast<Number>();
    } else {
        target = std::get<FloatRows>(*m_numbers).middleRows(begin, end - begin).template cast<Number>();
    }
}

void HeadRows::copyRows(Eigen::Index begin, Eigen::Index end, float* to) const {
    copy(begin, end, to);
}

void HeadRows::copyRows(Eigen::Index begin, Eigen::Index end, double* to) const {
    copy(begin, end, to);
}

Eigen::Index HeadRows::distinctRows() const {
    const auto* repeated = m_numbers ? std::get_if<Repeated>(m_numbers.get()) : nullptr;
    return repeated != nullptr ? repeated->distinct.rows() : rows();
}

void HeadRows::copyDistinctRows(float* to) const {
    if (const auto* repeated = m_numbers ? std::get_if<Repeated>(m_numbers.get()) : nullptr) {
        Eigen::Map<FloatRows>(to, repeated->distinct.rows(), repeated->distinct.cols()) =
            repeated->distinct.cast<float>();
    } else {
        copyRows(0, rows(), to);
    }
}

std::span<const Eigen::Index> HeadRows::rowOf() const {
    const auto* repeated = m_numbers ? std::get_if<Repeated>(m_numbers.get()) : nullptr;
    return repeated != nullptr ? std::span<const Eigen::Index>(repeated->rowOf)
                               : std::span<const Eigen::Index>();
}

RowMatrix HeadRows::matrix() const {
    RowMatrix all(rows(), cols());
    copyRows(0, rows(), all.data());
    return all;
}

}  // namespace phaseladder
