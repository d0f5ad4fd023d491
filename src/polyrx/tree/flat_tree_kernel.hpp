// SPDX-License-Identifier: Apache-2.0
// Checks domain bounds and computes split values in SIMD, with run-time dispatch. Every target gives the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace polyrx {

// Arrays with one entry per input.
struct InputBounds {
    const double* lower;
    const double* upper;
    const double* fraction;  // 0 for whole numbers, otherwise 1
    std::size_t inputs;
};

// Sets inside[i] to 1 if row i satisfies bounds and whole numbers, otherwise to 0. May reject whole numbers beyond
// 2^51. NaN is outside.
void check_bounds(const InputBounds& bounds, const double* rows, std::span<unsigned char> inside);

// values[i] = constant + the sum of weights[j] * rows[which[i] * stride + j]. Term j is added to sum j mod 4, in order.
// The result is (sum 0 + sum 1) + (sum 2 + sum 3) + constant.
struct RunOfTerms {
    const double* weights;
    std::size_t terms;
    double constant;
};
void split_values(const RunOfTerms& run, const double* rows, std::size_t stride, std::span<const std::uint32_t> which,
                  double* values);

}  // namespace polyrx
