// SPDX-License-Identifier: Apache-2.0
// The objective of softmax regression over standardized rows, its gradient, and products with its Hessian.
#pragma once

#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/standard_rows.hpp"

namespace polyrx {

// f(theta) = - sum_i w_i log p_i,c(i) + penalty / 2 * sum_k |weights_k|^2, with p_ik proportional to
// exp(weights_k . x_i + intercept_k). Parameters are one row per class: the weights of the standardized inputs, then
// the intercept. f does not change when the same is added to all intercepts.
class SoftmaxLoss {
public:
    // The class of each of the rows, which must outlive the object.
    SoftmaxLoss(const StandardRows& rows, std::vector<int> class_of, Eigen::Index classes, double penalty, int threads);

    // The probabilities at the given parameters are kept, since the Hessian is made of them. Returns f.
    double move_to(const Matrix& parameters);

    // Of f where the last move went.
    [[nodiscard]] const Matrix& gradient() const { return gradient_; }
    [[nodiscard]] Matrix hessian_times(const Matrix& direction) const;
    // The weighted mean over rows of p (1 - p), for each class.
    [[nodiscard]] Vector mean_variances() const;

    // The most by which the scores of two classes move apart in a row as the parameters go in this direction.
    [[nodiscard]] double widest_move(const Matrix& direction) const;

private:
    struct Reading {
        Block lanes;             // inputs, and a column of ones
        Block scores;            // a column per class; then what becomes of them
        Eigen::ArrayXd weights;  // of rows; 0 in the lanes behind the last
    };
    // A block and its scores under some parameters.
    void read(Eigen::Index block, const Matrix& parameters, Reading& reading) const;
    // For class k and input j, the sum over the rows of scores_k inputs_j.
    static void add_products(const Reading& reading, Matrix& sum);
    void add_penalty(const Matrix& parameters, Matrix& sum) const;

    [[nodiscard]] int class_at(Eigen::Index row) const { return class_of_[static_cast<std::size_t>(row)]; }

    const StandardRows& rows_;
    std::vector<int> class_of_;
    Eigen::Index classes_;
    double penalty_;
    int threads_;
    std::vector<Block> probabilities_;  // of each block
    Matrix gradient_;
};

}  // namespace polyrx
