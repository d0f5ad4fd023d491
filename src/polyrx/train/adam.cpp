// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/adam.hpp"

#include <cmath>

namespace polyrx {
namespace {

constexpr double beta1 = 0.9;
constexpr double beta2 = 0.999;
constexpr double epsilon = 1e-8;

}  // namespace

Adam::Adam(const ParameterLayout& layout, double weight_decay)
    : layout_(layout), weight_decay_(weight_decay), first_moment_(layout.size()), second_moment_(layout.size()) {}

void Adam::step(std::vector<float>& parameters, const std::vector<float>& gradient, double learning_rate) {
    ++steps_;
    if (weight_decay_ > 0) {
        const auto kept = static_cast<float>(1 - learning_rate * weight_decay_);
        for (std::size_t layer = 0; layer < layout_.layers(); ++layer) layout_.weights(parameters, layer) *= kept;
    }
    const auto steps = static_cast<double>(steps_);
    const auto rate = static_cast<float>(learning_rate / (1 - std::pow(beta1, steps)));
    const auto root_of_correction = static_cast<float>(std::sqrt(1 - std::pow(beta2, steps)));
    constexpr auto keep1 = static_cast<float>(beta1);
    constexpr auto take1 = static_cast<float>(1 - beta1);
    constexpr auto keep2 = static_cast<float>(beta2);
    constexpr auto take2 = static_cast<float>(1 - beta2);
    constexpr auto tiny = static_cast<float>(epsilon);
    float* first = first_moment_.data();
    float* second = second_moment_.data();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const float slope = gradient[i];
        first[i] = keep1 * first[i] + take1 * slope;
        second[i] = keep2 * second[i] + take2 * slope * slope;
        parameters[i] -= rate * first[i] / (std::sqrt(second[i]) / root_of_correction + tiny);
    }
}

}  // namespace polyrx
