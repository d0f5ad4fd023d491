// SPDX-License-Identifier: Apache-2.0
// Blocks of rows, one row per lane, and the two inner loops of the linear learners.
#pragma once

#include <Eigen/Core>

namespace polyrx {

// Rows per block. A column is then 33 cache lines. The odd number keeps the values of one row from mapping to the same
// few cache sets, and some tens of columns fit in the cache.
inline constexpr Eigen::Index block_rows = 264;

// One column per input, one lane per row. The number of lanes is a multiple of 8.
using Block = Eigen::ArrayXXd;

constexpr Eigen::Index whole_lanes(Eigen::Index rows) {
    return (rows + 7) / 8 * 8;
}

using EightLanes = Eigen::Array<double, 8, 1>;

// Always eight partial sums, so that the order of summation does not depend on the vector width.
inline double dot(const double* a, const double* b, Eigen::Index lanes) {
    EightLanes sum = EightLanes::Zero();
    for (Eigen::Index i = 0; i < lanes; i += 8) sum += EightLanes::Map(a + i) * EightLanes::Map(b + i);
    return ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
}

// to += factor * from
inline void add_multiple(double factor, const double* from, double* to, Eigen::Index lanes) {
    for (Eigen::Index i = 0; i < lanes; i += 8) EightLanes::Map(to + i) += factor * EightLanes::Map(from + i);
}

}  // namespace polyrx
