// SPDX-License-Identifier: Apache-2.0
// The matrix types of the library: row-major, one row per unit.
#pragma once

#include <Eigen/Core>

namespace polyrx {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Vector = Eigen::VectorXd;
using MatrixF = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using VectorF = Eigen::VectorXf;

}  // namespace polyrx
