// SPDX-License-Identifier: Apache-2.0
// The matrix product of training, with one order of summation on every machine.
#pragma once

#include "polyrx/core/matrix.hpp"

namespace polyrx {

// product = a b. Every element is summed from 0 in the order of a's columns, multiply then add: Eigen's own product
// blocks its sums by the size of the machine's caches. `product` must have its size already and alias neither.
void multiply(const Eigen::Ref<const MatrixF>& a, const Eigen::Ref<const MatrixF>& b, MatrixF& product);

}  // namespace polyrx
