// SPDX-License-Identifier: Apache-2.0
// Softmax (multinomial logistic) regression, used for propensities.
#pragma once

#include <span>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// p_k is proportional to exp(weights_k . x + intercept_k). A class without rows has intercept -infinity and weights 0,
// so its probability is 0.
struct LogisticModel {
    Matrix weights;  // one row per class
    Vector intercepts;

    friend bool operator==(const LogisticModel& a, const LogisticModel& b) {
        return a.weights == b.weights && a.intercepts == b.intercepts;
    }
};

struct LogisticOptions {
    // Must be above 0; 1 / C in scikit-learn, with the same default. With two classes, the penalty is split between two
    // weight vectors, so it is half as strong as for a binary model with one.
    double penalty = 1;
    int most_steps = 100;
    int threads = 1;  // 0: all cores; does not affect results
};

struct LogisticFit {
    LogisticModel model;
    int steps = 0;
    bool converged = false;
};

// Minimizes - sum_i w_i log p_i,class(i) + penalty / 2 * sum_k sum_j (deviation_j weights_kj)^2, where the deviations
// are weighted population standard deviations. Intercepts are not penalized. The minimizer is finite, because the
// penalty bounds the weights even if classes are separable. It is unique once the intercepts of the classes that occur
// sum to 0; the weights do so by themselves.
//
// Uses Newton's method with conjugate gradients and a line search. It has converged when the next step would gain less
// than 1e-15 per unit of weight; that step is still taken. After `most_steps`, it returns the current parameters and
// sets `converged` to false. The fit is then worse, but the probabilities are valid.
//
// Classes are 0 .. classes-1, one per row. Inputs must be finite. Constant inputs have weights 0, and rows of weight 0
// have no influence. Throws a usage error if sizes do not match, a class or option is out of range, weights are
// negative or not finite, or no weight is above 0.
[[nodiscard]] LogisticFit multinomial_logistic(const Matrix& inputs, std::span<const int> class_of, int classes,
                                               const Vector& weights = {}, const LogisticOptions& options = {});

// Rows x classes; each row sums to 1 up to rounding.
[[nodiscard]] Matrix probabilities(const LogisticModel& model, const Matrix& inputs);

}  // namespace polyrx
