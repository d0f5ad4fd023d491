// SPDX-License-Identifier: Apache-2.0
// Bounds of the value of a policy whose prescriptions are partly unsupported (Manski 1990): doubly robust where they
// are supported, otherwise the least and greatest possible outcome.
#pragma once

#include <span>

#include "polyrx/evaluate/value/outcome_range.hpp"
#include "polyrx/evaluate/value/policy_value.hpp"

namespace polyrx {

// A lower and an upper bound, each with its standard error. They are equal if every prescription is supported. Neither
// has a value if no row received its prescription.
struct BoundedEstimate {
    ValueEstimate lower;
    ValueEstimate upper;

    [[nodiscard]] bool estimable() const { return lower.value && upper.value; }
    [[nodiscard]] bool identified() const { return estimable() && *lower.value == *upper.value; }
};

// The prescription of each row, and whether it is supported.
struct SupportedPolicy {
    std::span<const int> prescriptions;
    std::span<const char> supported;
};

// The mean over rows of
//     m_p + w (y - m_p)    if the prescription p is supported (Estimator::dr),
//     y                    if it is not supported, but the row received it,
//     the least (lower) or greatest (upper) outcome of the range otherwise.
// If every prescription is supported, both bounds equal policy_value(..., Estimator::dr, ...) exactly.
[[nodiscard]] BoundedEstimate bounded_value(const EvaluatedRows& rows, const SupportedPolicy& policy,
                                            const OutcomeRange& range, double least_propensity);

// The value of following the policy where it is supported and current practice elsewhere. It is point-identified.
[[nodiscard]] ValueEstimate value_where_supported(const EvaluatedRows& rows, const SupportedPolicy& policy,
                                                  double least_propensity);

// Bounds of `value` minus a known value such as value_as_treated(), paired by row.
[[nodiscard]] BoundedEstimate bounded_difference(const EvaluatedRows& rows, const BoundedEstimate& value,
                                                 const ValueEstimate& other);

// The worst case of one against the best case of the other: lower minus upper, and upper minus lower. If both are
// policies, `other` must come from paired_with().
[[nodiscard]] BoundedEstimate bounded_difference(const EvaluatedRows& rows, const BoundedEstimate& value,
                                                 const BoundedEstimate& other);

// `other`, prepared for the difference of two policies. In rows with equal prescriptions, it has the bounds of `value`,
// swapped, so that these rows add 0 to the difference.
[[nodiscard]] BoundedEstimate paired_with(const EvaluatedRows& rows, const BoundedEstimate& value,
                                          std::span<const int> prescriptions, const BoundedEstimate& other,
                                          std::span<const int> other_prescriptions);

}  // namespace polyrx
