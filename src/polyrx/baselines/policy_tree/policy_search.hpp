// SPDX-License-Identifier: Apache-2.0
// Finds the policy tree of lowest cost: two levels of splits by sweeping all cuts of the upper one, further levels by
// branch and bound.
#pragma once

#include "polyrx/baselines/policy_tree/policy_choice.hpp"
#include "polyrx/core/progress.hpp"

namespace polyrx {

struct PolicySearch {
    std::size_t leaf_rows = 1;
    // For splits with two levels below them: the number of rows between cuts that are tried.
    std::size_t split_step = 1;
    // Splits with others below them try every division of up to this many categories (including "missing"). Beyond
    // that, categories are ordered first.
    static constexpr std::size_t most_exact_slots = 11;
};

[[nodiscard]] PolicyChoice best_choice(const PolicyRows& rows, int depth, const PolicySearch& search, int threads,
                                       const Progress& progress = {});

// Whether the search considers every split of a tree of this depth.
[[nodiscard]] bool is_exact(const PolicyRows& rows, int depth, const PolicySearch& search);

// Approximate number of additions if no split can be ruled out; running time is proportional to it.
[[nodiscard]] double search_work(const PolicyRows& rows, int depth, const PolicySearch& search);

}  // namespace polyrx
