// SPDX-License-Identifier: Apache-2.0
// The regions of an activation pattern, without redundant inequalities.
#pragma once

#include <vector>

#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/region.hpp"
#include "polyrx/network/relu_network.hpp"

namespace polyrx {

// One region for each treatment that is best somewhere inside the pattern's polyhedron, in the order of treatments;
// none if the polyhedron has no interior in the domain.
[[nodiscard]] std::vector<Region> describe_regions(const ReluNetwork& network, const Domain& domain,
                                                   const Pattern& pattern);

// The region of one treatment. If it has no interior in the domain, `inside` is empty and all sides are kept.
[[nodiscard]] Region describe_region(const ReluNetwork& network, const Domain& domain, const Pattern& pattern,
                                     int treatment);

}  // namespace polyrx
