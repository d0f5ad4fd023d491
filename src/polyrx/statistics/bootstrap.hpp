// SPDX-License-Identifier: Apache-2.0
// What estimates would have been for other samples of the same size: rows, or whole groups, drawn with replacement
// (Efron 1979). Rows are scored already, so the models behind the scores stay as they are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/core/rng.hpp"
#include "polyrx/statistics/ratio_estimate.hpp"

namespace polyrx {

struct BootstrapOptions {
    std::size_t draws = 2'000;
    std::uint64_t seed = 1;
    int threads = 1;
};

// How often each unit was drawn. No unit of more than 65,535 is drawn as often as that before the sun goes out, and the
// counts of 100,000 units stay in a core's own cache.
using DrawnTimes = std::vector<std::uint16_t>;

// As many units as there are, drawn with replacement.
void draw_units(Rng rng, DrawnTimes& times);

// Draws x estimates. All estimates see the same samples, so that the difference of two columns is what their difference
// would have been. NaN where a sample's denominators sum to 0, as of self-normalized estimates when no row received
// what was prescribed: percentile_interval() says what becomes of these. With groups, each is drawn whole. The bytes do
// not depend on the number of threads.
[[nodiscard]] Matrix bootstrap(std::span<const RowTerms> estimates, std::span<const std::size_t> group,
                               const BootstrapOptions& options, const Progress& progress = {});

}  // namespace polyrx
