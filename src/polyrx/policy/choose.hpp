// SPDX-License-Identifier: Apache-2.0
// From predicted outcomes to treatments, by the rules.
#pragma once

#include <vector>

#include "polyrx/policy/policy.hpp"

namespace polyrx {

// The treatment of the set with the smallest output, or no_treatment of an empty set. Of equal ones the first.
[[nodiscard]] int best_of(TreatmentSet allowed, const Eigen::Ref<const Eigen::RowVectorXd>& outputs);

// For each encoded row the allowed treatment with the smallest output, or no_treatment where rules leave none. Of equal
// ones the first.
[[nodiscard]] std::vector<int> choose(const RuleBook& rules, const Matrix& rows, const Matrix& outputs);
// The same without penalties: what is not allowed is not compared.
[[nodiscard]] std::vector<int> choose(const BoundRules& rules, const Matrix& rows, const Matrix& outputs);

}  // namespace polyrx
