// SPDX-License-Identifier: Apache-2.0
// Trains several networks with their own settings and seeds, and averages them into one network with its members side
// by side.
#pragma once

#include "polyrx/fit/learn/learn_network.hpp"

namespace polyrx {

// Returns the average of the networks learned from the named rows. Equal settings may occur more than once; all
// networks start from different weights. With one setting, the result is that of learn_network(). It does not depend on
// the number of threads.
[[nodiscard]] LearnedNetwork learn_average(const NetworkStudy& study, std::span<const std::size_t> rows,
                                           const std::vector<NetworkOptions>& settings, std::uint64_t seed, int threads,
                                           const Progress& progress = {});

}  // namespace polyrx
