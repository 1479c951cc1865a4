#pragma once

#include <algorithm>

#include <Eigen/Core>

namespace phaseladder {

/// Eigen's product of matrices in its own two steps, packing and multiplying: keys are packed once for all
/// blocks of queries that meet them, where an ordinary product packs them for each one anew. These are
/// Eigen's internal names, as they are in its version 3.4.
class PackedProduct {
public:
    /// Keys are packed in groups of this many.
    static constexpr Eigen::Index groupKeys = Eigen::internal::gebp_traits<float, float>::nr;

    /// Packs whole groups of keys, keys × depth, row-major; `to` takes as many numbers. Packed keys of
    /// consecutive groups are consecutive in memory.
    static void packKeys(const float* keys, Eigen::Index count, Eigen::Index depth, float* to) {
        constexpr int order = Eigen::ColMajor;  // a key is a column of the right side
        using Mapper = Eigen::internal::const_blas_data_mapper<float, Eigen::Index, order>;
        Eigen::internal::gemm_pack_rhs<float, Eigen::Index, Mapper, Traits::nr, order> pack;
        pack(to, Mapper(keys, depth), depth, count);
    }

    /// Packs queries, queries × depth, column-major.
    static void packQueries(const Eigen::MatrixXf& queries, Eigen::MatrixXf& to) {
        to.resize(queries.rows(), queries.cols());
        constexpr int order = Eigen::ColMajor;
        using Mapper = Eigen::internal::const_blas_data_mapper<float, Eigen::Index, order>;
        Eigen::internal::gemm_pack_lhs<float, Eigen::Index, Mapper, Traits::mr, Traits::LhsProgress,
                                       Traits::LhsPacket4Packing, order>
            pack;
        pack(to.data(), Mapper(queries.data(), queries.rows()), queries.cols(), queries.rows());
    }

    /// Writes factor · queries × keys, column-major.
    static void multiply(float factor, const Eigen::MatrixXf& packedQueries, const float* packedKeys,
                         Eigen::Index keys, float* to) {
        const Eigen::Index rows = packedQueries.rows();
        std::fill_n(to, rows * keys, 0.0f);
        using Mapper = Eigen::internal::blas_data_mapper<float, Eigen::Index, Eigen::ColMajor>;
        Eigen::internal::gebp_kernel<float, float, Eigen::Index, Mapper, Traits::mr, Traits::nr, false, false>
            product;
        product(Mapper(to, rows), packedQueries.data(), packedKeys, rows, packedQueries.cols(), keys, factor);
    }

private:
    using Traits = Eigen::internal::gebp_traits<float, float>;
};

}  // namespace phaseladder
