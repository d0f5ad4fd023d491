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
#include <cstdint>
#include <span>
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

struct NumberRange {
    std::size_t first = 0;
    std::size_t count = 0;

    [[nodiscard]] std::size_t end() const { return first + count; }
};

// Some neurons of a layer and the inputs that they have weights from: of a layer in blocks, between which there are
// none, each is computed by itself.
struct LayerPart {
    LayerShape layer;
    NumberRange inputs;
    NumberRange neurons;

    LayerPart(LayerShape shape, NumberRange of_inputs, NumberRange of_neurons)
        : layer(shape), inputs(of_inputs), neurons(of_neurons) {}
    explicit LayerPart(LayerShape whole) : layer(whole), inputs{0, whole.inputs}, neurons{0, whole.neurons} {}
};

// Neurons that are off in every row of a batch are many in a deep network; they add nothing to any sum, so products
// leave them out. This is one of the others, with what follows from its number worked out, so that the innermost loop
// has nothing to multiply but floats.
struct LiveNeuron {
    std::size_t number = 0;
    std::size_t lanes_at = 0;    // where its values lie
    std::size_t weights_at = 0;  // where its weights to the next layer lie

    LiveNeuron() = default;
    LiveNeuron(std::size_t neuron, std::size_t next_neurons)
        : number(neuron), lanes_at(neuron * batch_lanes), weights_at(neuron * padded(next_neurons)) {}
};
using Live = std::span<const LiveNeuron>;  // in order

// Writes down those of some neurons that are above 0 in one of the first `rows` lanes, and returns how many they are.
// (Lanes behind the last row may make a neuron live that is not, which costs time and changes nothing.)
std::size_t find_live(NumberRange neurons, std::size_t next_neurons, std::size_t rows, const float* values,
                      LiveNeuron* live);

// out = in x weights + biases for the neurons of a part, its negative values made 0 when `relu`. `in` has the row of
// ones as its last, which must be live. The first `rows` lanes are computed, and some of those behind them.
void forward_layer(const LayerPart& part, std::size_t rows, const float* parameters, const float* in, Live live_in,
                   bool relu, float* out);

// in_slopes = slopes x weights transposed for the inputs of a part, 0 where `in` is not above 0, and in the padding
// behind the layer's last. `live` are the part's own neurons that may have slopes, `live_in` those of its inputs that
// are above 0 somewhere.
void input_gradient(const LayerPart& part, std::size_t rows, const float* parameters, const float* slopes, Live live,
                    const float* in, Live live_in, float* in_slopes);

// gradient = in transposed x slopes, laid out like the parameters, over the first `rows` lanes; added to what is there
// when `add`. `live_in` are inputs of the part, and may end with the row of ones. Vectors are computed whole, so
// weights of these inputs to neurons just outside of the part are written too. `slopes` has zeros up to
// padded(neurons); `scratch` has room for batch_lanes * padded(neurons).
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

// reciprocal_guess minus the bits of a positive float are those of a float within 13 % of its reciprocal. Three rounds
// of Newton's method, guess += guess (1 - value guess), make it exact to the last digit or two, which is how the step
// above divides: with the same bits on every target that fuses.
inline constexpr std::uint32_t reciprocal_guess = 0x7EF311C7;
// An infinite second moment has no reciprocal that way, so roots end here, where a step is nothing anyway.
inline constexpr float largest_root = 1e30F;

// `size` must be a multiple of 16.
void adam_step(const AdamStep& step, std::size_t size, const float* gradient, float* parameters, float* first_moment,
               float* second_moment);

// The instructions in use: "AVX-512", "AVX2", "SSSE3", "NEON", ... or "plain".
[[nodiscard]] std::string_view kernel_target();

// Whether they multiply and add with one rounding.
[[nodiscard]] bool kernels_fuse();

}  // namespace polyrx
