// SPDX-License-Identifier: Apache-2.0
// A network in two blocks: f_k(x) = a(x) + b_k(x), where a, the outcome that treatments share, and b, what they differ
// in, have neurons of their own, and the b_k of a row add up to nothing but a constant.
//
// Where a kind of row never received a treatment, only a + b_k of what it did receive is known, and the split between
// the two is what the network makes of it. In one block an unusual outcome of such rows makes an unusual effect, since
// neurons that tell those rows apart serve both. In two, with more decay on b, the outcome goes where it is cheap, and
// the effect stays what was learned of it in rows that received either treatment.
#pragma once

#include <vector>

#include "polyrx/train/parameters.hpp"
#include "polyrx/train/train_options.hpp"

namespace polyrx {

// How many neurons of a hidden layer are of the outcome: its first. The others are of effects; both have at least one.
[[nodiscard]] std::size_t outcome_neurons(const EffectBlock& block, std::size_t width);

// Makes weights, or slopes in them, those of a network in two blocks: the nearest ones. Between blocks they become 0;
// from the outcome block to treatments they become their mean; from the effect block to treatments they lose it.
void part_blocks(const ParameterLayout& layout, const EffectBlock& block, AlignedFloats& values);

// Multiplies the weights of effect neurons, to them and from them, by `keep`. Biases have no decay.
void decay_effects(const ParameterLayout& layout, const EffectBlock& block, AlignedFloats& parameters, double keep);

}  // namespace polyrx
