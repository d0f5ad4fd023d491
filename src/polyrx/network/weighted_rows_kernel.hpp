// SPDX-License-Identifier: Apache-2.0
// Weighted sums of matrix rows, the core of back-substitution, in SIMD with run-time dispatch. Every target gives the
// same bits as a scalar loop.
#pragma once

#include <cstddef>
#include <span>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// into[j] += weights[row] * matrix(row, j), row after row: multiply, then add. `into` has one entry per column of the
// matrix, `weights` one per row.
void add_weighted_rows(const Matrix& matrix, std::span<const Eigen::Index> rows, const double* weights, double* into);

}  // namespace polyrx
