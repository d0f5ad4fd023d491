// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/effect_penalty.hpp"

#include "polyrx/train/contrasts.hpp"
#include "polyrx/train/train_kernel.hpp"

namespace polyrx {

double add_effect_penalty(const float* outputs, std::size_t treatments, const TrainingRows& rows, RowRange range,
                          double lambda, std::size_t batch, float* slopes) {
    double sum = 0;
    for (std::size_t lane = 0; lane < range.count; ++lane) {
        const double weight = lambda * rows.weight[range.first + lane];
        sum += weight * sum_squared_contrasts(
                            treatments, [&](std::size_t k) -> double { return outputs[k * batch_lanes + lane]; },
                            [&](std::size_t k, double contrast) {
                                slopes[k * batch_lanes + lane] +=
                                    static_cast<float>(2 * weight * contrast / static_cast<double>(batch));
                            });
    }
    return sum;
}

}  // namespace polyrx
