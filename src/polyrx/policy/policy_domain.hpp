// SPDX-License-Identifier: Apache-2.0
// The domain of claims about a policy.
#pragma once

#include <vector>

#include "polyrx/encode/input_domain.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx {

// domain_of() the policy's encoder, with finite bounds, so that products of weights and bounds are never 0 * infinity.
// Inputs that the network does not use may lack bounds; they get bounds larger than any identifier. Throws a usage
// error that names the feature if a used input lacks a bound, or if bounds are so wide that outcomes may overflow.
[[nodiscard]] Domain policy_domain(const Policy& policy, const std::vector<DomainOverride>& overrides = {});

// Excludes rows with a missing value in a column that was never missing in the training rows, unless an override names
// the column.
[[nodiscard]] Domain with_seen_missing(Domain domain, const Encoder& encoder,
                                       const std::vector<DomainOverride>& overrides = {});

// The domain of a tree. Excludes missing values like with_seen_missing(), unless an override includes them ("egfr is
// missing=0:1"): a split on them would double the leaves for rows without any data. The network and its rules answer
// rows outside the domain.
[[nodiscard]] Domain tree_domain(const Policy& policy, const std::vector<DomainOverride>& overrides = {});

}  // namespace polyrx
