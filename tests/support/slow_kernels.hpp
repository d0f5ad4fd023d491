// SPDX-License-Identifier: Apache-2.0
// The slow, obvious twins of the training kernels: one element, one product at a time, on matrices without padding.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "polyrx/core/matrix.hpp"
#include "polyrx/train/train_kernel.hpp"

namespace polyrx::test {

// sum + a b with one rounding or with two, as the target has it.
inline float slow_multiply_add(float a, float b, float sum) {
    if (kernels_fuse()) return std::fma(a, b, sum);
    const float product = a * b;
    return sum + product;
}

// a b, every element summed from 0 in the order of a's columns.
inline MatrixF slow_multiply(const MatrixF& a, const MatrixF& b) {
    MatrixF product(a.rows(), b.cols());
    for (Eigen::Index i = 0; i < a.rows(); ++i)
        for (Eigen::Index j = 0; j < b.cols(); ++j) {
            float sum = 0;
            for (Eigen::Index k = 0; k < a.cols(); ++k) sum = slow_multiply_add(a(i, k), b(k, j), sum);
            product(i, j) = sum;
        }
    return product;
}

// `in` is rows x inputs, `weights` inputs x neurons.
inline MatrixF slow_forward_layer(const MatrixF& in, const MatrixF& weights, const VectorF& bias, bool relu) {
    MatrixF out = slow_multiply(in, weights);
    for (Eigen::Index row = 0; row < out.rows(); ++row)
        for (Eigen::Index neuron = 0; neuron < out.cols(); ++neuron) {
            out(row, neuron) += bias[neuron];
            if (relu && !(out(row, neuron) > 0)) out(row, neuron) = 0;
        }
    return out;
}

inline MatrixF slow_input_gradient(const MatrixF& slopes, const MatrixF& weights, const MatrixF& in) {
    MatrixF in_slopes = slow_multiply(slopes, weights.transpose());
    for (Eigen::Index row = 0; row < in.rows(); ++row)
        for (Eigen::Index input = 0; input < in.cols(); ++input)
            if (!(in(row, input) > 0)) in_slopes(row, input) = 0;
    return in_slopes;
}

inline MatrixF slow_weight_gradient(const MatrixF& in, const MatrixF& slopes) {
    return slow_multiply(in.transpose(), slopes);
}

inline VectorF slow_bias_gradient(const MatrixF& slopes) {
    VectorF sums = VectorF::Zero(slopes.cols());
    for (Eigen::Index row = 0; row < slopes.rows(); ++row) sums += slopes.row(row).transpose();
    return sums;
}

inline float slow_reciprocal(float value) {
    float guess = std::bit_cast<float>(reciprocal_guess - std::bit_cast<std::uint32_t>(value));
    for (int round = 0; round < 3; ++round)
        guess = slow_multiply_add(guess, slow_multiply_add(-value, guess, 1), guess);
    return guess;
}

struct SlowAdam {
    float parameter = 0;
    float first = 0;
    float second = 0;

    void step(const AdamStep& by, float slope) {
        first = slow_multiply_add(by.keep1, first, by.take1 * slope);
        second = slow_multiply_add(by.keep2, second, by.take2 * slope * slope);
        const float root = slow_multiply_add(std::sqrt(second), by.per_root, by.tiny);
        const float kept = by.keep * parameter;
        parameter = slow_multiply_add(-by.rate, first * slow_reciprocal(std::min(root, largest_root)), kept);
    }
};

}  // namespace polyrx::test
