// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/linear/least_squares.hpp"

#include <fmt/format.h>

#include <Eigen/QR>

#include "polyrx/core/error.hpp"
#include "polyrx/learners/linear/reduced_rows.hpp"

namespace polyrx {
namespace {

constexpr double collinear = 1e-11;

// Eigen's pivoted QR applies one reflection at a time with vector products, whose order of summation does not depend on
// the machine. That of matrix products does, so the code below also uses vectors only.
using PivotedQr = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;

// Solves with the triangle of a factor's first `rank` columns, in place.
void back_substitute(const PivotedQr& qr, Eigen::Index rank, Vector& b) {
    for (Eigen::Index j = rank; j-- > 0;) {
        for (Eigen::Index k = j + 1; k < rank; ++k) b[j] -= qr.matrixQR()(j, k) * b[k];
        b[j] /= qr.matrixQR()(j, j);
    }
}

// The least-squares solutions of R theta = c are one solution plus the null space. The rank is found with standardized
// inputs, whose columns have equal length, but the raw weights are to have the smallest norm. So the combination of
// null-space columns that leaves the shortest raw weights is subtracted. Those columns change predictions by rounding
// only. The subtraction is done in standardized units: raw weights may differ by many orders of magnitude, and rounding
// errors of a large one in a small one would change predictions.
class SmallestSolution {
public:
    SmallestSolution(const Eigen::MatrixXd& factor, const Vector& raw_per_standard)
        : qr_(factor), raw_per_standard_(raw_per_standard) {
        qr_.setThreshold(collinear);  // relative to the largest pivot, the length of all columns
        rank_ = qr_.rank();
        const Eigen::Index inputs = factor.cols();
        if (rank_ == inputs) return;
        null_space_.resize(inputs, inputs - rank_);
        Eigen::MatrixXd raw_null_space(inputs, inputs - rank_);
        for (Eigen::Index free = 0; free < inputs - rank_; ++free) {
            Vector direction = Vector::Zero(inputs);
            direction.head(rank_) = -qr_.matrixQR().col(rank_ + free).head(rank_);
            back_substitute(qr_, rank_, direction);
            direction[rank_ + free] = 1;
            // Normalized to raw length 1, so that units make no pivot below small.
            direction /= raw(direction).stableNorm();
            null_space_.col(free) = direction;
            raw_null_space.col(free) = raw(direction);
        }
        raw_null_space_.compute(raw_null_space);
    }

    // Returns raw weights of the varying inputs.
    [[nodiscard]] Vector operator()(Vector weights) const {
        weights.applyOnTheLeft(qr_.householderQ().adjoint());
        weights.tail(weights.size() - rank_).setZero();
        back_substitute(qr_, rank_, weights);
        if (rank_ == weights.size()) return raw(weights);
        // Twice, because cancellation may leave rounding errors.
        for (int time = 0; time < 2; ++time) {
            const Vector shares = shares_of_null_space(raw(weights));
            for (Eigen::Index free = 0; free < shares.size(); ++free) weights -= shares[free] * null_space_.col(free);
        }
        return raw(weights);
    }

private:
    // The coefficients of the projection of the weights on the null space. Of columns that are equal in raw units up to
    // rounding, one gets the full coefficient.
    [[nodiscard]] Vector shares_of_null_space(Vector raw_weights) const {
        const Eigen::Index rank = raw_null_space_.rank();
        raw_weights.applyOnTheLeft(raw_null_space_.householderQ().adjoint());
        back_substitute(raw_null_space_, rank, raw_weights);
        Vector shares = Vector::Zero(null_space_.cols());
        shares.head(rank) = raw_weights.head(rank);
        return raw_null_space_.colsPermutation() * shares;
    }

    [[nodiscard]] Vector raw(const Vector& pivoted) const {
        return (qr_.colsPermutation() * pivoted).cwiseProduct(raw_per_standard_);
    }

    PivotedQr qr_;
    const Vector& raw_per_standard_;
    Eigen::Index rank_ = 0;
    Eigen::MatrixXd null_space_;  // in standardized units, by pivot
    PivotedQr raw_null_space_;
};

}  // namespace

std::vector<LinearModel> least_squares_all(const Matrix& inputs, const Matrix& outcomes, const Vector& weights,
                                           int threads) {
    const ReducedRows reduced = reduce(inputs, outcomes, weights, threads);
    const StandardRows& rows = reduced.rows;
    std::vector<LinearModel> models;
    if (rows.inputs() == 0) {
        for (Eigen::Index m = 0; m < outcomes.cols(); ++m)
            models.push_back(through_the_means(reduced, m, Vector::Zero(inputs.cols())));
        return models;
    }
    const SmallestSolution smallest(reduced.triangle.factor(), rows.raw_per_standard());
    for (Eigen::Index m = 0; m < outcomes.cols(); ++m)
        models.push_back(through_the_means(reduced, m, rows.spread_out(smallest(reduced.triangle.rotated().col(m)))));
    return models;
}

LinearModel least_squares(const Matrix& inputs, const Vector& outcome, const Vector& weights, int threads) {
    return least_squares_all(inputs, outcome, weights, threads)[0];
}

Vector predict(const LinearModel& model, const Matrix& inputs) {
    if (inputs.cols() != model.weights.size())
        throw usage_error(
            fmt::format("the model has {} inputs, but the rows have {}", model.weights.size(), inputs.cols()));
    Vector predicted = Vector::Zero(inputs.rows());
    for (Eigen::Index row = 0; row < inputs.rows(); ++row) {
        for (Eigen::Index j = 0; j < inputs.cols(); ++j) predicted[row] += inputs(row, j) * model.weights[j];
        predicted[row] += model.intercept;
    }
    return predicted;
}

}  // namespace polyrx
