// SPDX-License-Identifier: Apache-2.0
// Standardizes values to mean 0 and standard deviation 1, as in the paper's designs.
#pragma once

#include <vector>

namespace polyrx {

// Uses the population standard deviation (divides by n). Constant values become 0.
void standardize(std::vector<double>& values);

}  // namespace polyrx
