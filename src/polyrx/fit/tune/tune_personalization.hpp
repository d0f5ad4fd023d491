// SPDX-License-Identifier: Apache-2.0
// Chooses depth and leaf size of personalization trees by the doubly robust value of their held-out prescriptions.
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
    double value = 0;  // mean outcome of held-out prescriptions; smaller is better
};

struct PersonalizationChoice {
    PersonalizationOptions options;  // with the best value; the first one in case of ties
    std::vector<PersonalizationTrial> tried;
};

// Depth 5 or unlimited, at least 20 or 10 rows of every treatment per leaf; smaller trees come first.
[[nodiscard]] std::vector<PersonalizationOptions> personalization_grid();

// Tries the whole grid on the named rows only. Each trial learns from the kept rows of each fold and prescribes for the
// others, so neither a row's policy nor its scores were fitted on it. `judge` is the result of doubly_robust() on the
// same rows.
[[nodiscard]] PersonalizationChoice tune_personalization(Personalization method, const TreatedRows& study,
                                                         std::span<const std::size_t> rows, const DoublyRobust& judge,
                                                         std::uint64_t seed, int threads,
                                                         const Progress& progress = {});

// The same, but computes the judge.
[[nodiscard]] PersonalizationChoice tune_personalization(Personalization method, const TreatedRows& study,
                                                         std::span<const std::size_t> rows,
                                                         const DoublyRobustOptions& options,
                                                         const Progress& progress = {});

}  // namespace polyrx
