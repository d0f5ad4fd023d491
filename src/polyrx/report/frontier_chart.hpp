// SPDX-License-Identifier: Apache-2.0
// What readability costs, as a picture: the value of trees against their leaves.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

struct FrontierDot {
    std::size_t leaves = 0;
    std::size_t terms = 0;
    MeanEstimate value;
    std::string label = {};  // for the tooltip: what kind of tree it is
    bool chosen = false;
    std::string note = {};  // beside the dot
};

// A value to compare with, whatever the leaves.
struct FrontierLine {
    std::string name;
    MeanEstimate value;
};

struct FrontierNames {
    std::string outcome;
    bool larger_is_better = false;
};

// A dot for each tree, the larger the more terms it has; the chosen one is marked. Values that are not known are left
// out.
[[nodiscard]] std::string frontier_chart(const std::vector<FrontierDot>& dots, const std::vector<FrontierLine>& lines,
                                         const FrontierNames& names);

}  // namespace polyrx
