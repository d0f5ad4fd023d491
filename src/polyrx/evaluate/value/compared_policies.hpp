// SPDX-License-Identifier: Apache-2.0
// What a policy should be better than: one treatment for all, and the same treatments dealt out at random.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "polyrx/evaluate/value/bounded_value.hpp"
#include "polyrx/evaluate/value/policy_value.hpp"
#include "polyrx/study/splits/split.hpp"

namespace polyrx {

// The best constant, found without the rows it is used for.
struct CrossFittedConstant {
    std::vector<int> prescriptions;  // of each row: the constant that was best on the rows of the other folds
    std::vector<int> by_fold;
    std::optional<int> for_all = {};  // where all folds agree
};

// policy_value() of giving each treatment to every row.
[[nodiscard]] std::vector<ValueEstimate> values_of_constants(const EvaluatedRows& rows, Estimator estimator,
                                                             double least_propensity);

// A constant that is chosen on the rows it is then judged by looks better than it is, and a policy compared with it
// worse. So each fold gets the constant with the best value on the rows outside of it. `constants` are the values of
// giving each treatment to every row, estimated as the policy is.
// (Models behind those rows' scores may have seen the fold, as with all cross-fitting; the choice among a few constants
// hardly depends on it.) `folds` are those of the nuisances, or any that hold out every row once. Constants that none
// of the rows outside of a fold received are not looked at. Of equal ones the lowest. Throws a data error where none
// has a value.
[[nodiscard]] CrossFittedConstant best_constant(const EvaluatedRows& rows, std::span<const ValueEstimate> constants,
                                                std::span<const RowSplit> folds, bool larger_is_better);

// Treatments dealt out at random, each to the share of the rows (by weight) to which the policy prescribes it: no draw,
// but what to expect, sum_k share_k value_k. The policy's value minus this one is what personalizing adds. Shares
// differ between samples as values do, so each row's influence is sum_k share_k influence_ik, and what the row adds to
// the shares times their values. The terms are those of a mean with that influence. `constants` as above. Where one
// treatment is prescribed to all, its constant.
[[nodiscard]] ValueEstimate value_of_random(const EvaluatedRows& rows, std::span<const int> prescriptions,
                                            std::span<const ValueEstimate> constants);
[[nodiscard]] BoundedEstimate value_of_random(const EvaluatedRows& rows, std::span<const int> prescriptions,
                                              std::span<const BoundedEstimate> constants);

// The same for the difference from `value`, that of the policy with these prescriptions: paired by row, as
// paired_with() does. A row adds
//     sum over k other than its prescription p of share_k (score_p - score_k)
// to the difference, and where these are bounded, the worst of one against the best of the other.
[[nodiscard]] BoundedEstimate random_paired_with(const EvaluatedRows& rows, const BoundedEstimate& value,
                                                 std::span<const int> prescriptions,
                                                 std::span<const BoundedEstimate> constants);

}  // namespace polyrx
