// SPDX-License-Identifier: Apache-2.0
// Slow, obvious twins of the linear learners, and the rows they are tried on.
#pragma once

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/learners/linear/least_squares.hpp"
#include "polyrx/learners/linear/multinomial_logistic.hpp"
#include "tests/support/random_network.hpp"

namespace polyrx::test {

struct LinearRows {
    Matrix inputs;
    Vector outcome;
    Vector weights;
    std::vector<int> class_of;
};

// Inputs with other means and units, outcomes and classes that depend on them.
inline LinearRows random_rows(Rng& rng, Eigen::Index rows, Eigen::Index inputs, int classes = 3) {
    LinearRows made{random_matrix(rng, rows, inputs), random_matrix(rng, rows, 1).col(0), Vector(rows), {}};
    for (Eigen::Index i = 0; i < rows; ++i) made.weights[i] = rng.uniform(0.2, 3);
    const Matrix slopes = random_matrix(rng, inputs, classes);
    for (Eigen::Index i = 0; i < rows; ++i) {
        if (inputs > 0) made.outcome[i] += 2 * (made.inputs.row(i) * slopes)[0];
        int best = 0;
        double highest = -1e300;
        for (int k = 0; k < classes; ++k) {
            const double score = (inputs > 0 ? made.inputs.row(i).dot(slopes.col(k)) : 0) + 2 * rng.normal();
            if (score > highest) best = k;
            highest = std::max(highest, score);
        }
        made.class_of.push_back(best);
    }
    for (Eigen::Index j = 0; j < inputs; ++j)
        made.inputs.col(j) = (made.inputs.col(j).array() + rng.uniform(-3, 3)) * rng.uniform(0.1, 10);
    return made;
}

// (X'WX) b = X'Wy with a column of ones, by Gaussian elimination in long double.
inline LinearModel slow_normal_equations(const LinearRows& rows) {
    using WideMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
    const Eigen::Index d = rows.inputs.cols();
    WideMatrix x(rows.inputs.rows(), d + 1);
    x << rows.inputs.cast<long double>(), WideMatrix::Ones(rows.inputs.rows(), 1);
    WideMatrix system(d + 1, d + 2);
    const WideMatrix weighted = rows.weights.cast<long double>().asDiagonal() * x;
    system << x.transpose() * weighted, weighted.transpose() * rows.outcome.cast<long double>();
    for (Eigen::Index j = 0; j <= d; ++j) {
        Eigen::Index pivot = j;
        for (Eigen::Index i = j; i <= d; ++i)
            if (std::abs(system(i, j)) > std::abs(system(pivot, j))) pivot = i;
        system.row(j).swap(system.row(pivot));
        system.row(j) /= system(j, j);
        for (Eigen::Index i = 0; i <= d; ++i)
            if (i != j) system.row(i) -= system(i, j) * system.row(j);
    }
    const Vector solution = system.col(d + 1).cast<double>();
    return {solution.head(d), solution[d]};
}

inline Eigen::RowVectorXd weighted_mean(const Matrix& values, const Vector& weights) {
    return (weights.asDiagonal() * values).colwise().sum() / weights.sum();
}

inline Eigen::RowVectorXd weighted_deviation(const Matrix& inputs, const Vector& weights) {
    const Matrix centered = inputs.rowwise() - weighted_mean(inputs, weights);
    return ((weights.asDiagonal() * centered.cwiseAbs2()).colwise().sum() / weights.sum()).cwiseSqrt();
}

// The pseudo-inverse of the centered inputs, by their singular values.
inline LinearModel slow_minimum_norm(const LinearRows& rows) {
    const Eigen::RowVectorXd mean = weighted_mean(rows.inputs, rows.weights);
    const double outcome_mean = rows.weights.dot(rows.outcome) / rows.weights.sum();
    const Eigen::MatrixXd centered = rows.weights.cwiseSqrt().asDiagonal() * (rows.inputs.rowwise() - mean);
    const Vector target = rows.weights.cwiseSqrt().cwiseProduct((rows.outcome.array() - outcome_mean).matrix());
    Eigen::JacobiSVD<Eigen::MatrixXd> svd(centered, Eigen::ComputeThinU | Eigen::ComputeThinV);
    svd.setThreshold(1e-10);
    const Vector weights = svd.solve(target);
    return {weights, outcome_mean - mean * weights};
}

inline double slow_ridge_objective(const LinearModel& model, const LinearRows& rows, double penalty) {
    const Eigen::ArrayXd error = (rows.outcome - rows.inputs * model.weights).array() - model.intercept;
    const Eigen::RowVectorXd deviation = weighted_deviation(rows.inputs, rows.weights);
    return (rows.weights.array() * error.square()).sum() +
           penalty * deviation.transpose().cwiseProduct(model.weights).squaredNorm();
}

inline double slow_logistic_objective(const LogisticModel& model, const LinearRows& rows, double penalty) {
    const Eigen::RowVectorXd deviation = weighted_deviation(rows.inputs, rows.weights);
    double sum = 0;
    for (Eigen::Index i = 0; i < rows.inputs.rows(); ++i) {
        const Vector score = model.weights * rows.inputs.row(i).transpose() + model.intercepts;
        const double own = score[rows.class_of[static_cast<std::size_t>(i)]];
        sum += rows.weights[i] * std::log((score.array() - own).exp().sum());
    }
    return sum + penalty / 2 * (model.weights * deviation.asDiagonal()).squaredNorm();
}

// Plain gradient descent on standardized inputs, every step 1 / L for a bound L of the curvature.
inline LogisticModel slow_logistic(const LinearRows& rows, int classes, double penalty, int steps) {
    const Eigen::Index d = rows.inputs.cols();
    const Eigen::RowVectorXd mean = weighted_mean(rows.inputs, rows.weights);
    const Eigen::RowVectorXd deviation = weighted_deviation(rows.inputs, rows.weights);
    Matrix x(rows.inputs.rows(), d + 1);
    x << (rows.inputs.rowwise() - mean) * deviation.cwiseInverse().asDiagonal(), Vector::Ones(x.rows());
    Matrix theta = Matrix::Zero(classes, d + 1);
    const double bound = penalty + 0.5 * (rows.weights.asDiagonal() * x.cwiseAbs2()).sum();
    for (int step = 0; step < steps; ++step) {
        Matrix p = (x * theta.transpose()).array().exp();
        for (Eigen::Index i = 0; i < p.rows(); ++i) {
            p.row(i) /= p.row(i).sum();
            p(i, rows.class_of[static_cast<std::size_t>(i)]) -= 1;
        }
        Matrix slope = p.transpose() * rows.weights.asDiagonal() * x;
        slope.leftCols(d) += penalty * theta.leftCols(d);
        theta -= slope / bound;
    }
    const Matrix weights = theta.leftCols(d) * deviation.cwiseInverse().asDiagonal();
    return {weights, theta.col(d) - weights * mean.transpose()};
}

}  // namespace polyrx::test
