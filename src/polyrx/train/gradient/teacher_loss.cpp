// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/gradient/teacher_loss.hpp"

#include "polyrx/train/train_kernel.hpp"

namespace polyrx {

double mix_in_teacher(const float* outputs, std::size_t treatments, const TrainingRows& rows, RowRange range,
                      double lambda, std::size_t batch, double objective, float* slopes) {
    const auto data_share = static_cast<float>(1 - lambda);
    double sum = 0;
    for (std::size_t lane = 0; lane < range.count; ++lane) {
        const std::size_t row = range.first + lane;
        const float* teacher = rows.teacher.data() + row * treatments;
        const double weight = lambda * rows.teacher_weight[row];
        const auto error_of = [&](std::size_t k) {
            return static_cast<double>(outputs[k * batch_lanes + lane]) - teacher[k];
        };
        double mean = 0;
        for (std::size_t k = 0; k < treatments; ++k) mean += error_of(k);
        mean /= static_cast<double>(treatments);
        double squares = 0;
        for (std::size_t k = 0; k < treatments; ++k) {
            // The error is g - f minus its mean over treatments. So is its derivative, because both means are 0.
            const double error = error_of(k) - mean;
            squares += error * error;
            float& slope = slopes[k * batch_lanes + lane];
            slope = data_share * slope + static_cast<float>(2 * weight * error / static_cast<double>(batch));
        }
        sum += weight * squares;
    }
    return (1 - lambda) * objective + sum;
}

}  // namespace polyrx
