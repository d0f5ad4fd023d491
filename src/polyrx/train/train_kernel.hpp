// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a training step, in vectors as wide as the machine has them, chosen when the program runs.
//
// Rows of a batch are computed side by side, one per lane: what a layer has of a batch, values or slopes of the loss in
// them, lies neuron by neuron, `batch_lanes` floats each. A layer's parameters lie input by input, one float per neuron
// and zeros up to `padded(neurons)`; the biases are those of one more input, which is always 1. Arrays begin on 64-byte
// boundaries (AlignedFloats), for speed only.
//
// Every sum runs in order, of inputs, neurons or rows, from 0 and with one rounding per term, so AVX2 and AVX-512 give
// the same bits. Targets without fused multiply-add round twice and agree among themselves.
#pragma once

#include <cstddef>
#include <string_view>

namespace polyrx {

inline constexpr std::size_t batch_lanes = 64;

// As many floats as fill whole vectors of every target.
constexpr std::size_t padded(std::size_t floats) {
    return (floats + 15) / 16 * 16;
}

struct LayerShape {
    std::size_t inputs = 0;
    std::size_t neurons = 0;
};

// out = in x weights + biases, its negative values made 0 when `relu`. `in` has the row of ones as its last. The first
// `rows` lanes are computed, and some of those behind them.
void forward_layer(LayerShape shape, std::size_t rows, const float* parameters, const float* in, bool relu, float* out);

// in_slopes = slopes x weights transposed, 0 where `in` is not above 0.
void input_gradient(LayerShape shape, std::size_t rows, const float* parameters, const float* slopes, const float* in,
                    float* in_slopes);

// gradient = in transposed x slopes, laid out like the parameters, over the first `rows` lanes; added to what is there
// when `add`. `scratch` has room for batch_lanes * padded(neurons).
void weight_gradient(LayerShape shape, std::size_t rows, const float* in, const float* slopes, bool add, float* scratch,
                     float* gradient);

// The factors of one step t of Adam: first = keep1 first + take1 g, second = keep2 second + take2 g^2,
// parameter = keep parameter - rate first / (per_root sqrt(second) + tiny).
struct AdamStep {
    float keep1 = 0;     // beta1
    float take1 = 0;     // 1 - beta1
    float keep2 = 0;     // beta2
    float take2 = 0;     // 1 - beta2
    float per_root = 0;  // 1 / sqrt(1 - beta2^t)
    float tiny = 0;      // epsilon
    float rate = 0;      // learning rate / (1 - beta1^t)
    float keep = 0;      // 1 - learning rate * weight decay
};

// `size` must be a multiple of 16.
void adam_step(const AdamStep& step, std::size_t size, const float* gradient, float* parameters, float* first_moment,
               float* second_moment);

// The instructions in use: "AVX-512", "AVX2", "SSSE3", "NEON", ... or "plain".
[[nodiscard]] std::string_view kernel_target();

// Whether they multiply and add with one rounding.
[[nodiscard]] bool kernels_fuse();

}  // namespace polyrx
