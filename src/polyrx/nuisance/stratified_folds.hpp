// SPDX-License-Identifier: Apache-2.0
// Stratified folds for a comparison of two arms.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "polyrx/core/rng.hpp"

namespace polyrx {

// Returns the fold of each row, 0 .. parts-1. Sizes differ by at most one row, in total and per arm. The result does
// not depend on which arm is 0 or 1 (unlike k_folds), so swapping the arms only changes the sign of learned effects.
[[nodiscard]] std::vector<std::size_t> stratified_folds(std::span<const int> arm, std::size_t parts, Rng rng);

}  // namespace polyrx
