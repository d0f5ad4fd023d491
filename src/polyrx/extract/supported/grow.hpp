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
    std::size_t min_rows = 5;  // in a leaf, of those that the tree is grown on
    double held_out = 0.2;     // share of the rows on which the fidelity is measured
    std::uint64_t seed = 1;    // chooses them
    int threads = 1;
    std::size_t drawn_up_to = 40'000;  // if the rows are fewer, drawn ones make up for them; 0: none
};

// With fewer rows than this none are held out, and the fidelity is not measured.
inline constexpr std::size_t fewest_rows_to_hold_out = 50;

// The rows are encoded and finite; the labels are the prescriptions. Rules are split on first, on the whole domain
// (plan_rules.hpp), and no leaf prescribes what they forbid in it; then each part grows on its own rows, all of them
// together up to max_leaves, which the rules' splits alone may exceed. Rows outside of the domain are counted
// and else left out. The leaf with the largest gain is split next (best_split.hpp says by what), until there are
// max_leaves or no split gains; siblings that prescribe the same are one leaf, also for max_leaves.
//
// Drawn rows (drawn_rows.hpp) help to choose the splits and do nothing else: what a leaf prescribes is the commonest
// prescription of its own rows, min_rows and Node::rows count those, and the fidelity is measured on rows of the data
// that took no part in growth. Leaves have no certificate yet. A leaf's `inside` is the row prescribed its treatment
// that is nearest to the mean of its rows. Where a part
// that rules make has no such row, the leaf prescribes what its middle is prescribed.
//
// The order of the rows matters a little: it says which are held out, and sums over rows are rounded in it.
// Throws a usage error for options or widths that make no sense, a data error if no row lies in the domain.
[[nodiscard]] Tree grow_tree(const ReluNetwork& network, const BoundRules& rules, const Domain& domain,
                             const Matrix& rows, const GrowOptions& options, const Progress& progress = {});
[[nodiscard]] inline Tree grow_tree(const ReluNetwork& network, const Domain& domain, const Matrix& rows,
                                    const GrowOptions& options, const Progress& progress = {}) {
    return grow_tree(network, {}, domain, rows, options, progress);
}

}  // namespace polyrx
