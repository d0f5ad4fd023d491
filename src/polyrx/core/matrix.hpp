// SPDX-License-Identifier: Apache-2.0
// The matrix types of the library: row-major, one row per unit.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace polyrx {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using VectorF = Eigen::VectorXf;

// Aligned to 64 bytes, so that no vector straddles two cache lines.
using AlignedFloats = std::vector<float, Eigen::aligned_allocator<float>>;
using AlignedDoubles = std::vector<double, Eigen::aligned_allocator<double>>;

}  // namespace polyrx
