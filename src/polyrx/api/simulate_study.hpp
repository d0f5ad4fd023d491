// SPDX-License-Identifier: Apache-2.0
// Simulates observations of a named dataset.
#pragma once

#include <string>
#include <vector>

#include "polyrx/studies/simulate.hpp"

namespace polyrx {

// Datasets are "1" to "6" of the paper, "custom" and "clinic". Only custom takes functions: "f1" to "f4", a base and
// one or two effects. Throws a usage error for invalid combinations.
[[nodiscard]] Table simulate_study(const std::string& dataset, const std::vector<std::string>& functions,
                                   const SimulateOptions& options);

}  // namespace polyrx
