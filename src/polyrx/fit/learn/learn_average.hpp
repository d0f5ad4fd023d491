// SPDX-License-Identifier: Apache-2.0
// The mean of several networks, each with settings and a seed of its own: it is a network with its members side by
// side.
#pragma once

#include "polyrx/fit/learn/learn_network.hpp"

namespace polyrx {

// The mean of what the settings learn from the named rows; some may be there more than once, and still no two networks
// begin alike. One alone learns what learn_network() says. The bytes do not depend on the threads.
[[nodiscard]] LearnedNetwork learn_average(const NetworkStudy& study, std::span<const std::size_t> rows,
                                           const std::vector<NetworkOptions>& settings, std::uint64_t seed, int threads,
                                           const Progress& progress = {});

}  // namespace polyrx
