// SPDX-License-Identifier: Apache-2.0
// Softmax regression: the probability of each class given the inputs, as of each treatment given a person.
#pragma once

#include <span>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// p_k is proportional to exp(weights_k . x + intercept_k). A class that the rows never had has intercept -infinity and
// weights 0: its probability is 0.
struct LogisticModel {
    Matrix weights;  // one row per class
    Vector intercepts;

    friend bool operator==(const LogisticModel& a, const LogisticModel& b) {
        return a.weights == b.weights && a.intercepts == b.intercepts;
    }
};

struct LogisticOptions {
    // In units of rows, see below; above 0. It is 1 / C of scikit-learn, and the default is its default. With two
    // classes, whose two rows of weights share the penalty, it is half as strong as on the one row of others.
    double penalty = 1;
    int most_steps = 100;
    int threads = 1;  // 0: as many as there are cores; the bytes of the model do not depend on it
};

struct LogisticFit {
    LogisticModel model;
    int steps = 0;
    bool converged = false;
};

// Minimizes - sum_i w_i log p_i,class(i) + penalty / 2 * sum_k sum_j (deviation_j weights_kj)^2, the deviations being
// the weighted population ones of the inputs. Intercepts are not penalized. The minimizer is unique once the intercepts
// of the classes that occur sum to 0 (their weights do by themselves), and finite, since the penalty bounds the weights
// even where the classes can be separated.
//
// Newton's method, whose steps are found by conjugate gradients and shortened where needed so that each makes the
// objective smaller. It has converged when the next step would gain less than 1e-15 per unit of weight; that step is
// taken too. After `most_steps` the parameters are returned as they are then: a worse fit, with probabilities as good
// as any, and `converged` false.
//
// Classes are 0 .. classes-1, one for each row. Inputs are finite by contract; an input that does not vary has weights
// 0, and a row of weight 0 has no influence. Throws a usage error for sizes that do not fit, a class or an option out
// of range, weights that are negative or not finite, and where no row has a weight above 0.
[[nodiscard]] LogisticFit multinomial_logistic(const Matrix& inputs, std::span<const int> class_of, int classes,
                                               const Vector& weights = {}, const LogisticOptions& options = {});

// One row per row, one column per class, each row summing to 1 up to rounding.
[[nodiscard]] Matrix probabilities(const LogisticModel& model, const Matrix& inputs);

}  // namespace polyrx
