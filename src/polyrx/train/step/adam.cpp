// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/adam.hpp"

#include <cmath>

namespace polyrx {
namespace {

constexpr double beta1 = 0.9;
constexpr double beta2 = 0.999;
constexpr double epsilon = 1e-8;

}  // namespace

AdamMoments no_moments(const ParameterLayout& layout) {
    return {AlignedFloats(layout.size()), AlignedFloats(layout.size())};
}

void adam_step(const ParameterLayout& layout, const AdamRates& rates, std::int64_t step, const AlignedFloats& gradient,
               AlignedFloats& parameters, AdamMoments& moments) {
    const auto steps = static_cast<double>(step);
    AdamStep factors{.keep1 = static_cast<float>(beta1),
                     .take1 = static_cast<float>(1 - beta1),
                     .keep2 = static_cast<float>(beta2),
                     .take2 = static_cast<float>(1 - beta2),
                     .per_root = static_cast<float>(1 / std::sqrt(1 - std::pow(beta2, steps))),
                     .tiny = static_cast<float>(epsilon),
                     .rate = static_cast<float>(rates.learning_rate / (1 - std::pow(beta1, steps))),
                     .keep = 1};
    const auto update = [&](std::size_t first, std::size_t end) {
        adam_step(factors, end - first, gradient.data() + first, parameters.data() + first,
                  moments.first.data() + first, moments.second.data() + first);
    };
    if (rates.weight_decay == 0) return update(0, layout.size());
    const auto kept = static_cast<float>(1 - rates.learning_rate * rates.weight_decay);
    for (std::size_t layer = 0; layer < layout.layers(); ++layer) {
        factors.keep = kept;
        update(layout.offset(layer), layout.bias_offset(layer));
        factors.keep = 1;
        update(layout.bias_offset(layer), layout.offset(layer + 1));
    }
}

}  // namespace polyrx
