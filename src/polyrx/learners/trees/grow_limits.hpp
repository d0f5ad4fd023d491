// SPDX-License-Identifier: Apache-2.0
// Limits on the size of a tree, for all criteria.
#pragma once

#include <cstddef>

namespace polyrx {

struct GrowLimits {
    int depth = 0;               // maximum; 0 = no limit
    std::size_t split_rows = 2;  // smaller nodes become leaves
    int features = 0;            // drawn at each node among those that vary there; 0 = all
};

}  // namespace polyrx
