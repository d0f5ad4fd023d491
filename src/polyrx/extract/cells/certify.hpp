// SPDX-License-Identifier: Apache-2.0
// Computes certificates for the leaves of a tree.
#pragma once

#include "polyrx/core/progress.hpp"
#include "polyrx/extract/budget.hpp"
#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct CertifyOptions {
    std::size_t most_cases = 4096;  // of undecided neurons, per leaf
    bool all_or_nothing = false;    // stop at the first leaf without a proof
    int threads = 1;
};

// A leaf stays without a certificate if it cannot be proved. A leaf where one of the rows is prescribed another
// treatment is not tried. Also gives each leaf without a certificate a point inside, and records which rules apply in
// it and which treatments are not supported there.
void certify(Tree& tree, const ReluNetwork& network, const BoundRules& rules, const Matrix& rows,
             const CertifyOptions& options, Budget& budget, const Progress& progress = {});

}  // namespace polyrx
