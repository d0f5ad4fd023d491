// SPDX-License-Identifier: Apache-2.0
// The search for the policy tree of least cost: exact to two levels of splits by sweeping all cuts of the upper one,
// and beyond by branch and bound over the cuts above.
#pragma once

#include "polyrx/baselines/policy_tree/policy_choice.hpp"
#include "polyrx/core/progress.hpp"

namespace polyrx {

struct PolicySearch {
    std::size_t leaf_rows = 1;
    // Of splits with two levels below them: the rows between two cuts that are tried.
    std::size_t split_step = 1;
    // Up to so many categories, with "missing" for one, are divided in every way by splits that have others below; more
    // are put in an order first.
    static constexpr std::size_t most_exact_slots = 11;
};

[[nodiscard]] PolicyChoice best_choice(const PolicyRows& rows, int depth, const PolicySearch& search, int threads,
                                       const Progress& progress = {});

// Whether the search leaves out no split that a tree of this depth could have.
[[nodiscard]] bool is_exact(const PolicyRows& rows, int depth, const PolicySearch& search);

// About how many rows the search adds to sums, if nothing could be ruled out: what it takes is proportional to it.
[[nodiscard]] double search_work(const PolicyRows& rows, int depth, const PolicySearch& search);

}  // namespace polyrx
