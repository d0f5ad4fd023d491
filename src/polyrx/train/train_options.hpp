// SPDX-License-Identifier: Apache-2.0
// What training is asked to do.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace polyrx {

enum class Schedule { constant, linear, cosine };  // the last two end at 0

[[nodiscard]] std::string_view name_of(Schedule schedule);

// What of the output layer effect shrinkage pulls together. Without its weights' differences, treatments differ by the
// same constants in every row: the best treatment for all. Without those of the biases too, they do not differ at all.
enum class ShrunkParts { weights, weights_and_biases };

[[nodiscard]] std::string_view name_of(ShrunkParts parts);  // "weights", "weights+biases"

// A network in two blocks (step/effect_block.hpp).
struct EffectBlock {
    double share = 0;  // of the neurons of every hidden layer, its last; 0: one block
    double decay = 0;  // weight decay of theirs on top of the network's

    [[nodiscard]] bool wanted() const { return share > 0; }
    friend bool operator==(const EffectBlock&, const EffectBlock&) = default;
};

// Whether such layers can be parted: there is one, and each has a neuron for either block.
[[nodiscard]] bool can_be_parted(const std::vector<int>& hidden);

// How a network is made sparse (step/sparsity.hpp).
enum class Sparsify {
    // Trains dense, then prunes little by little, with time in between for what was pruned to grow back in the place of
    // something else, then trains what is left.
    gradual,
    // The paper's: all but the largest weights become 0 after every step. A pruned weight regains only about the
    // learning rate before it is pruned again, so neurons mostly keep the inputs that they began with.
    paper
};

[[nodiscard]] std::string_view name_of(Sparsify how);

struct Sparsity {
    int weights_per_neuron = 0;  // of each hidden neuron's incoming weights; 0: all
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
    double weight_decay = 0;  // decoupled (AdamW), on weights and not on biases
    // After a step with rate eta, differences between treatments are multiplied by max(0, 1 - eta effect_shrinkage).
    double effect_shrinkage = 0;
    ShrunkParts shrunk = ShrunkParts::weights_and_biases;
    EffectBlock effects;
    double clip_gradient = 0;  // largest Euclidean norm of a step's gradient; 0: as it comes
    double teacher_share = 0;  // lambda of distillation, for rows that have a teacher (gradient/teacher_loss.hpp)
    Sparsity sparsity;         // with validation, only an epoch whose weights are sparse already can be the best
    int patience = 0;          // stop after so many epochs without a better validation loss; 0: never
    int retries = 0;           // how often a run that diverges is begun again with a third of the learning rate
    std::uint64_t seed = 1;
};

}  // namespace polyrx
