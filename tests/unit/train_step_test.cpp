// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/train_step.hpp"

#include <gtest/gtest.h>

#include "polyrx/train/flush_denormals.hpp"
#include "tests/support/easy_rows.hpp"

namespace polyrx {
namespace {

constexpr std::size_t rows_a_step = 90;
constexpr std::int64_t run_steps = 60;

// Everything that a step may do.
TrainOptions every_option() {
    TrainOptions options;
    options.hidden = {14, 10};
    options.learning_rate = 1e-2;
    options.schedule = Schedule::cosine;
    options.weight_decay = 0.1;
    options.effect_shrinkage = 1;
    options.effects = {.share = 0.4, .decay = 0.2};
    options.clip_gradient = 0.3;
    options.sparsity = {.weights_per_neuron = 2, .max_features = 3};
    return options;
}

void take_steps(const TrainingRows& rows, std::int64_t until, TrainStep& step, TrainingState& state) {
    const FlushDenormals guard;
    while (state.steps < until)
        (void)step.take(rows, {static_cast<std::size_t>(state.steps) % 5 * rows_a_step, rows_a_step}, state);
}

TEST(TrainStep, LeavesAllThatTheNextStepNeedsInTheState) {
    const TrainingRows rows = test::easy_rows(5 * rows_a_step, 1, 8);
    const InputSpread spread = spread_of(rows.inputs);
    const TrainOptions options = every_option();
    const ParameterLayout layout(8, options.hidden, options.treatments);
    TrainStep whole(layout, options, run_steps, spread);
    TrainingState expected = whole.initial_state();
    take_steps(rows, run_steps, whole, expected);
    EXPECT_TRUE(whole.settled(expected));

    // Before pruning begins, in the middle of it, and when it is over.
    for (const std::int64_t stop : {1, 7, 20, 30, 50}) {
        TrainStep first(layout, options, run_steps, spread);
        TrainingState state = first.initial_state();
        take_steps(rows, stop, first, state);
        const TrainingState carried = state;
        take_steps(rows, run_steps, first, state);  // what the first one did since is not in the copy
        TrainStep second(layout, options, run_steps, spread);
        TrainingState continued = carried;
        take_steps(rows, run_steps, second, continued);
        EXPECT_TRUE(continued == expected) << "stopped after " << stop << " steps";
        EXPECT_TRUE(state == expected);
    }
}

TEST(TrainStep, SaysTheLossBeforeTheStepAndTheNormBeforeClipping) {
    const TrainingRows rows = test::easy_rows(rows_a_step, 1, 8);
    TrainOptions options = every_option();
    const ParameterLayout layout(8, options.hidden, options.treatments);
    TrainStep step(layout, options, run_steps, spread_of(rows.inputs));
    TrainingState state = step.initial_state();
    const double before = step.loss(rows, {0, rows_a_step}, state).objective;
    options.clip_gradient = 1e-3;
    TrainStep clipped(layout, options, run_steps, spread_of(rows.inputs));
    TrainingState same = state;
    const StepResult taken = step.take(rows, {0, rows_a_step}, state);
    EXPECT_EQ(taken.loss.objective, before);
    EXPECT_GT(taken.gradient_norm, 1e-3);
    EXPECT_EQ(clipped.take(rows, {0, rows_a_step}, same).gradient_norm, taken.gradient_norm);
    EXPECT_NE(step.loss(rows, {0, rows_a_step}, state).objective, before);
    EXPECT_EQ(state.steps, 1);
}

}  // namespace
}  // namespace polyrx
