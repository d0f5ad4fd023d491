// SPDX-License-Identifier: Apache-2.0
// One training step: computes the next state from a state and a batch.
#pragma once

#include <cstdint>
#include <optional>

#include "polyrx/train/gradient/backprop.hpp"
#include "polyrx/train/step/sparsity.hpp"
#include "polyrx/train/step/training_state.hpp"
#include "polyrx/train/train_options.hpp"

namespace polyrx {

struct StepResult {
    BatchLoss loss;            // of the batch, before the step
    double gradient_norm = 0;  // before clipping; 0 if no gradients are clipped
};

// The parts of a step, in order:
//
//   gradient               batch_gradient.hpp
//   constrain_gradient     effect blocks, pruned weights
//   clip_gradient
//   adam_step              with weight decay
//   constrain_parameters   effect shrinkage, effect blocks and their decay, pruning
//
// The class holds only options and buffers. Everything that one step passes to the next is in the state.
class TrainStep {
public:
    // For a run of `steps` steps. `spread` is that of the run's inputs; only pruning uses it.
    TrainStep(const ParameterLayout& layout, const TrainOptions& options, std::int64_t steps,
              const InputSpread& spread = {});

    [[nodiscard]] TrainingState initial_state();

    // Moves the state by one step. If the loss or the norm is not finite, the state must not be used.
    StepResult take(const TrainingRows& rows, RowRange batch, TrainingState& state);

    // The loss of the rows in `range`.
    [[nodiscard]] BatchLoss loss(const TrainingRows& rows, RowRange range, const TrainingState& state);

    // Whether the weights have reached their final sparsity. Before that, no epoch can be the best.
    [[nodiscard]] bool settled(const TrainingState& state) const;

private:
    void constrain_gradient(const TrainingState& state);
    void constrain_parameters(double rate, TrainingState& state);

    ParameterLayout layout_;
    TrainOptions options_;
    std::int64_t steps_;
    Backprop backprop_;
    std::optional<Sparsifier> sparsifier_;
    AlignedFloats gradient_;
};

}  // namespace polyrx
