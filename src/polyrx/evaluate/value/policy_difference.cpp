// SPDX-License-Identifier: Apache-2.0
#include "polyrx/evaluate/value/policy_difference.hpp"

#include <fmt/format.h>

#include "polyrx/core/error.hpp"

namespace polyrx {

ValueEstimate policy_difference(const EvaluatedRows& rows, const ValueEstimate& policy, const ValueEstimate& other) {
    if (policy.rows != rows.outcome.size() || other.rows != rows.outcome.size())
        throw usage_error(fmt::format("a difference on {} rows needs values of the same rows, not of {} and {}",
                                      rows.outcome.size(), policy.rows, other.rows));
    ValueEstimate difference;
    difference.rows = policy.rows;
    difference.matched = policy.matched;
    difference.clipped = policy.clipped;
    difference.clipped_share = policy.clipped_share;
    difference.reason = !policy.value || (other.value && !policy.standard_error) ? policy.reason : other.reason;
    if (!policy.value || !other.value) return difference;
    difference.value = *policy.value - *other.value;
    if (policy.influence.empty() || other.influence.empty()) return difference;
    difference.influence.reserve(policy.rows);
    for (std::size_t i = 0; i < policy.rows; ++i)
        difference.influence.push_back(policy.influence[i] - other.influence[i]);
    difference.standard_error = standard_error(difference.influence, rows.group);
    return difference;
}

}  // namespace polyrx
