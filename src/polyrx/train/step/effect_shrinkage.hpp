// SPDX-License-Identifier: Apache-2.0
// Effect shrinkage: a decay of the differences between treatments that leaves their common level free. Without evidence
// of an effect in the data, the network predicts none.
#pragma once

#include "polyrx/train/parameters.hpp"
#include "polyrx/train/train_options.hpp"

namespace polyrx {

// w_k <- mean + keep (w_k - mean), with the mean over treatments, for each weight of the output layer and its bias.
void shrink_effects(const ParameterLayout& layout, AlignedFloats& parameters, double keep, ShrunkParts parts);

}  // namespace polyrx
