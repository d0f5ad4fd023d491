// SPDX-License-Identifier: Apache-2.0
// Leaves of a tree that no row of its domain reaches.
#pragma once

#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// By node: 1 for a leaf that no row can reach, up to rounding at the borders. For pictures: this is no proof, and a
// leaf for which a short search does not find out is taken to be reached.
[[nodiscard]] std::vector<char> unreachable_leaves(const Tree& tree, int threads, const Progress& progress = {});

}  // namespace polyrx
