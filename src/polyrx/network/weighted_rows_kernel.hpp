// SPDX-License-Identifier: Apache-2.0
// Sums of a matrix's rows, in vectors as wide as the machine has them, chosen when the program runs. It is what taking
// a function of a layer's values to the layer before consists of. Every target gives the bits of the plain loop.
#pragma once

#include <cstddef>
#include <span>

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// into[j] += weights[row] * matrix(row, j), for one of the rows after the other: multiply, then add. `into` has the
// matrix's columns, and `weights` its rows.
void add_weighted_rows(const Matrix& matrix, std::span<const Eigen::Index> rows, const double* weights, double* into);

}  // namespace polyrx
