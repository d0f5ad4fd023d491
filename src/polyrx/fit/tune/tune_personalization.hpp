// SPDX-License-Identifier: Apache-2.0
// How deep personalization trees should be, and how many rows their leaves need, by the doubly robust value of what
// they prescribe to held-out rows.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/baselines/personalization/personalization_tree.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/nuisance/doubly_robust.hpp"

namespace polyrx {

enum class Personalization { tree, forest };

struct PersonalizationTrial {
    PersonalizationOptions options;
    double value = 0;  // mean outcome of the prescriptions to held-out rows; small is good
};

struct PersonalizationChoice {
    PersonalizationOptions options;  // of the least value; of equal ones the first
    std::vector<PersonalizationTrial> tried;
};

// Depth 5 or any, 20 or 10 rows of every treatment; those that make smaller trees come first.
[[nodiscard]] std::vector<PersonalizationOptions> personalization_grid();

// Tries all of the grid, on the named rows only. Each trial learns from the kept rows of each fold and prescribes to
// the others, so that neither a row's policy nor its scores have seen it. `judge` is what doubly_robust() says of the
// same rows.
[[nodiscard]] PersonalizationChoice tune_personalization(Personalization method, const TreatedRows& study,
                                                         std::span<const std::size_t> rows, const DoublyRobust& judge,
                                                         std::uint64_t seed, int threads,
                                                         const Progress& progress = {});

// The same with a judge of its own.
[[nodiscard]] PersonalizationChoice tune_personalization(Personalization method, const TreatedRows& study,
                                                         std::span<const std::size_t> rows,
                                                         const DoublyRobustOptions& options,
                                                         const Progress& progress = {});

}  // namespace polyrx
