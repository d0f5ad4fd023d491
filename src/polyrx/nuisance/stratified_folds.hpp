// SPDX-License-Identifier: Apache-2.0
// Deals the rows of a comparison of two arms into parts of the same size, with the same share of each arm.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polyrx/core/rng.hpp"

namespace polyrx {

// By row: its part, 0 .. parts-1. Parts differ by at most one row, and by at most one of each arm. Which arm is called
// 0 and which 1 changes nothing (as it would with k_folds), so that swapping the arms only changes the sign of what is
// learned.
[[nodiscard]] std::vector<std::size_t> stratified_folds(std::span<const int> arm, std::size_t parts, Rng rng);

}  // namespace polyrx
