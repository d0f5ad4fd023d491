// SPDX-License-Identifier: Apache-2.0
// The regions of an activation pattern, with only the inequalities that matter.
#pragma once

#include <vector>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/region.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// One for each treatment that is best somewhere inside of the pattern's polyhedron, in their order; none if that has
// no inside in the domain.
[[nodiscard]] std::vector<Region> describe_regions(const ReluNetwork& network, const Domain& domain,
                                                   const Pattern& pattern);

// The region of one treatment. Its `inside` is empty if it has none in the domain, and then all sides are kept.
[[nodiscard]] Region describe_region(const ReluNetwork& network, const Domain& domain, const Pattern& pattern,
                                     int treatment);

}  // namespace polyrx
