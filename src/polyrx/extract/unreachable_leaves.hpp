// SPDX-License-Identifier: Apache-2.0
// Finds leaves of a tree that no row of its domain reaches.
#pragma once

#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

// Per node: 1 for a leaf that no row can reach, up to rounding at the borders. This is for pictures and not a proof:
// leaves that a short search cannot decide count as reachable.
[[nodiscard]] std::vector<char> unreachable_leaves(const Tree& tree, int threads, const Progress& progress = {});

}  // namespace polyrx
