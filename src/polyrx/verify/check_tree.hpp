// SPDX-License-Identifier: Apache-2.0
// Proves by replaying certificates that a tree prescribes the same as its policy, or reports where it may not.
//
// It proves that the policy prescribes a certified leaf's treatment to every row of the domain, of finite doubles, that
// reaches the leaf with each split's value, computed in any order, beyond the guard. The policy prescribes the
// treatment with the smallest outcome by forward() in double precision, among those that rules allow as computed by
// HalfSpace::value(). Ties go to the lowest index; if rules allow no treatment, the leaf must say none. The rules that
// a leaf names apply to all of its rows. The check uses nothing else from the code that made the tree, and all
// arithmetic is conservatively rounded.
#pragma once

#include <cstddef>
#include <string>

#include "polyrx/core/progress.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct CheckOptions {
    int threads = 1;  // 0: all cores; does not affect the result
};

struct TreeCheck {
    // Every certified leaf is proved, and at least one leaf is certified; in an exact tree, every leaf.
    bool proved = false;
    std::size_t leaves = 0;     // all leaves
    std::size_t certified = 0;  // leaves with a certificate
    std::size_t steps = 0;      // replayed steps of certificates
    // The worst outcome of a leaf's treatment minus its rival's. If proved: the largest upper bound, including
    // rounding, which is at most 0 (minus infinity if there was nothing to compare). If refuted: the computed value at
    // the point. Otherwise: the largest bound above 0, possibly infinite.
    double worst_gap = 0;
    int leaf = -1;         // node of the worst gap; -1 if no leaf is certified
    int rival = -1;        // -1 if there is no rival, or rules leave no treatment
    Vector point;          // the worst row found in that leaf; empty if proved or none was found
    bool refuted = false;  // another treatment is prescribed at `point`
    std::string reason;    // one sentence if not proved
};

// Throws a data error if the tree is not well formed or does not match the network and rules.
[[nodiscard]] TreeCheck check_tree(const ReluNetwork& network, const BoundRules& rules, const Tree& tree,
                                   const CheckOptions& options = {}, const Progress& progress = {});
[[nodiscard]] inline TreeCheck check_tree(const ReluNetwork& network, const Tree& tree,
                                          const CheckOptions& options = {}, const Progress& progress = {}) {
    return check_tree(network, {}, tree, options, progress);
}

}  // namespace polyrx
