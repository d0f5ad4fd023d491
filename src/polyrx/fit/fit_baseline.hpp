// SPDX-License-Identifier: Apache-2.0
// Learns what a policy has in place of a network, with settings chosen by cross-validation where a method asks for it.
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

// What methods have settings for that are not chosen from the data. Threads, seeds and kinds of splits and leaves mean
// nothing here: they are those of the method that is asked for.
struct BaselineOptions {
    PolicyTreeOptions policy_tree = {};
    OptimalTreeSearch optimal_tree = {};
};

struct FittedBaseline {
    Baseline baseline;
    std::vector<std::pair<std::string, std::string>> chosen;  // settings, by name
    bool stopped = false;  // progress asked to stop, and this is the best that had been found
};

// `outcome` is that of the observations with small values good, and `encoded` their rows. Throws a usage error for a
// method that does not suit the number of treatments.
[[nodiscard]] FittedBaseline fit_baseline(Method method, const Observations& observations, const Encoder& encoder,
                                          Matrix encoded, std::span<const double> outcome, std::uint64_t seed,
                                          int threads, const Progress& progress = {},
                                          const BaselineOptions& options = {});

}  // namespace polyrx
