// SPDX-License-Identifier: Apache-2.0
// Options of training.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace polyrx {

enum class Schedule { constant, linear, cosine };  // linear and cosine decay to 0

[[nodiscard]] std::string_view name_of(Schedule schedule);

// The parts of the output layer that effect shrinkage shrinks. If all differences of weights vanish, treatments differ
// by the same constants in every row, so one treatment is best for all. If those of biases vanish too, treatments do
// not differ at all.
enum class ShrunkParts { weights, weights_and_biases };

[[nodiscard]] std::string_view name_of(ShrunkParts parts);  // "weights", "weights+biases"

// The effect block of a network (step/effect_block.hpp).
struct EffectBlock {
    double share = 0;  // share of effect neurons, the last ones of every hidden layer; 0: no effect block
    double decay = 0;  // weight decay of effect neurons, in addition to the network's

    [[nodiscard]] bool wanted() const { return share > 0; }
    friend bool operator==(const EffectBlock&, const EffectBlock&) = default;
};

// Whether these hidden layers can have an effect block: there is at least one, and each has a neuron per block.
[[nodiscard]] bool can_be_parted(const std::vector<int>& hidden);

// The method of pruning (step/sparsity.hpp).
enum class Sparsify {
    // Trains a dense network, then prunes gradually, with time for pruned weights to grow back and replace others, then
    // trains the remaining weights.
    gradual,
    // The paper's method: sets all but the largest weights to 0 after every step. A pruned weight regains only about
    // the learning rate before the next pruning, so neurons mostly keep their initial inputs.
    paper
};

[[nodiscard]] std::string_view name_of(Sparsify how);

struct Sparsity {
    int weights_per_neuron = 0;  // incoming weights per hidden neuron; 0: all
    int max_features = 0;        // inputs of the network; 0: all
    Sparsify how = Sparsify::gradual;

    [[nodiscard]] bool wanted() const { return weights_per_neuron > 0 || max_features > 0; }
    friend bool operator==(const Sparsity&, const Sparsity&) = default;
};

struct TrainOptions {
    std::vector<int> hidden = {100, 100, 100, 100, 100};
    int treatments = 2;
    double mu = 1e-4;
    int epochs = 20;
    int batch = 64;
    double learning_rate = 1e-3;
    Schedule schedule = Schedule::constant;
    double weight_decay = 0;  // decoupled (AdamW); biases do not decay
    // After a step with learning rate eta, differences between treatments are multiplied by max(0, 1 - eta
    // effect_shrinkage).
    double effect_shrinkage = 0;
    ShrunkParts shrunk = ShrunkParts::weights_and_biases;
    EffectBlock effects;
    double clip_gradient = 0;  // clip the gradient norm to this; 0: off
    double teacher_share = 0;  // lambda of distillation, for rows with a teacher (gradient/teacher_loss.hpp)
    Sparsity sparsity;         // with validation, only epochs with the final sparsity can be the best
    int patience = 0;          // stop after this many epochs without a better validation loss; 0: never
    int retries = 0;           // number of restarts after divergence, each with a third of the learning rate
    std::uint64_t seed = 1;
};

}  // namespace polyrx
