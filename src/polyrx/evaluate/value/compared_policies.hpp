// SPDX-License-Identifier: Apache-2.0
// Policies to compare with: one treatment for all, and the policy's treatments assigned at random.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "polyrx/evaluate/value/bounded_value.hpp"
#include "polyrx/evaluate/value/policy_value.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

// The best single treatment, chosen on other rows than those it is evaluated on.
struct CrossFittedConstant {
    std::vector<int> prescriptions;  // by row: the treatment that is best on the other folds
    std::vector<int> by_fold;
    std::optional<int> for_all = {};  // if all folds agree
};

// policy_value() of each treatment for all rows.
[[nodiscard]] std::vector<ValueEstimate> values_of_constants(const EvaluatedRows& rows, Estimator estimator,
                                                             double least_propensity);

// Choosing and evaluating a constant on the same rows overstates its value, so each fold gets the constant that is best
// on the other folds. `constants` are the values of each treatment for all, by the same estimator as the policy.
// `folds` are those of the nuisance models, or any others that hold out every row once. Nuisance models of other rows
// may have used the fold, as always with cross-fitting. This hardly affects a choice among few constants. Ignores
// constants that no row outside the fold received; ties go to the lowest number. Throws a data error if no constant has
// a value.
[[nodiscard]] CrossFittedConstant best_constant(const EvaluatedRows& rows, std::span<const ValueEstimate> constants,
                                                std::span<const RowSplit> folds, bool larger_is_better);

// The expected value of assigning treatments at random, with the shares (by weight) in which the policy prescribes
// them: sum_k share_k value_k. The value of the policy minus this one is the gain from personalizing. Shares vary
// between samples too, so the influence of a row is sum_k share_k influence_ik plus its effect on the shares times the
// values. The terms are those of a mean with that influence. If the policy prescribes one treatment to all, this is its
// constant.
[[nodiscard]] ValueEstimate value_of_random(const EvaluatedRows& rows, std::span<const int> prescriptions,
                                            std::span<const ValueEstimate> constants);
[[nodiscard]] BoundedEstimate value_of_random(const EvaluatedRows& rows, std::span<const int> prescriptions,
                                              std::span<const BoundedEstimate> constants);

// The same, for the difference from `value`, the value of the policy, paired by row as in paired_with(). A row with
// prescription p adds
//     sum over k other than p of share_k (score_p - score_k)
// to the difference. For bounds, this is the worst case of one against the best case of the other.
[[nodiscard]] BoundedEstimate random_paired_with(const EvaluatedRows& rows, const BoundedEstimate& value,
                                                 std::span<const int> prescriptions,
                                                 std::span<const BoundedEstimate> constants);

}  // namespace polyrx
