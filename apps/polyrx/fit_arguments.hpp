// SPDX-License-Identifier: Apache-2.0
// What polyrx fit is asked for, and the options of the library that it comes to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "observed_data.hpp"
#include "option_table.hpp"
#include "polyrx/fit/fit.hpp"
#include "support_options.hpp"

namespace polyrx::cli {

struct FitArguments {
    ObservedData data;
    Method method = Method::network;
    std::optional<Recipe> recipe;
    // What a recipe sets unless it is given here.
    std::optional<std::string> hidden;
    std::optional<double> mu;
    std::optional<int> epochs;
    std::optional<int> batch;
    std::optional<double> learning_rate;
    std::optional<Schedule> schedule;
    std::optional<double> weight_decay;
    std::optional<double> effect_shrinkage;
    std::optional<ShrunkParts> shrink;
    std::optional<double> effect_share;
    std::optional<double> effect_decay;
    std::optional<double> balance;
    std::optional<double> clip_gradient;
    std::optional<int> members;
    bool bagged = false;
    std::optional<int> retries;
    std::optional<int> weights_per_neuron;
    std::optional<int> max_features;
    std::optional<Sparsify> sparsify;
    std::optional<int> restarts;
    std::optional<OutcomeScale> outcome_scale;
    std::optional<double> validation;
    std::optional<int> patience;
    // How --recipe auto chooses.
    std::optional<TuningCriterion> criterion;
    std::optional<int> candidates;
    std::optional<int> averaged;
    std::optional<int> folds;
    std::optional<double> max_seconds;
    std::string tuning_log;
    // How --method policytree searches.
    std::optional<int> depth;
    std::optional<int> split_step;
    // What --method opt asks of a leaf.
    std::optional<int> treatment_rows;
    std::string rules;
    std::optional<WhenMissing> when_missing;
    std::optional<OnViolation> on_violation;
    bool big_m = false;
    SupportArguments support;
    std::optional<Fallback> fallback;
    std::optional<double> margin;
    std::vector<std::string> outcome_range;
    bool no_recommendation = false;
    std::optional<int> leaves;  // of the tree that the model is distilled to
    double test_fraction = 0;
    std::string test_file;
    bool no_row_sketch = false;
    std::uint64_t seed = 1;
    int threads = 0;
    std::string output = "model.json";
    bool timings = false;
    bool json = false;
    bool quiet = false;
};

[[nodiscard]] std::vector<Option> options_of(FitArguments& arguments);

// What is given takes the place of what the recipe says. Throws a usage error for options that would do nothing.
[[nodiscard]] FitOptions fit_options(const FitArguments& arguments);

}  // namespace polyrx::cli
