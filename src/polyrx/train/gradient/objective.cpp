// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/gradient/objective.hpp"

#include <algorithm>
#include <array>

#include "polyrx/train/train_kernel.hpp"

namespace polyrx {
namespace {

struct Prescribed {
    std::array<int, batch_lanes> treatment{};
    std::array<float, batch_lanes> outcome{};
};

// Computes all lanes, used or not, so that the loop has a fixed length and no branches.
Prescribed prescribe_lanes(const float* outputs, std::size_t treatments) {
    Prescribed best;
    std::copy_n(outputs, batch_lanes, best.outcome.begin());
    for (std::size_t k = 1; k < treatments; ++k)
        for (std::size_t lane = 0; lane < batch_lanes; ++lane) {
            const float outcome = outputs[k * batch_lanes + lane];
            const bool better = outcome < best.outcome[lane];
            best.treatment[lane] = better ? static_cast<int>(k) : best.treatment[lane];
            best.outcome[lane] = better ? outcome : best.outcome[lane];
        }
    return best;
}

// The same among the allowed treatments of each row; -1 if none is allowed.
Prescribed prescribe_allowed_lanes(const float* outputs, std::size_t treatments, const TrainingRows& rows,
                                   RowRange range) {
    Prescribed best;
    best.treatment.fill(-1);
    for (std::size_t lane = 0; lane < range.count; ++lane)
        for (std::size_t k = 0; k < treatments; ++k) {
            if ((rows.allowed[range.first + lane] >> k & 1) == 0) continue;
            const float outcome = outputs[k * batch_lanes + lane];
            if (best.treatment[lane] >= 0 && !(outcome < best.outcome[lane])) continue;
            best.treatment[lane] = static_cast<int>(k);
            best.outcome[lane] = outcome;
        }
    return best;
}

}  // namespace

BatchLoss& BatchLoss::operator+=(const BatchLoss& other) {
    objective += other.objective;
    prescribed += other.prescribed;
    return *this;
}

BatchLoss loss_and_slopes(const float* outputs, std::size_t treatments, const TrainingRows& rows, RowRange range,
                          double mu, std::size_t batch, float* slopes) {
    const Prescribed best = rows.allowed.empty() ? prescribe_lanes(outputs, treatments)
                                                 : prescribe_allowed_lanes(outputs, treatments, rows, range);
    std::fill_n(slopes, treatments * batch_lanes, 0.0F);
    const auto per_row = 1 / static_cast<float>(batch);
    const auto prescription_pull = static_cast<float>(mu);
    const auto error_pull = static_cast<float>(2 * (1 - mu));
    BatchLoss sum;
    for (std::size_t lane = 0; lane < range.count; ++lane) {
        const std::size_t row = range.first + lane;
        const int given = rows.treatment[row];
        const float outcome = rows.outcome[row];
        const bool as_given = best.treatment[lane] == given;
        const std::size_t at_given = static_cast<std::size_t>(given) * batch_lanes + lane;

        const double error = static_cast<double>(outcome) - static_cast<double>(outputs[at_given]);
        const double expected = as_given ? outcome : best.outcome[lane];
        sum.objective += rows.weight[row] * (mu * expected + (1 - mu) * error * error);
        sum.prescribed += best.outcome[lane];

        const float weight = rows.weight[row] * per_row;
        slopes[at_given] = weight * error_pull * (outputs[at_given] - outcome);
        if (best.treatment[lane] < 0) continue;  // no prescription, so no slope
        const std::size_t at_prescribed = static_cast<std::size_t>(best.treatment[lane]) * batch_lanes + lane;
        slopes[at_prescribed] += as_given ? 0.0F : weight * prescription_pull;
    }
    return sum;
}

double mu_for_scaled_outcome(double mu, double sd) {
    return mu / (mu + (1 - mu) * sd);
}

}  // namespace polyrx
