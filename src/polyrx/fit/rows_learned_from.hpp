// SPDX-License-Identifier: Apache-2.0
// Finds the rows again that a model learned from.
#pragma once

#include "polyrx/policy/policy.hpp"
#include "polyrx/study/observations.hpp"

namespace polyrx {

// Of the observations that the model was fitted on, read as it reads them: without those that were held out, and, of
// models before format version 4, those that were dropped because their treatment breaks a rule. Throws a data error
// where what is left is not, to the last value, what the model says that it learned from: held-out rows among others
// would make whatever is learned from them look better than it is.
[[nodiscard]] Observations rows_learned_from(const Policy& policy, const Observations& observations);

// The column of weights that the model was fitted with; empty where every row counted once.
[[nodiscard]] std::string weight_column_of(const Policy& policy);
// The column of groups that were kept whole; empty where each row was on its own.
[[nodiscard]] std::string group_column_of(const Policy& policy);
// The known propensities that the model was fitted with, as Roles::propensities; empty where they were estimated.
[[nodiscard]] std::vector<std::string> propensities_of(const Policy& policy);

}  // namespace polyrx
