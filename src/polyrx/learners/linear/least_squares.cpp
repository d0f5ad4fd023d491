// SPDX-License-Identifier: Apache-2.0
#include "polyrx/learners/linear/least_squares.hpp"

#include <fmt/format.h>

#include <Eigen/QR>

#include "polyrx/core/error.hpp"
#include "polyrx/learners/linear/reduced_rows.hpp"

namespace polyrx {
namespace {

constexpr double collinear = 1e-11;

// Eigen's QR with pivoting reflects one column at a time, by products with vectors, whose order does not depend on the
// machine as that of its products of matrices does. For the same reason everything below is done to one vector at a
// time.
using PivotedQr = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;

// Solves the triangle of a factor's first `rank` columns, in place.
void back_substitute(const PivotedQr& qr, Eigen::Index rank, Vector& b) {
    for (Eigen::Index j = rank; j-- > 0;) {
        for (Eigen::Index k = j + 1; k < rank; ++k) b[j] -= qr.matrixQR()(j, k) * b[k];
        b[j] /= qr.matrixQR()(j, j);
    }
}

// The least-squares solutions of R theta = c are one of them plus any combination of the null space's columns. The
// rank is found in standardized inputs, where all columns are equally long, but it is the weights of the raw inputs
// that shall be small: so of the null space, whose columns change predictions by rounding only, that combination is
// taken away that leaves the shortest raw weights. It is taken away in standardized units: raw weights may differ by
// many orders of magnitude, and what rounding of a large one adds to a small one would be seen in the predictions.
class SmallestSolution {
public:
    SmallestSolution(const Eigen::MatrixXd& factor, const Vector& raw_per_standard)
        : qr_(factor), raw_per_standard_(raw_per_standard) {
        qr_.setThreshold(collinear);  // of the largest pivot, the length that all columns have
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
            // Of raw length 1, so that no pivot below is small for the sake of units.
            direction /= raw(direction).stableNorm();
            null_space_.col(free) = direction;
            raw_null_space.col(free) = raw(direction);
        }
        raw_null_space_.compute(raw_null_space);
    }

    // In raw units, of the varying inputs.
    [[nodiscard]] Vector operator()(Vector weights) const {
        weights.applyOnTheLeft(qr_.householderQ().adjoint());
        weights.tail(weights.size() - rank_).setZero();
        back_substitute(qr_, rank_, weights);
        if (rank_ == weights.size()) return raw(weights);
        // Once more, for what rounding left when little remains of much.
        for (int time = 0; time < 2; ++time) {
            const Vector shares = shares_of_null_space(raw(weights));
            for (Eigen::Index free = 0; free < shares.size(); ++free) weights -= shares[free] * null_space_.col(free);
        }
        return raw(weights);
    }

private:
    // How much of each column is nearest to the weights. Of columns that are the same in raw units but for rounding,
    // one has it all.
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
            fmt::format("the model has {} inputs, and the rows have {}", model.weights.size(), inputs.cols()));
    Vector predicted = Vector::Zero(inputs.rows());
    for (Eigen::Index row = 0; row < inputs.rows(); ++row) {
        for (Eigen::Index j = 0; j < inputs.cols(); ++j) predicted[row] += inputs(row, j) * model.weights[j];
        predicted[row] += model.intercept;
    }
    return predicted;
}

}  // namespace polyrx
