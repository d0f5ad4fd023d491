// SPDX-License-Identifier: Apache-2.0
// The value of a policy where some of its prescriptions are not supported (Manski 1990): doubly robust where they are,
// and between the least and the greatest possible outcome where they are not.
#pragma once

#include <span>

#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/evaluate/value/policy_value.hpp"

namespace polyrx {

// What a value is at least and at most, each with its standard error. Both are the same estimate where every
// prescription is supported. Neither has a value where no row received what is prescribed.
struct BoundedEstimate {
    ValueEstimate lower;
    ValueEstimate upper;

    [[nodiscard]] bool estimable() const { return lower.value && upper.value; }
    [[nodiscard]] bool identified() const { return estimable() && *lower.value == *upper.value; }
};

// A policy: what it prescribes to each row, and whether that is supported.
struct SupportedPolicy {
    std::span<const int> prescriptions;
    std::span<const char> supported;
};

// The mean over rows of
//     m_p + w (y - m_p)    where the prescription p is supported (Estimator::dr),
//     y                    where it is not, but the row received it,
//     the range's least (lower) or greatest (upper) outcome elsewhere.
// With every prescription supported, both are policy_value(..., Estimator::dr, ...), to the digit.
[[nodiscard]] BoundedEstimate bounded_value(const EvaluatedRows& rows, const SupportedPolicy& policy,
                                            const OutcomeRange& range, double least_propensity);

// The value of prescribing where that is supported and doing elsewhere what was done: identified, no bounds needed.
[[nodiscard]] ValueEstimate value_where_supported(const EvaluatedRows& rows, const SupportedPolicy& policy,
                                                  double least_propensity);

// A bounded value minus a known one, such as value_as_treated(): paired by row.
[[nodiscard]] BoundedEstimate bounded_difference(const EvaluatedRows& rows, const BoundedEstimate& value,
                                                 const ValueEstimate& other);

// The worst of one against the best of the other: lower minus upper, and upper minus lower. For two policies, the other
// must be paired_with() the first.
[[nodiscard]] BoundedEstimate bounded_difference(const EvaluatedRows& rows, const BoundedEstimate& value,
                                                 const BoundedEstimate& other);

// `other` for the difference of two policies: where both prescribe the same, its rows have the bounds of `value`,
// crosswise, so that they add 0 to the difference.
[[nodiscard]] BoundedEstimate paired_with(const EvaluatedRows& rows, const BoundedEstimate& value,
                                          std::span<const int> prescriptions, const BoundedEstimate& other,
                                          std::span<const int> other_prescriptions);

}  // namespace polyrx
