// SPDX-License-Identifier: Apache-2.0
// Weighted rows as linear learners see them: without those of weight 0, inputs standardized, a block at a time.
#pragma once

#include <algorithm>
#include <functional>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/lanes.hpp"

namespace polyrx {

// Centered by their weighted means and divided by their weighted deviations (population form), inputs mean the same
// whatever their units and wherever their zero is. Inputs that do not vary carry nothing beside the intercept and are
// left out; a learner gives them weight 0.
//
// Blocks are standardized anew each time they are read, which costs less than a second copy of the inputs would.
// Blocks are grouped into chunks, the tasks of threads; both depend only on the numbers of rows and inputs.
class StandardRows {
public:
    // No weights means that every row counts once. The inputs must outlive the object. Throws a usage error unless
    // there are as many weights as rows, finite, at least 0, and one of them above 0.
    StandardRows(const Matrix& inputs, const Vector& weights, int threads);

    [[nodiscard]] Eigen::Index rows() const { return static_cast<Eigen::Index>(weights_.size()); }
    [[nodiscard]] Eigen::Index inputs() const { return static_cast<Eigen::Index>(varying_.size()); }
    [[nodiscard]] double total_weight() const { return total_weight_; }

    // Which row of the matrix the given one is.
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
    // Writes the standardized inputs of a block into the first columns; lanes behind its last row become 0. The block
    // gets `more` columns beside, which hold anything.
    void fill(Eigen::Index block, Eigen::Index more, Block& lanes) const;

    // The weights of the raw inputs, constant ones included, that amount to these weights of the standardized ones;
    // and what must be taken from the intercept for it.
    [[nodiscard]] Vector raw_weights(const Eigen::Ref<const Vector>& standard) const;
    [[nodiscard]] double shift(const Vector& raw) const;
    // Raw weights per standardized weight.
    [[nodiscard]] const Vector& raw_per_standard() const { return raw_per_standard_; }
    // The weights of the varying inputs among those of all inputs.
    [[nodiscard]] Vector spread_out(const Vector& varying_only) const;

private:
    void measure(int threads);

    const Matrix* inputs_;
    std::vector<Eigen::Index> kept_;  // empty: all of them
    std::vector<double> weights_;
    double total_weight_ = 0;
    Eigen::Index blocks_per_chunk_ = 1;
    std::vector<Eigen::Index> varying_;
    // Of every input: its least value, the power of two that brings its range to 1..2, and in those units, counted from
    // the least value, its mean. Counting from there, a constant input is exactly 0 and a far-off zero costs no digits.
    Vector low_, scale_, mean_;
    Vector per_deviation_;     // 1 / deviation of the varying ones, in the same units
    Vector raw_per_standard_;  // scale / deviation of the varying ones
};

// add(chunk, sum) for every chunk, on any thread, each into zeros of its own; these are then added in the order of the
// chunks, so that the sum never depends on the number of threads.
[[nodiscard]] Matrix sum_over_chunks(const StandardRows& rows, int threads, Eigen::Index sum_rows,
                                     Eigen::Index sum_columns,
                                     const std::function<void(Eigen::Index chunk, Matrix& sum)>& add);

}  // namespace polyrx
