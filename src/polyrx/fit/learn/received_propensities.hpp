// SPDX-License-Identifier: Apache-2.0
// The propensity of each row's received treatment, for networks that balance treatments.
#pragma once

#include <cstdint>
#include <vector>

#include "polyrx/core/progress.hpp"
#include "polyrx/fit/learn/learn_network.hpp"

namespace polyrx {

// Uses the known design, or cross-fitted models that keep groups together. Throws a data error if a treatment has too
// few rows.
[[nodiscard]] std::vector<double> received_propensities(const NetworkStudy& study, std::uint64_t seed, int threads,
                                                        const Progress& progress = {});

}  // namespace polyrx
