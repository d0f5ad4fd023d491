// SPDX-License-Identifier: Apache-2.0
// The objective of softmax regression on standardized rows, its gradient and Hessian products.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/standard_rows.hpp"

namespace polyrx {

// f(theta) = - sum_i w_i log p_i,c(i) + penalty / 2 * sum_k |weights_k|^2, with p_ik proportional to
// exp(weights_k . x_i + intercept_k). Parameters have one row per class: the weights of the standardized inputs, then
// the intercept. Adding a constant to all intercepts does not change f.
class SoftmaxLoss {
public:
    // `class_of` has the class of each row. `rows` must outlive the object.
    SoftmaxLoss(const StandardRows& rows, std::vector<int> class_of, Eigen::Index classes, double penalty, int threads);

    // Evaluates f at the parameters and keeps the probabilities for Hessian products. Returns f.
    double move_to(const Matrix& parameters);

    // The gradient at the parameters of the last move_to().
    [[nodiscard]] const Matrix& gradient() const { return gradient_; }
    [[nodiscard]] Matrix hessian_times(const Matrix& direction) const;
    // The weighted mean of p (1 - p), by class.
    [[nodiscard]] Vector mean_variances() const;

    // The largest change in the difference of two scores of a row along this direction.
    [[nodiscard]] double widest_move(const Matrix& direction) const;

private:
    struct Reading {
        Block lanes;             // inputs and a column of ones
        Block scores;            // a column per class; overwritten with derivatives
        Eigen::ArrayXd weights;  // by row; 0 in lanes beyond the last row
    };
    // Reads a block and computes its scores.
    void read(Eigen::Index block, const Matrix& parameters, Reading& reading) const;
    // sum(k, j) += sum over rows of scores_k inputs_j.
    static void add_products(const Reading& reading, Matrix& sum);
    void add_penalty(const Matrix& parameters, Matrix& sum) const;

    [[nodiscard]] int class_at(Eigen::Index row) const { return class_of_[static_cast<std::size_t>(row)]; }

    const StandardRows& rows_;
    std::vector<int> class_of_;
    Eigen::Index classes_;
    double penalty_;
    int threads_;
    std::vector<Block> probabilities_;  // by block
    Matrix gradient_;
};

}  // namespace polyrx
