// SPDX-License-Identifier: Apache-2.0
// The bootstrap (Efron 1979): resamples rows or whole groups with replacement. Rows are already scored, so the models
// behind the scores are not refitted.
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

// How often each unit was drawn. Counts fit in 16 bits: a unit is drawn once on average, so 65,535 draws of one unit do
// not occur. Counts of 100,000 units fit in a core's cache.
using DrawnTimes = std::vector<std::uint16_t>;

// Draws times.size() units with replacement.
void draw_units(Rng rng, DrawnTimes& times);

// Returns draws x estimates. All estimates use the same samples, so differences of columns are draws of the difference.
// NaN if a sample's denominators sum to 0, for example if no row received its prescription in a self-normalized
// estimate; percentile_interval() handles these. Groups are drawn whole. The result does not depend on the number of
// threads.
[[nodiscard]] Matrix bootstrap(std::span<const RowTerms> estimates, std::span<const std::size_t> group,
                               const BootstrapOptions& options, const Progress& progress = {});

}  // namespace polyrx
