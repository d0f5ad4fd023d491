// SPDX-License-Identifier: Apache-2.0
// Gives the leaves of a tree their certificates, where they can be proved.
#pragma once

#include "polyrx/core/progress.hpp"
#include "polyrx/extract/budget.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct CertifyOptions {
    std::size_t most_cases = 4096;  // of undecided neurons, for each leaf
    bool all_or_nothing = false;    // no more is tried once a leaf could not be proved
    int threads = 1;
};

// Leaves that cannot be proved stay without, and so does, untried, a leaf in which another treatment is prescribed to
// one of the rows. Also gives each leaf without one a point inside, and says which rules apply in it
// and which treatments are not supported there.
void certify(Tree& tree, const ReluNetwork& network, const BoundRules& rules, const Matrix& rows,
             const CertifyOptions& options, Budget& budget, const Progress& progress = {});

}  // namespace polyrx
