// SPDX-License-Identifier: Apache-2.0
// Proves, by replaying its certificates, that a tree prescribes what its policy does, or says where it may not.
//
// What is proved: every row of the domain, of finite doubles, that reaches a certified leaf with each split's value,
// computed in whatever order, beyond the guard, is prescribed the leaf's treatment: of those that the rules allow it,
// as HalfSpace::value() computes them, the one with the smallest outcome by forward() in double precision, with ties
// going to the lowest index; or none, if they allow none. The rules that a leaf names apply to all of its rows. Nothing
// is taken from whoever made the tree but the tree itself, and all arithmetic is rounded to the safe side.
#pragma once

#include <cstddef>
#include <string>

#include "polyrx/core/progress.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct CheckOptions {
    int threads = 1;  // 0: one per core; the result is the same
};

struct TreeCheck {
    // The claim of each certified leaf. There must be one; of an exact tree, each leaf must have one.
    bool proved = false;
    std::size_t leaves = 0;     // all
    std::size_t certified = 0;  // the others claim nothing
    std::size_t steps = 0;      // of certificates that were replayed
    // The outcome of a leaf's treatment minus that of its rival, at its worst. If proved: the largest bound of it,
    // rounding included, which is at most 0 (minus infinity if there was nothing to compare). If refuted: what the
    // network computes at the point. Else: the largest bound that could not be brought down to 0, perhaps infinite.
    double worst_gap = 0;
    int leaf = -1;         // where: the node; -1 if no leaf is certified
    int rival = -1;        // -1 if it is not about a rival, or rules leave none
    Vector point;          // a row of that leaf, the worst that was found; empty if proved, or if none was
    bool refuted = false;  // at that point another treatment is prescribed
    std::string reason;    // one sentence, if not proved
};

// Throws a data error if the tree is not well formed or not one for this network and these rules.
[[nodiscard]] TreeCheck check_tree(const ReluNetwork& network, const BoundRules& rules, const Tree& tree,
                                   const CheckOptions& options = {}, const Progress& progress = {});
[[nodiscard]] inline TreeCheck check_tree(const ReluNetwork& network, const Tree& tree,
                                          const CheckOptions& options = {}, const Progress& progress = {}) {
    return check_tree(network, {}, tree, options, progress);
}

}  // namespace polyrx
