// SPDX-License-Identifier: Apache-2.0
// Trains a prescriptive ReLU network by mini-batch Adam on objective (4).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polyrx/core/error.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/train/train_options.hpp"
#include "polyrx/train/training_rows.hpp"

namespace polyrx {

struct EpochLoss {
    double training = 0;               // mean over the epoch's batches, each before its step
    std::optional<double> validation;  // after the epoch
};

struct Trained {
    ReluNetwork network;  // on scaled inputs; of the best epoch with validation, otherwise of the last
    std::vector<EpochLoss> history;
    int best_epoch = 0;  // 1-based: the epoch of the weights; 0 before any
    bool stopped_early = false;
    double learning_rate = 0;  // of the run that did not diverge
    int retries = 0;           // number of diverged runs before it
};

// Error of a diverging run: a loss, gradient or weight is not finite, or predicted outcomes are far below all observed
// ones (for mu > 0, the objective has no lower bound).
class Diverged : public Error {
public:
    explicit Diverged(const std::string& sentence) : Error(ErrorKind::other, sentence) {}
};

// Throws a usage error for options out of range, and Diverged if the run and all its retries diverge.
[[nodiscard]] Trained train(const TrainingRows& rows, const TrainingRows* validation, const TrainOptions& options,
                            const Progress& progress = {});

}  // namespace polyrx
