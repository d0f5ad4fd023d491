// SPDX-License-Identifier: Apache-2.0
// Pulls treatments towards each other: a decay of the differences between their outcomes that leaves the level that
// they share free. Where the data do not insist on an effect, the network says that there is none.
#pragma once

#include <string_view>

#include "polyrx/train/parameters.hpp"

namespace polyrx {

// What of the output layer is pulled. Without its weights' differences, treatments differ by the same constants in
// every row: the best treatment for all. Without those of the biases too, they do not differ at all.
enum class ShrunkParts { weights, weights_and_biases };

[[nodiscard]] std::string_view name_of(ShrunkParts parts);  // "weights", "weights+biases"

// w_k <- mean + keep (w_k - mean), with the mean over treatments, for every weight of the output layer (and its bias).
void shrink_effects(const ParameterLayout& layout, AlignedFloats& parameters, double keep, ShrunkParts parts);

}  // namespace polyrx
