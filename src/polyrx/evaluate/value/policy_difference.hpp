// SPDX-License-Identifier: Apache-2.0
// How much more one policy's value is than another's on the same rows, paired: what both have in common cancels.
#pragma once

#include "polyrx/evaluate/value/policy_value.hpp"

namespace polyrx {

// `policy` minus `other`, both estimated on these rows. Whether more is better depends on the objective. Its influence
// is the difference of theirs, so for doubly robust values against what was done it is mean(score - y), paired. It has
// no terms of its own: bootstrap() both together and take the difference of the columns. The matched and clipped rows
// are those of the policy. No value where either has none, and no standard error where either has none.
[[nodiscard]] ValueEstimate policy_difference(const EvaluatedRows& rows, const ValueEstimate& policy,
                                              const ValueEstimate& other);

}  // namespace polyrx
