// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/divergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polyrx {
namespace {

// How many ranges of the observed outcomes `value` lies below the smallest of them; or below 0, where a network begins,
// if raw outcomes are far above it.
double ranges_below(const std::vector<float>& outcome, double value) {
    const auto [low, high] = std::minmax_element(outcome.begin(), outcome.end());
    const double range = static_cast<double>(*high) - *low;
    return range > 0 ? (std::min(*low, 0.0F) - value) / range : 0;
}

// No outcome can be that good: a run that expects it is on its way to minus infinity.
constexpr double unbelievable_ranges = 10;

}  // namespace

void say_diverged(const TrainOptions& options, int epoch, const std::string& symptom) {
    std::string advice = fmt::format("try a learning rate below {}, or standardize the outcome", options.learning_rate);
    if (options.mu > unbounded_mu)
        advice = "for mu > 0 the objective has no lower bound where an arm is not observed; try a smaller mu";
    if (options.learning_rate * options.weight_decay > 1)
        advice = fmt::format("the learning rate of {} times the weight decay of {} is above 1; lower one of them",
                             options.learning_rate, options.weight_decay);
    throw Diverged(fmt::format("training diverged in epoch {}: {}; {}", epoch + 1, symptom, advice));
}

void check_believable(const TrainingRows& rows, double prescribed, const TrainOptions& options, int epoch) {
    // A teacher alone says by how much treatments differ, and nothing of their level.
    if (options.teacher_share == 1 && !rows.teacher.empty()) return;
    if (const double ranges = ranges_below(rows.outcome, prescribed); ranges > unbelievable_ranges)
        say_diverged(
            options, epoch,
            fmt::format("it expects outcomes {:.3g} times the observed range better than the best one observed",
                        ranges));
}

void check_last_step(Backprop& backprop, const AlignedFloats& parameters, const TrainingRows& rows,
                     const TrainOptions& options, double epoch_loss) {
    constexpr double unbelievable_jump = 1e6;
    const auto count = static_cast<std::size_t>(rows.size());
    const auto batch = static_cast<std::size_t>(options.batch);
    const std::size_t first = (count - 1) / batch * batch;
    const RowRange last{first, count - first};
    const BatchLoss loss = backprop.loss(parameters, rows, last, options.mu);
    double squares = 0;  // of the outcomes: a loss that was next to nothing may well multiply
    for (const float outcome : rows.outcome) squares += static_cast<double>(outcome) * outcome;
    const double before = std::abs(epoch_loss) + squares / static_cast<double>(count);
    if (!(loss.objective / static_cast<double>(last.count) <= unbelievable_jump * before))
        say_diverged(options, options.epochs - 1, "the last step multiplied the loss by more than a million");
    check_believable(rows, loss.prescribed / static_cast<double>(last.count), options, options.epochs - 1);
}

}  // namespace polyrx
