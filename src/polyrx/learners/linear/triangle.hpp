// SPDX-License-Identifier: Apache-2.0
// An incremental QR decomposition that keeps only what least squares needs: R and Q'y.
#pragma once

#include "polyrx/core/matrix.hpp"
#include "polyrx/learners/linear/standard_rows.hpp"

namespace polyrx {

// After rows [X, Y]: R is upper triangular with R'R = X'X, and rotated = Q'Y with R'Q'Y = X'Y. Householder reflections
// add one block at a time to the triangle. This costs about twice as much as the normal equations, but does not square
// the condition number of X.
class Triangle {
public:
    Triangle(Eigen::Index inputs, Eigen::Index outcomes);

    [[nodiscard]] Eigen::Index inputs() const { return rows_.rows(); }
    [[nodiscard]] Eigen::Index outcomes() const { return rows_.cols() - rows_.rows(); }
    [[nodiscard]] auto factor() const { return rows_.leftCols(inputs()); }
    [[nodiscard]] auto rotated() const { return rows_.rightCols(outcomes()); }

    // Adds rows: a column per input, then one per outcome. Overwrites `rows`.
    void absorb(Block& rows);
    // Adds the rows of another triangle, scaled by `factor`.
    void absorb(const Triangle& other, double factor = 1);
    // Adds one row per input with this value there and 0 elsewhere: a ridge penalty of value^2.
    void absorb_diagonal(double value);

    // Solve R' x = b and R x = b in place. No diagonal element may be 0.
    void solve_transposed(Eigen::Ref<Vector> b) const;
    void solve(Eigen::Ref<Vector> b) const;

private:
    Matrix rows_;  // [R, Q'Y]
};

// The weighted triangle of the standardized inputs and of the outcomes (possibly without columns) minus the given
// means.
[[nodiscard]] Triangle triangle_of(const StandardRows& rows, const Matrix& outcomes, const Vector& means, int threads);

}  // namespace polyrx
