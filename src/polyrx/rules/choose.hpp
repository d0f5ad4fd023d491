// SPDX-License-Identifier: Apache-2.0
// From predicted outcomes to treatments: the best of what rules allow and the data support.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/rules/rule_book.hpp"

namespace polyrx {

// Of one row.
using Outputs = Eigen::Ref<const Eigen::RowVectorXd>;

// The treatment of the set with the smallest output, or no_treatment of an empty set. Of equal ones the first.
[[nodiscard]] int best_of(TreatmentSet allowed, const Outputs& outputs);

// For each encoded row the allowed and supported treatment with the smallest output, or no_treatment where rules leave
// none. Of equal ones the first. That is so in the paper's form too: a penalty leaves the outputs of allowed treatments
// as they are, and where it is too small for the others the rules are obeyed all the same.
[[nodiscard]] std::vector<int> choose(const RuleBook& rules, const Matrix& rows, const Matrix& outputs);
// The same without penalties: what is not allowed is not compared.
[[nodiscard]] std::vector<int> choose(const BoundRules& rules, const Matrix& rows, const Matrix& outputs);
// The same of sets that are known already.
[[nodiscard]] std::vector<int> choose(std::span<const TreatmentSet> allowed, const Matrix& outputs);

// What decided a prescription: support, if an allowed treatment whose outcome is no worse is not supported; else a
// rule, if it would be another without rules; else the predicted outcomes alone.
enum class Reason : unsigned char { outcome, rule, support };

[[nodiscard]] std::string_view name_of(Reason reason);

// Of the treatments that choose() gives to encoded rows.
[[nodiscard]] std::vector<Reason> reasons_of(const BoundRules& rules, const Matrix& rows, const Matrix& outputs,
                                             std::span<const int> chosen);

// The paper's form for one encoded row: `big_m` is added to the output of a treatment for each rule that applies and
// forbids it, and the smallest sum wins, whether or not it is allowed.
[[nodiscard]] int choose_by_big_m(const BoundRules& rules, double big_m, const double* row, const Outputs& outputs);

}  // namespace polyrx
