// SPDX-License-Identifier: Apache-2.0
// Blocks of rows that lie side by side, one to a lane, and the two loops over them that linear learners are made of.
#pragma once

#include <Eigen/Core>

namespace polyrx {

// Rows are taken this many at a time. A column is then 33 cache lines, an odd number, so that the values of one row do
// not all fall into the same few sets of the cache; and a block of some tens of columns stays in it.
inline constexpr Eigen::Index block_rows = 264;

// One column per input, one lane per row; the number of lanes is a multiple of 8.
using Block = Eigen::ArrayXXd;

constexpr Eigen::Index whole_lanes(Eigen::Index rows) {
    return (rows + 7) / 8 * 8;
}

using EightLanes = Eigen::Array<double, 8, 1>;

// Eight partial sums, whatever the width of the machine's vectors, so that the order of the sum never depends on it.
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
