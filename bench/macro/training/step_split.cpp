// SPDX-License-Identifier: Apache-2.0
#include "bench/macro/training/step_split.hpp"

#include <chrono>
#include <cmath>
#include <limits>

#include "polyrx/core/error.hpp"
#include "polyrx/train/flush_denormals.hpp"
#include "polyrx/train/gradient/backprop.hpp"
#include "polyrx/train/step/adam.hpp"

namespace polyrx::bench {
namespace {

// Adds to a sum the time since it was last asked.
class Laps {
public:
    void add_to(double& seconds) {
        const auto now = Clock::now();
        seconds += std::chrono::duration<double>(now - last_).count();
        last_ = now;
    }

private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point last_ = Clock::now();
};

}  // namespace

StepSplit split_step(const TrainingRows& rows, const TrainOptions& options) {
    constexpr int rounds = 20;
    const auto batch = static_cast<std::size_t>(options.batch);
    if (batch > batch_lanes) throw usage_error("the split is of batches that are computed in one piece");
    const std::size_t steps = static_cast<std::size_t>(rows.size()) / batch;

    const FlushDenormals guard;
    const ParameterLayout layout(rows.inputs.cols(), options.hidden, options.treatments);
    Backprop backprop(layout);
    AdamMoments moments = no_moments(layout);
    std::int64_t taken = 0;
    AlignedFloats parameters = initial_parameters(layout, options.seed);
    AlignedFloats gradient(layout.size());

    StepSplit best;
    double fastest = std::numeric_limits<double>::infinity();
    for (int round = 0; round < rounds; ++round) {
        StepSplit sum;
        Laps laps;
        for (std::size_t i = 0; i < steps; ++i) {
            const RowRange range{i * batch, batch};
            backprop.take(rows, range);
            laps.add_to(sum.rest);
            backprop.forward(parameters, batch);
            laps.add_to(sum.products);
            const BatchLoss loss = backprop.judge(rows, range, options.mu, batch);
            if (!std::isfinite(loss.objective)) throw other_error("the loss is not a finite number");
            laps.add_to(sum.rest);
            backprop.backward(parameters, batch, false, gradient);
            laps.add_to(sum.products);
            adam_step(layout, {options.learning_rate, options.weight_decay}, ++taken, gradient, parameters, moments);
            laps.add_to(sum.adam);
        }
        const double whole = sum.products + sum.adam + sum.rest;
        if (whole >= fastest) continue;
        fastest = whole;
        const auto each = static_cast<double>(steps);
        best = {sum.products / each, sum.adam / each, sum.rest / each};
    }
    return best;
}

}  // namespace polyrx::bench
