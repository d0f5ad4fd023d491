// SPDX-License-Identifier: Apache-2.0
// How far a tree may grow, whatever makes its splits good.
#pragma once

#include <cstddef>

namespace polyrx {

struct GrowLimits {
    int depth = 0;               // at most; 0 is no limit
    std::size_t split_rows = 2;  // a node with fewer is a leaf
    int features = 0;            // drawn anew at each node, of those that differ there; 0 is all
};

}  // namespace polyrx
