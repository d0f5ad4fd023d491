// SPDX-License-Identifier: Apache-2.0
// How likely each row was to receive what it received, for networks that balance treatments.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/fit/learn/learn_network.hpp"

namespace polyrx {

// Known by design, or from models that did not see the row, or its group. Throws a data error where a treatment has too
// few rows.
[[nodiscard]] std::vector<double> received_propensities(const NetworkStudy& study, std::uint64_t seed, int threads,
                                                        const Progress& progress = {});

}  // namespace polyrx
