// SPDX-License-Identifier: Apache-2.0
// Adam (Kingma & Ba 2015) with decoupled weight decay (Loshchilov & Hutter 2019).
#pragma once

#include <cstdint>

#include "polyrx/train/parameters.hpp"
#include "polyrx/train/step/training_state.hpp"

namespace polyrx {

struct AdamRates {
    double learning_rate = 0;
    double weight_decay = 0;  // of weights; biases do not decay
};

[[nodiscard]] AdamMoments no_moments(const ParameterLayout& layout);

// Moves the parameters by step number `step`, 1-based.
void adam_step(const ParameterLayout& layout, const AdamRates& rates, std::int64_t step, const AlignedFloats& gradient,
               AlignedFloats& parameters, AdamMoments& moments);

}  // namespace polyrx
