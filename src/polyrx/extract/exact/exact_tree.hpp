// SPDX-License-Identifier: Apache-2.0
// A network and its rules as a tree that prescribes the same on all of a domain, with the proof that it does.
#pragma once

#include "polyrx/core/progress.hpp"
#include "polyrx/extract/budget.hpp"
#include "polyrx/geometry/domain.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct ExactTreeOptions {
    BudgetLimits limits;
    int threads = 1;
};

// Throws BudgetSpent when the tree would be too large.
[[nodiscard]] Tree exact_tree(const ReluNetwork& network, const BoundRules& rules, const Domain& domain,
                              const ExactTreeOptions& options = {}, const Progress& progress = {});
[[nodiscard]] inline Tree exact_tree(const ReluNetwork& network, const Domain& domain,
                                     const ExactTreeOptions& options = {}, const Progress& progress = {}) {
    return exact_tree(network, {}, domain, options, progress);
}

}  // namespace polyrx
