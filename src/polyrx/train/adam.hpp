// SPDX-License-Identifier: Apache-2.0
// Adam (Kingma & Ba 2015) with decoupled weight decay (Loshchilov & Hutter 2019).
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/train/parameters.hpp"

namespace polyrx {

class Adam {
public:
    // Weights decay, biases do not.
    Adam(const ParameterLayout& layout, double weight_decay);

    void step(std::vector<float>& parameters, const std::vector<float>& gradient, double learning_rate);

private:
    ParameterLayout layout_;
    double weight_decay_;
    std::vector<float> first_moment_;
    std::vector<float> second_moment_;
    std::int64_t steps_ = 0;
};

}  // namespace polyrx
