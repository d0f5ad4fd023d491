// SPDX-License-Identifier: Apache-2.0
// Trains a prescriptive ReLU network by mini-batch Adam on objective (4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "polyrx/core/error.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/train/effect_block.hpp"
#include "polyrx/train/effect_shrinkage.hpp"
#include "polyrx/train/sparsity.hpp"
#include "polyrx/train/training_rows.hpp"

namespace polyrx {

enum class Schedule { constant, linear, cosine };  // the last two end at 0

[[nodiscard]] std::string_view name_of(Schedule schedule);

struct TrainOptions {
    std::vector<int> hidden = {100, 100, 100, 100, 100};
    int treatments = 2;
    double mu = 1e-4;
    int epochs = 20;
    int batch = 64;
    double learning_rate = 1e-3;
    Schedule schedule = Schedule::constant;
    double weight_decay = 0;  // decoupled (AdamW), on weights and not on biases
    // After a step with rate eta, differences between treatments are multiplied by max(0, 1 - eta effect_shrinkage).
    double effect_shrinkage = 0;
    ShrunkParts shrunk = ShrunkParts::weights_and_biases;
    EffectBlock effects;
    double clip_gradient = 0;  // largest Euclidean norm of a step's gradient; 0: as it comes
    double teacher_share = 0;  // lambda of distillation, for rows that have a teacher (train/teacher_loss.hpp)
    Sparsity sparsity;         // with validation, only an epoch whose weights are sparse already can be the best
    int patience = 0;          // stop after so many epochs without a better validation loss; 0: never
    int retries = 0;           // how often a run that diverges is begun again with a third of the learning rate
    std::uint64_t seed = 1;
};

struct EpochLoss {
    double training = 0;               // mean over the epoch's batches, as they were when their step began
    std::optional<double> validation;  // after the epoch
};

struct Trained {
    ReluNetwork network;  // on the scaled inputs; the best epoch's when there is validation, else the last's
    std::vector<EpochLoss> history;
    int best_epoch = 0;  // 1-based: the epoch the weights are from; 0 before any
    bool stopped_early = false;
    double learning_rate = 0;  // that of the run that did not diverge
    int retries = 0;           // runs before it that did
};

// What is thrown for a run that diverges: a loss, a gradient or a weight that is not a number, or predicted outcomes
// far below every observed one (for mu > 0 the objective has no lower bound).
class Diverged : public Error {
public:
    explicit Diverged(const std::string& sentence) : Error(ErrorKind::other, sentence) {}
};

// Throws a usage error for options out of range, and Diverged if the run and all its retries diverge.
[[nodiscard]] Trained train(const TrainingRows& rows, const TrainingRows* validation, const TrainOptions& options,
                            const Progress& progress = {});

// The rate of step `step` of `steps`.
[[nodiscard]] double scheduled_rate(const TrainOptions& options, std::int64_t step, std::int64_t steps);

}  // namespace polyrx
