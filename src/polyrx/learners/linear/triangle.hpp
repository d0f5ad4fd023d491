// SPDX-License-Identifier: Apache-2.0
// A QR decomposition that takes rows in block by block and keeps only what least squares needs: R and Q'y.
#pragma once

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/standard_rows.hpp"

namespace polyrx {

// After any rows [X, Y]: R upper triangular with R'R = X'X, and rotated = Q'Y with R'Q'Y = X'Y. One block at a time is
// reflected (Householder) onto the triangle, for about twice the arithmetic of the normal equations; but those square
// the condition number of X, and this never does.
class Triangle {
public:
    Triangle(Eigen::Index inputs, Eigen::Index outcomes);

    [[nodiscard]] Eigen::Index inputs() const { return rows_.rows(); }
    [[nodiscard]] Eigen::Index outcomes() const { return rows_.cols() - rows_.rows(); }
    [[nodiscard]] auto factor() const { return rows_.leftCols(inputs()); }
    [[nodiscard]] auto rotated() const { return rows_.rightCols(outcomes()); }

    // Rows with a column per input and then one per outcome, which are used up.
    void absorb(Block& rows);
    // The rows that another one stands for, each times a factor.
    void absorb(const Triangle& other, double factor = 1);
    // One row per input with this value there and 0 elsewhere: the penalty of a ridge is the square of it.
    void absorb_diagonal(double value);

    // In place: R' x = b, and R x = b. No diagonal element may be 0.
    void solve_transposed(Eigen::Ref<Vector> b) const;
    void solve(Eigen::Ref<Vector> b) const;

private:
    Matrix rows_;  // [R, Q'Y]
};

// The triangle of the standardized inputs and of outcomes (one row per row of the inputs' matrix; no columns for none)
// less the given means, with weights.
[[nodiscard]] Triangle triangle_of(const StandardRows& rows, const Matrix& outcomes, const Vector& means, int threads);

}  // namespace polyrx
