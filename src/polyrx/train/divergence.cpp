// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/divergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace polyrx {
namespace {

// How far `value` lies below the smallest observed outcome, in ranges of the outcomes. Below 0 instead if raw outcomes
// are far above it, because networks start there.
double ranges_below(const std::vector<float>& outcome, double value) {
    const auto [low, high] = std::minmax_element(outcome.begin(), outcome.end());
    const double range = static_cast<double>(*high) - *low;
    return range > 0 ? (std::min(*low, 0.0F) - value) / range : 0;
}

// No outcome can be this good: the run is diverging to minus infinity.
constexpr double unbelievable_ranges = 10;

[[noreturn]] void say_diverged(const TrainOptions& options, int epoch, const std::string& symptom) {
    std::string advice = fmt::format("try a learning rate below {}, or standardize the outcome", options.learning_rate);
    if (options.mu > unbounded_mu)
        advice = "for mu > 0 the objective has no lower bound where an arm is not observed; try a smaller mu";
    if (options.learning_rate * options.weight_decay > 1)
        advice = fmt::format("the learning rate of {} times the weight decay of {} is above 1; lower one of them",
                             options.learning_rate, options.weight_decay);
    throw Diverged(fmt::format("training diverged in epoch {}: {}; {}", epoch + 1, symptom, advice));
}

// Throws unless `prescribed`, the mean predicted outcome under the network's own prescriptions, is plausible.
void check_believable(const TrainingRows& rows, double prescribed, const TrainOptions& options, int epoch) {
    // A teacher alone determines differences between treatments, but not their level.
    if (options.teacher_share == 1 && !rows.teacher.empty()) return;
    if (const double ranges = ranges_below(rows.outcome, prescribed); ranges > unbelievable_ranges)
        say_diverged(
            options, epoch,
            fmt::format("it expects outcomes {:.3g} times the observed range better than the best one observed",
                        ranges));
}

}  // namespace

void check_step(const StepResult& step, const TrainOptions& options, int epoch) {
    if (!std::isfinite(step.loss.objective)) say_diverged(options, epoch, "the loss is not a finite number");
    if (!std::isfinite(step.gradient_norm)) say_diverged(options, epoch, "the gradient is not a finite number");
}

void check_epoch(const TrainingRows& rows, const BatchLoss& sum, const TrainingState& state,
                 const TrainOptions& options, int epoch) {
    check_believable(rows, sum.prescribed / static_cast<double>(rows.size()), options, epoch);
    // A ReLU turns NaN into 0, so the loss may not show it.
    if (!std::ranges::all_of(state.parameters, [](float value) { return std::isfinite(value); }))
        say_diverged(options, epoch, "a weight is not a finite number");
}

void check_validation_loss(double loss, const TrainOptions& options, int epoch) {
    if (!std::isfinite(loss)) say_diverged(options, epoch, "the loss on the held-out rows is not a finite number");
}

void check_last_step(const TrainingRows& rows, const BatchLoss& last, std::size_t count, double epoch_loss,
                     const TrainOptions& options) {
    constexpr double unbelievable_jump = 1e6;
    double squares = 0;  // of the outcomes: a loss near 0 may multiply without divergence
    for (const float outcome : rows.outcome) squares += static_cast<double>(outcome) * outcome;
    const double before = std::abs(epoch_loss) + squares / static_cast<double>(rows.size());
    if (!(last.objective / static_cast<double>(count) <= unbelievable_jump * before))
        say_diverged(options, options.epochs - 1, "the last step multiplied the loss by more than a million");
    check_believable(rows, last.prescribed / static_cast<double>(count), options, options.epochs - 1);
}

}  // namespace polyrx
