// SPDX-License-Identifier: Apache-2.0
// Finds the training rows of a model again.
#pragma once

#include "polyrx/policy/policy.hpp"
#include "polyrx/study/observations.hpp"

namespace polyrx {

// The observations that the model was fitted on, in the form in which it reads them. Excludes held-out rows and, for
// models before format version 4, rows that were dropped because their treatment breaks a rule. Throws a data error if
// the rest differs in any value from the model's fingerprint: if held-out rows were included, anything learned from
// them would look better than it is.
[[nodiscard]] Observations rows_learned_from(const Policy& policy, const Observations& observations);

// The weight column of the fit; empty if every row had weight 1.
[[nodiscard]] std::string weight_column_of(const Policy& policy);
// The group column of the fit; empty without groups.
[[nodiscard]] std::string group_column_of(const Policy& policy);
// The known propensities of the fit, as Roles::propensities; empty if they were estimated.
[[nodiscard]] std::vector<std::string> propensities_of(const Policy& policy);

}  // namespace polyrx
