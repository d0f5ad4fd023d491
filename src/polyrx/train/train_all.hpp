// SPDX-License-Identifier: Apache-2.0
// Trains many networks in parallel, one per core: folds of a cross-validation, seeds, or members of an ensemble.
#pragma once

#include <span>
#include <vector>

#include "polyrx/train/train.hpp"

namespace polyrx {

// The arguments of train(). Tasks may share rows, which must outlive the call.
struct TrainingTask {
    const TrainingRows* rows = nullptr;
    const TrainingRows* validation = nullptr;
    TrainOptions options;
};

// Returns the result of train() for each task; it does not depend on `threads` (0 = all cores). Progress is the mean
// over tasks, and canceling stops all of them. If tasks fail, throws the error of the first of them. Several threads
// call `progress` at once.
[[nodiscard]] std::vector<Trained> train_all(std::span<const TrainingTask> tasks, int threads,
                                             const Progress& progress = {});

}  // namespace polyrx
