// SPDX-License-Identifier: Apache-2.0
// Fits a baseline policy, with settings chosen by cross-validation if the method requires it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "polyrx/baselines/baseline.hpp"
#include "polyrx/baselines/optimal/fit_optimal_tree.hpp"
#include "polyrx/baselines/policy_tree/policy_tree.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/study/observations.hpp"

namespace polyrx {

// Settings of methods that are not chosen from the data. Threads, seeds and kinds of splits and leaves are ignored: the
// requested method determines them.
struct BaselineOptions {
    PolicyTreeOptions policy_tree = {};
    OptimalTreeSearch optimal_tree = {};
};

struct FittedBaseline {
    Baseline baseline;
    std::vector<std::pair<std::string, std::string>> chosen;  // settings by name
    bool stopped = false;  // progress requested a stop, and this is the best one found until then
};

// `outcome` holds the observed outcomes, with smaller ones better. `encoded` holds the same rows. Throws a usage error
// for a method that does not support the number of treatments.
[[nodiscard]] FittedBaseline fit_baseline(Method method, const Observations& observations, const Encoder& encoder,
                                          Matrix encoded, std::span<const double> outcome, std::uint64_t seed,
                                          int threads, const Progress& progress = {},
                                          const BaselineOptions& options = {});

}  // namespace polyrx
