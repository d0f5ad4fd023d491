// SPDX-License-Identifier: Apache-2.0
// A network with an effect block: f_k(x) = a(x) + b_k(x). The outcome a, which treatments share, and the effects b_k
// have separate neurons, and the sum of a row's b_k is constant.
//
// If a kind of row never received a treatment, the data identify only a + b_k of the treatment that it received. With
// one block, an unusual outcome of such rows becomes an unusual effect, because the same neurons represent both. With
// two blocks and more decay on b, the outcome goes to a, and the effect stays as learned from rows with overlap.
#pragma once

#include <vector>

#include "polyrx/train/parameters.hpp"
#include "polyrx/train/train_options.hpp"

namespace polyrx {

// The number of outcome neurons in a hidden layer, which come first. The others are effect neurons; each block has at
// least one neuron.
[[nodiscard]] std::size_t outcome_neurons(const EffectBlock& block, std::size_t width);

// Projects weights, or their slopes, onto networks with an effect block. Weights between blocks become 0. Weights from
// outcome neurons to treatments become their mean; weights from effect neurons lose their mean.
void part_blocks(const ParameterLayout& layout, const EffectBlock& block, AlignedFloats& values);

// Multiplies weights to and from effect neurons by `keep`. Biases have no decay.
void decay_effects(const ParameterLayout& layout, const EffectBlock& block, AlignedFloats& parameters, double keep);

}  // namespace polyrx
