// SPDX-License-Identifier: Apache-2.0
#include "polyrx/train/step/train_step.hpp"

#include <algorithm>

#include "polyrx/train/gradient/batch_gradient.hpp"
#include "polyrx/train/step/adam.hpp"
#include "polyrx/train/step/clip_gradient.hpp"
#include "polyrx/train/step/effect_shrinkage.hpp"
#include "polyrx/train/step/scheduled_rate.hpp"

namespace polyrx {

TrainStep::TrainStep(const ParameterLayout& layout, const TrainOptions& options, std::int64_t steps,
                     const InputSpread& spread)
    : layout_(layout),
      options_(options),
      steps_(steps),
      backprop_(layout, options.teacher_share, options.effects),
      gradient_(layout.size()) {
    if (options_.sparsity.wanted()) sparsifier_.emplace(layout_, options_.sparsity, steps_, spread);
}

TrainingState TrainStep::initial_state() {
    TrainingState state{.parameters = initial_parameters(layout_, options_.seed), .moments = no_moments(layout_)};
    if (options_.effects.wanted()) part_blocks(layout_, options_.effects, state.parameters);
    if (sparsifier_) state.mask = sparsifier_->begin(state.parameters);
    return state;
}

StepResult TrainStep::take(const TrainingRows& rows, RowRange batch, TrainingState& state) {
    StepResult result;
    const double rate = scheduled_rate(options_, state.steps, steps_);
    result.loss = batch_gradient(backprop_, state.parameters, rows, batch, options_.mu, gradient_);
    constrain_gradient(state);
    if (options_.clip_gradient > 0) result.gradient_norm = clip_gradient(gradient_, options_.clip_gradient);
    ++state.steps;
    adam_step(layout_, {.learning_rate = rate, .weight_decay = options_.weight_decay}, state.steps, gradient_,
              state.parameters, state.moments);
    constrain_parameters(rate, state);
    return result;
}

void TrainStep::constrain_gradient(const TrainingState& state) {
    if (options_.effects.wanted()) part_blocks(layout_, options_.effects, gradient_);
    if (sparsifier_) sparsifier_->mask_gradient(state.mask, gradient_);
}

void TrainStep::constrain_parameters(double rate, TrainingState& state) {
    const auto kept = [rate](double decay) { return std::max(0.0, 1 - rate * decay); };
    if (options_.effect_shrinkage > 0)
        shrink_effects(layout_, state.parameters, kept(options_.effect_shrinkage), options_.shrunk);
    if (options_.effects.wanted()) {
        part_blocks(layout_, options_.effects,
                    state.parameters);  // Adam's steps differ in length, which brings means back
        decay_effects(layout_, options_.effects, state.parameters, kept(options_.effects.decay));
    }
    if (sparsifier_) sparsifier_->prune(state.parameters, state.steps, state.mask);
}

BatchLoss TrainStep::loss(const TrainingRows& rows, RowRange range, const TrainingState& state) {
    return batch_loss(backprop_, state.parameters, rows, range, options_.mu);
}

bool TrainStep::settled(const TrainingState& state) const {
    return !sparsifier_ || sparsifier_->sparse(state.mask);
}

}  // namespace polyrx
