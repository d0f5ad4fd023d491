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

// Without rows in which a column is missing that was never missing in the training rows, unless an override names it.
[[nodiscard]] Domain with_seen_missing(Domain domain, const Encoder& encoder,
                                       const std::vector<DomainOverride>& overrides = {});

// The same for a tree. A column that was never missing in the training rows is not missing in the tree's domain, unless
// an override says otherwise ("egfr is missing=0:1"): a split on it would double the leaves for rows that nobody has
// seen. A row in which it is missing lies outside of the domain, and the network and its rules answer for it.
[[nodiscard]] Domain tree_domain(const Policy& policy, const std::vector<DomainOverride>& overrides = {});

}  // namespace polyrx
