// SPDX-License-Identifier: Apache-2.0
// A network and its training: everything that a recipe sets and that tuning chooses.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "polyrx/train/train.hpp"

namespace polyrx {

enum class OutcomeScale { raw, standardized };

[[nodiscard]] std::string_view name_of(OutcomeScale scale);

// The defaults are those of Recipe::fast, but in one block.
struct NetworkOptions {
    std::vector<int> hidden = {100, 100, 100};
    double mu = 1e-4;
    std::optional<int> epochs = {};  // not given: as many as make about so many steps, 5 to 200
    int steps = 6000;
    int batch = 64;
    double learning_rate = 3e-3;
    Schedule schedule = Schedule::cosine;
    double weight_decay = 0.3;
    double effect_shrinkage = 0;
    ShrunkParts shrunk = ShrunkParts::weights_and_biases;
    EffectBlock effects = {};
    double balance = 0;  // rows count by the inverse propensity of what they received, at most so often; 0: once each
    double clip_gradient = 0;
    OutcomeScale outcome_scale = OutcomeScale::standardized;
    double validation_fraction = 0;  // of the rows, held out to choose the epoch
    int patience = 0;
    int retries = 3;
    int members = 1;      // networks from different seeds, whose mean is the policy's
    bool bagged = false;  // each of them learns from rows drawn with replacement
    Sparsity sparsity = {};
    int restarts = 1;  // of each member, from different seeds; the one that fits its rows best is kept

    friend bool operator==(const NetworkOptions&, const NetworkOptions&) = default;
};

// Throws a usage error for what is out of range.
void check_network_options(const NetworkOptions& options);

// As many as are asked for, or what a study of that many rows needs.
[[nodiscard]] int epochs_for(const NetworkOptions& options, std::size_t rows);

// By name, as the command line spells them.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> spelled(const NetworkOptions& options, int epochs);

}  // namespace polyrx
