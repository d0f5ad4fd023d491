// SPDX-License-Identifier: Apache-2.0
// Grows a supported tree of a network and its rules on data: best-first, by Gini gain of the prescriptions.
#pragma once

#include <cstddef>
#include <cstdint>

#include "polyrx/core/matrix.hpp"
#include "polyrx/core/progress.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct GrowOptions {
    std::size_t max_leaves = 64;
    std::size_t min_rows = 5;  // minimum given rows per leaf
    double held_out = 0.2;     // share of rows for measuring fidelity
    std::uint64_t seed = 1;    // selects the held-out rows
    int threads = 1;
    std::size_t drawn_up_to = 40'000;  // adds drawn rows up to this number of rows; 0 = none
};

// With fewer rows, none are held out and fidelity is not measured.
inline constexpr std::size_t fewest_rows_to_hold_out = 50;

// The rows are encoded and finite; the labels are the policy's prescriptions. Rules are split first, on the whole
// domain (plan_rules.hpp), and no leaf prescribes a forbidden treatment. Each part then grows on its own rows. Growth
// splits the leaf with the largest gain (best_split.hpp) until there are max_leaves in all parts together or no split
// gains. The splits of rules alone may exceed max_leaves. Siblings with the same prescription are merged and count as
// one leaf. Rows outside the domain are counted but not used.
//
// Drawn rows (drawn_rows.hpp) only help to choose splits. A leaf prescribes the most common prescription of its given
// rows; min_rows and Node::rows count given rows. Fidelity is measured on rows that were not used for growth. Leaves
// have no certificates yet. A leaf's `inside` is the row with the leaf's treatment that is nearest to the mean of its
// rows. If a part made by rules has no such row, the leaf prescribes the treatment at the part's center.
//
// The order of rows has a small influence: it determines the held-out rows and the rounding of sums.
// Throws a usage error for invalid options or widths, and a data error if no row lies in the domain.
[[nodiscard]] Tree grow_tree(const ReluNetwork& network, const BoundRules& rules, const Domain& domain,
                             const Matrix& rows, const GrowOptions& options, const Progress& progress = {});
[[nodiscard]] inline Tree grow_tree(const ReluNetwork& network, const Domain& domain, const Matrix& rows,
                                    const GrowOptions& options, const Progress& progress = {}) {
    return grow_tree(network, {}, domain, rows, options, progress);
}

}  // namespace polyrx
