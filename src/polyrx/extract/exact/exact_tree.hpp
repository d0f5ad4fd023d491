// SPDX-License-Identifier: Apache-2.0
// Converts a network and its rules to a tree that provably prescribes the same on a whole domain.
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

// Throws BudgetSpent if the tree is too large.
[[nodiscard]] Tree exact_tree(const ReluNetwork& network, const BoundRules& rules, const Domain& domain,
                              const ExactTreeOptions& options = {}, const Progress& progress = {});
[[nodiscard]] inline Tree exact_tree(const ReluNetwork& network, const Domain& domain,
                                     const ExactTreeOptions& options = {}, const Progress& progress = {}) {
    return exact_tree(network, {}, domain, options, progress);
}

}  // namespace polyrx
