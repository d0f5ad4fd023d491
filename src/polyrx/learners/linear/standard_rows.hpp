// SPDX-License-Identifier: Apache-2.0
// Standardized rows for linear learners, without rows of weight 0, in blocks.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/lanes.hpp"

namespace polyrx {

// Inputs are centered by their weighted means and divided by their weighted population standard deviations, so units
// and offsets do not matter. Constant inputs are redundant with the intercept and left out; learners give them weight
// 0.
//
// Blocks are standardized each time they are read, which is cheaper than a second copy of the inputs. Blocks are
// grouped into chunks, the tasks of threads. Both depend only on the numbers of rows and inputs.
class StandardRows {
public:
    // Empty weights mean equal weights. The inputs must outlive the object. Throws a usage error unless there is one
    // weight per row, all are finite and at least 0, and one is above 0.
    StandardRows(const Matrix& inputs, const Vector& weights, int threads);

    [[nodiscard]] Eigen::Index rows() const { return static_cast<Eigen::Index>(weights_.size()); }
    [[nodiscard]] Eigen::Index inputs() const { return static_cast<Eigen::Index>(varying_.size()); }
    [[nodiscard]] double total_weight() const { return total_weight_; }

    // The index in the matrix of the given row.
    [[nodiscard]] Eigen::Index origin(Eigen::Index row) const {
        return kept_.empty() ? row : kept_[static_cast<std::size_t>(row)];
    }
    [[nodiscard]] double weight(Eigen::Index row) const { return weights_[static_cast<std::size_t>(row)]; }

    [[nodiscard]] Eigen::Index blocks() const { return (rows() + block_rows - 1) / block_rows; }
    [[nodiscard]] Eigen::Index chunks() const { return (blocks() + blocks_per_chunk_ - 1) / blocks_per_chunk_; }
    // Calls work(block) for the blocks of a chunk, in order.
    void each_block(Eigen::Index chunk, const std::function<void(Eigen::Index)>& work) const;

    [[nodiscard]] Eigen::Index first_row(Eigen::Index block) const { return block * block_rows; }
    [[nodiscard]] Eigen::Index rows_in(Eigen::Index block) const {
        return std::min(block_rows, rows() - first_row(block));
    }
    // Writes the standardized inputs of a block into the first columns. Lanes beyond the last row become 0. The block
    // gets `more` extra columns with unspecified values.
    void fill(Eigen::Index block, Eigen::Index more, Block& lanes) const;

    // Converts weights of standardized inputs to weights of all raw inputs. shift() is the amount to subtract from the
    // intercept.
    [[nodiscard]] Vector raw_weights(const Eigen::Ref<const Vector>& standard) const;
    [[nodiscard]] double shift(const Vector& raw) const;
    // The factors from standardized to raw weights.
    [[nodiscard]] const Vector& raw_per_standard() const { return raw_per_standard_; }
    // Inserts zeros for constant inputs.
    [[nodiscard]] Vector spread_out(const Vector& varying_only) const;

private:
    void measure(int threads);

    const Matrix* inputs_;
    std::vector<Eigen::Index> kept_;  // empty if all are kept
    std::vector<double> weights_;
    double total_weight_ = 0;
    Eigen::Index blocks_per_chunk_ = 1;
    std::vector<Eigen::Index> varying_;
    // By input: its minimum, the power of two that scales its range to 1..2, and its mean, relative to the minimum and
    // in scaled units. Relative to the minimum, a constant input is exactly 0 and a distant zero loses no digits.
    Vector low_, scale_, mean_;
    Vector per_deviation_;     // 1 / deviation of the varying inputs, in scaled units
    Vector raw_per_standard_;  // scale / deviation of the varying inputs
};

// Calls add(chunk, sum) for every chunk, on any thread, with a separate sum of zeros. Sums are added in the order of
// chunks, so the result does not depend on the number of threads.
[[nodiscard]] Matrix sum_over_chunks(const StandardRows& rows, int threads, Eigen::Index sum_rows,
                                     Eigen::Index sum_columns,
                                     const std::function<void(Eigen::Index chunk, Matrix& sum)>& add);

}  // namespace polyrx
