// SPDX-License-Identifier: Apache-2.0
// Chooses treatments by predicted outcomes, among those that rules allow and the data support.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/rules/rule_book.hpp"

namespace polyrx {

// One row.
using Outputs = Eigen::Ref<const Eigen::RowVectorXd>;

// The treatment of the set with the smallest output, the first among equals; no_treatment if the set is empty.
[[nodiscard]] int best_of(TreatmentSet allowed, const Outputs& outputs);

// For each encoded row: the allowed and supported treatment with the smallest output, the first among equals;
// no_treatment if rules leave none. The paper's form gives the same result: a penalty does not change the outputs of
// allowed treatments, and rules hold even if the penalty is too small.
[[nodiscard]] std::vector<int> choose(const RuleBook& rules, const Matrix& rows, const Matrix& outputs);
// Without penalties: compares only allowed treatments.
[[nodiscard]] std::vector<int> choose(const BoundRules& rules, const Matrix& rows, const Matrix& outputs);
// For sets that are already known.
[[nodiscard]] std::vector<int> choose(std::span<const TreatmentSet> allowed, const Matrix& outputs);

// What decided a prescription: support, if an allowed treatment with an outcome at least as good is not supported;
// otherwise a rule, if the prescription would differ without rules; otherwise the predicted outcomes alone.
enum class Reason : unsigned char { outcome, rule, support };

[[nodiscard]] std::string_view name_of(Reason reason);

// For the treatments that choose() prescribes to encoded rows.
[[nodiscard]] std::vector<Reason> reasons_of(const BoundRules& rules, const Matrix& rows, const Matrix& outputs,
                                             std::span<const int> chosen);

// The paper's form for one encoded row: each applicable rule adds `big_m` to the outputs of treatments that it forbids.
// The smallest sum wins, even if its treatment is forbidden.
[[nodiscard]] int choose_by_big_m(const BoundRules& rules, double big_m, const double* row, const Outputs& outputs);

}  // namespace polyrx
