// SPDX-License-Identifier: Apache-2.0
// Trains many networks at once, one to a core: the folds of a cross-validation, seeds, members of an ensemble.
#pragma once

#include <span>
#include <vector>

#include "polyrx/train/train.hpp"

namespace polyrx {

// What train() takes. Tasks may share rows, which are only read and must live as long as the call.
struct TrainingTask {
    const TrainingRows* rows = nullptr;
    const TrainingRows* validation = nullptr;
    TrainOptions options;
};

// What train() returns for each task, to the byte, whatever the threads (0: as many as there are cores). Progress is
// the mean over the tasks; canceling stops them all. If tasks fail, the error is that of the first among them.
// `progress` is called from several threads at once.
[[nodiscard]] std::vector<Trained> train_all(std::span<const TrainingTask> tasks, int threads,
                                             const Progress& progress = {});

}  // namespace polyrx
