// SPDX-License-Identifier: Apache-2.0
// The rows that claims about a policy are made for.
#pragma once

#include <vector>

#include "polyrx/encode/input_domain.hpp"
#include "polyrx/policy/policy.hpp"

namespace polyrx {

// domain_of() the policy's encoder. Every bound is finite, so that nobody who multiplies weights by bounds meets
// 0 * infinity: an input that the network does not use may be without bounds, and gets some beyond any identifier.
// Throws a usage error that names the feature where an input that the network does use is without a bound, or where
// bounds are so wide that outcomes may not be finite between them.
[[nodiscard]] Domain policy_domain(const Policy& policy, const std::vector<DomainOverride>& overrides = {});

}  // namespace polyrx
