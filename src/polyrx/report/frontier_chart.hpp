// SPDX-License-Identifier: Apache-2.0
// The cost of readability as a chart: the value of trees against their leaves.
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
    std::string label = {};  // tooltip: the kind of tree
    bool chosen = false;
    std::string note = {};  // text beside the dot
};

// A value to compare with, independent of leaves.
struct FrontierLine {
    std::string name;
    MeanEstimate value;
};

struct FrontierNames {
    std::string outcome;
    bool larger_is_better = false;
};

// One dot per tree, larger for more terms; the chosen one is marked. Unknown values are left out.
[[nodiscard]] std::string frontier_chart(const std::vector<FrontierDot>& dots, const std::vector<FrontierLine>& lines,
                                         const FrontierNames& names);

}  // namespace polyrx
