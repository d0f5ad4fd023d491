// SPDX-License-Identifier: Apache-2.0
// The arithmetic of a training step, in vectors as wide as the machine supports; the target is chosen at run time.
//
// Rows of a batch are computed in parallel, one per lane. A layer's values for a batch, and the slopes of the loss in
// them, are stored by neuron, `batch_lanes` floats each. A layer's parameters are stored by input, one float per
// neuron, padded with zeros to `padded(neurons)`. Biases are the weights of one more input, which is always 1. Arrays
// begin on 64-byte boundaries (AlignedFloats), for speed only.
//
// Every sum over inputs, neurons or rows is in order, from 0, with one rounding per term, so AVX2 and AVX-512 give the
// same bits. Targets without fused multiply-add round twice and agree among themselves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace polyrx {

inline constexpr std::size_t batch_lanes = 64;

// Rounds up to whole vectors of every target.
constexpr std::size_t padded(std::size_t floats) {
    return (floats + 15) / 16 * 16;
}

struct LayerShape {
    std::size_t inputs = 0;
    std::size_t neurons = 0;
};

struct NumberRange {
    std::size_t first = 0;
    std::size_t count = 0;

    [[nodiscard]] std::size_t end() const { return first + count; }
};

// Some neurons of a layer and the inputs that they read. In a layer with blocks, there are no weights between blocks,
// so each block is computed separately.
struct LayerPart {
    LayerShape layer;
    NumberRange inputs;
    NumberRange neurons;

    LayerPart(LayerShape shape, NumberRange of_inputs, NumberRange of_neurons)
        : layer(shape), inputs(of_inputs), neurons(of_neurons) {}
    explicit LayerPart(LayerShape whole) : layer(whole), inputs{0, whole.inputs}, neurons{0, whole.neurons} {}
};

// A neuron that is active in at least one row of a batch. In deep networks, many neurons are inactive in all rows; they
// add nothing to any sum, so products skip them. Offsets are precomputed, so that the innermost loop only multiplies
// floats.
struct LiveNeuron {
    std::size_t number = 0;
    std::size_t lanes_at = 0;    // offset of its values
    std::size_t weights_at = 0;  // offset of its weights to the next layer

    LiveNeuron() = default;
    LiveNeuron(std::size_t neuron, std::size_t next_neurons)
        : number(neuron), lanes_at(neuron * batch_lanes), weights_at(neuron * padded(next_neurons)) {}
};
using Live = std::span<const LiveNeuron>;  // in order

// Lists the neurons that are above 0 in one of the first `rows` lanes, and returns their number. Lanes behind the last
// row may add inactive neurons, which costs time but does not change results.
std::size_t find_live(NumberRange neurons, std::size_t next_neurons, std::size_t rows, const float* values,
                      LiveNeuron* live);

// out = in x weights + biases for the neurons of a part, with negative values set to 0 if `relu`. The last row of `in`
// is the row of ones, which must be live. Computes the first `rows` lanes, and some behind them.
void forward_layer(const LayerPart& part, std::size_t rows, const float* parameters, const float* in, Live live_in,
                   bool relu, float* out);

// in_slopes = slopes x weights transposed for the inputs of a part; 0 where `in` is not above 0, and in the padding
// after the layer's last neuron. `live` are neurons of the part that may have slopes, `live_in` its inputs that are
// above 0 in some row.
void input_gradient(const LayerPart& part, std::size_t rows, const float* parameters, const float* slopes, Live live,
                    const float* in, Live live_in, float* in_slopes);

// gradient = in transposed x slopes over the first `rows` lanes, in the layout of parameters; added to `gradient` if
// `add`. `live_in` are inputs of the part, and may end with the row of ones. Computes whole vectors, so it also writes
// weights of these inputs to neurons next to the part. `slopes` has zeros up to padded(neurons); `scratch` needs
// batch_lanes * padded(neurons) floats.
void weight_gradient(const LayerPart& part, std::size_t rows, const float* in, Live live_in, const float* slopes,
                     bool add, float* scratch, float* gradient);

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

// reciprocal_guess minus the bits of a positive float are the bits of a float within 13 % of its reciprocal. Three
// rounds of Newton's method, guess += guess (1 - value guess), make it exact up to the last one or two digits.
// adam_step() divides this way, with the same bits on every target that fuses.
inline constexpr std::uint32_t reciprocal_guess = 0x7EF311C7;
// This method cannot invert an infinite second moment, so roots are capped here, where steps are 0 anyway.
inline constexpr float largest_root = 1e30F;

// `size` must be a multiple of 16.
void adam_step(const AdamStep& step, std::size_t size, const float* gradient, float* parameters, float* first_moment,
               float* second_moment);

// The instructions in use: "AVX-512", "AVX2", "SSSE3", "NEON", ... or "plain".
[[nodiscard]] std::string_view kernel_target();

// Whether kernels use fused multiply-add.
[[nodiscard]] bool kernels_fuse();

}  // namespace polyrx
