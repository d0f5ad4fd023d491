// SPDX-License-Identifier: Apache-2.0
// The one-hot groups of a domain in flat arrays, for loops over many rows.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/geometry/domain.hpp"

namespace polyrx {

struct FlatGroups {
    std::vector<std::uint32_t> members;  // input indices, group after group
    std::vector<std::uint32_t> ends;     // for each group, the end of its range in `members`
};

inline FlatGroups flat_groups(const Domain& domain) {
    FlatGroups flat;
    for (const std::vector<Eigen::Index>& group : domain.groups) {
        for (const Eigen::Index input : group) flat.members.push_back(static_cast<std::uint32_t>(input));
        flat.ends.push_back(static_cast<std::uint32_t>(flat.members.size()));
    }
    return flat;
}

}  // namespace polyrx
