// SPDX-License-Identifier: Apache-2.0
// Distills a model into a small tree, using the file that the model was fitted on.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polyrx/api/data_text.hpp"
#include "polyrx/api/distilled_text.hpp"
#include "polyrx/api/policy_source.hpp"

namespace polyrx {

struct DistillPolicyOptions {
    TreeBudget budget = {};
    // Neurons of the students; empty: several sizes are tried.
    std::optional<int> neurons = {};
    std::optional<int> weights_per_neuron = {};
    std::optional<int> restarts = {};  // empty: more if only one shape is tried
    std::size_t folds = DistillOptions{}.folds;
    // Empty: those of the model.
    std::string group = {};
    std::vector<std::string> propensities = {};
    std::optional<std::uint64_t> seed = {};
    int threads = 1;
};

// A single shape needs more restarts, because some networks have no tree within the budget.
inline constexpr int restarts_of_one_shape = 20;

// Rows that were held out from the model stay held out. Throws the errors of rows_learned_from() and distill(), and a
// usage error if the source is not a model.
[[nodiscard]] Distilled distill_policy(const PolicySource& model, const DataText& data,
                                       const DistillPolicyOptions& options, const Progress& progress = {});

}  // namespace polyrx
