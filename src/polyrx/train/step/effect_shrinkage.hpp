// SPDX-License-Identifier: Apache-2.0
// Pulls treatments towards each other: a decay of the differences between their outcomes that leaves the level that
// they share free. Where the data do not insist on an effect, the network says that there is none.
#pragma once

#include "polyrx/train/parameters.hpp"
#include "polyrx/train/train_options.hpp"

namespace polyrx {

// w_k <- mean + keep (w_k - mean), with the mean over treatments, for every weight of the output layer (and its bias).
void shrink_effects(const ParameterLayout& layout, AlignedFloats& parameters, double keep, ShrunkParts parts);

}  // namespace polyrx
