// SPDX-License-Identifier: Apache-2.0
// Values to mean 0 and deviation 1, as the paper's designs have it.
#pragma once

#include <vector>

namespace polyrx {

// The deviation is that of the population (divides by n). Values that are all the same become 0.
void standardize(std::vector<double>& values);

}  // namespace polyrx
