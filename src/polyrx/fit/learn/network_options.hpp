// SPDX-License-Identifier: Apache-2.0
// Options of a network and its training, as set by recipes and chosen by tuning.
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

// The defaults are those of Recipe::fast, but without an effect block.
struct NetworkOptions {
    std::vector<int> hidden = {100, 100, 100};
    double mu = 1e-4;
    std::optional<int> epochs = {};  // not given: enough for about `steps` steps, from 5 to 200
    int steps = 6000;
    int batch = 64;
    double learning_rate = 3e-3;
    Schedule schedule = Schedule::cosine;
    double weight_decay = 0.3;
    double effect_shrinkage = 0;
    ShrunkParts shrunk = ShrunkParts::weights_and_biases;
    EffectBlock effects = {};
    double balance = 0;  // weight rows by inverse propensity of the received treatment, capped at this; 0: off
    double clip_gradient = 0;
    OutcomeScale outcome_scale = OutcomeScale::standardized;
    double validation_fraction = 0;  // share of rows, held out to choose the epoch
    int patience = 0;
    int retries = 3;
    int members = 1;      // networks with different seeds, which are averaged
    bool bagged = false;  // each member learns from a bootstrap sample
    Sparsity sparsity = {};
    int restarts = 1;  // of each member, with different seeds; the one with the lowest loss is kept

    friend bool operator==(const NetworkOptions&, const NetworkOptions&) = default;
};

// Throws a usage error for an option out of range.
void check_network_options(const NetworkOptions& options);

// The given number of epochs, or the number that a study with `rows` rows needs.
[[nodiscard]] int epochs_for(const NetworkOptions& options, std::size_t rows);

// Names and values as on the command line.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> spelled(const NetworkOptions& options, int epochs);

}  // namespace polyrx
