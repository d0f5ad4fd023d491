// SPDX-License-Identifier: Apache-2.0
// The difference between the values of two policies, paired on the same rows.
#pragma once

#include "polyrx/evaluate/value/policy_value.hpp"

namespace polyrx {

// `policy` minus `other`; the objective decides whether more is better. The influence is the difference of both, so for
// a doubly robust value minus the value as treated it is that of mean(score - y). The result has no terms: bootstrap()
// both values together and subtract the columns. Matched and clipped rows are those of `policy`. The difference has a
// value or standard error only if both have one.
[[nodiscard]] ValueEstimate policy_difference(const EvaluatedRows& rows, const ValueEstimate& policy,
                                              const ValueEstimate& other);

}  // namespace polyrx
