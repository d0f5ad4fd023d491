// SPDX-License-Identifier: Apache-2.0
// What a tree asks of every row, in vectors as wide as the machine has them, chosen when the program runs: the bounds
// of the domain, and the value of a split. Every target gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace polyrx {

// One of each for each input.
struct InputBounds {
    const double* lower;
    const double* upper;
    const double* fraction;  // 0 if the input must be a whole number, 1 if it need not be
    std::size_t inputs;
};

// inside[i] = 1 if the i-th row keeps to the bounds and to whole numbers, else 0. A whole number beyond 2^51 in size
// may count as none. NaN is outside.
void check_bounds(const InputBounds& bounds, const double* rows, std::span<unsigned char> inside);

// values[i] = constant + the sum of weights[j] * rows[which[i] * stride + j]. Term j is added to sum j mod 4, in order;
// then come (sum 0 + sum 1) + (sum 2 + sum 3), and the constant.
struct RunOfTerms {
    const double* weights;
    std::size_t terms;
    double constant;
};
void split_values(const RunOfTerms& run, const double* rows, std::size_t stride, std::span<const std::uint32_t> which,
                  double* values);

}  // namespace polyrx
