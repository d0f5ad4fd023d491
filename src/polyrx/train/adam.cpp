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

void Adam::step(AlignedFloats& parameters, const AlignedFloats& gradient, double learning_rate) {
    ++steps_;
    const auto steps = static_cast<double>(steps_);
    AdamStep step{.keep1 = static_cast<float>(beta1),
                  .take1 = static_cast<float>(1 - beta1),
                  .keep2 = static_cast<float>(beta2),
                  .take2 = static_cast<float>(1 - beta2),
                  .per_root = static_cast<float>(1 / std::sqrt(1 - std::pow(beta2, steps))),
                  .tiny = static_cast<float>(epsilon),
                  .rate = static_cast<float>(learning_rate / (1 - std::pow(beta1, steps))),
                  .keep = 1};
    const auto update = [&](std::size_t first, std::size_t end) {
        adam_step(step, end - first, gradient.data() + first, parameters.data() + first, first_moment_.data() + first,
                  second_moment_.data() + first);
    };
    if (weight_decay_ == 0) return update(0, layout_.size());
    const auto kept = static_cast<float>(1 - learning_rate * weight_decay_);
    for (std::size_t layer = 0; layer < layout_.layers(); ++layer) {
        step.keep = kept;
        update(layout_.offset(layer), layout_.bias_offset(layer));
        step.keep = 1;
        update(layout_.bias_offset(layer), layout_.offset(layer + 1));
    }
}

}  // namespace polyrx
