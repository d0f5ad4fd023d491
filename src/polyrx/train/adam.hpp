// SPDX-License-Identifier: Apache-2.0
// Adam (Kingma & Ba 2015) with decoupled weight decay (Loshchilov & Hutter 2019).
#pragma once

#include <cstdint>

#include "polyrx/train/parameters.hpp"

namespace polyrx {

class Adam {
public:
    // Weights decay, biases do not.
    Adam(const ParameterLayout& layout, double weight_decay);

    void step(AlignedFloats& parameters, const AlignedFloats& gradient, double learning_rate);

private:
    ParameterLayout layout_;
    double weight_decay_;
    AlignedFloats first_moment_;
    AlignedFloats second_moment_;
    std::int64_t steps_ = 0;
};

}  // namespace polyrx
