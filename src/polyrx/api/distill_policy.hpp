// SPDX-License-Identifier: Apache-2.0
// From a model and the file that it was fitted on to a tree of few leaves.
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
    // Of the networks that are tried; none: several are tried.
    std::optional<int> neurons = {};
    std::optional<int> weights_per_neuron = {};
    std::optional<int> restarts = {};  // none: more where networks of one shape alone are tried
    std::size_t folds = DistillOptions{}.folds;
    // None, or empty: those of the model.
    std::string group = {};
    std::vector<std::string> propensities = {};
    std::optional<std::uint64_t> seed = {};
    int threads = 1;
};

// Of one shape alone more networks are trained: not all of them have a tree within the budget.
inline constexpr int restarts_of_one_shape = 20;

// Rows that were held out from the model stay so. Throws what rows_learned_from() and distill() throw, and a usage
// error for a source that is no model.
[[nodiscard]] Distilled distill_policy(const PolicySource& model, const DataText& data,
                                       const DistillPolicyOptions& options, const Progress& progress = {});

}  // namespace polyrx
