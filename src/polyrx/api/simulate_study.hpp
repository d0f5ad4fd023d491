// SPDX-License-Identifier: Apache-2.0
// Simulated observations by name.
#pragma once

#include <string>
#include <vector>

#include "polyrx/studies/simulate.hpp"

namespace polyrx {

// "1" to "6" of the paper, "custom", or "clinic". Only custom has functions: "f1" to "f4", a base and one or two
// effects. Throws a usage error for what does not go together.
[[nodiscard]] Table simulate_study(const std::string& dataset, const std::vector<std::string>& functions,
                                   const SimulateOptions& options);

}  // namespace polyrx
