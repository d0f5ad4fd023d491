// SPDX-License-Identifier: Apache-2.0
// Looks for a row of a leaf for which network and rules prescribe something else than the leaf does.
#pragma once

#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx::checking {

struct Suspect {
    Vector point;  // a row that the tree sends to the leaf; empty if none was found
    // The largest outcome of the leaf's treatment minus that of a rival that rules allow, as the network computes them.
    // Infinite if rules forbid the leaf's own treatment, or allow any where it says none.
    double gap = 0;
    int rival = -1;
    bool refutes = false;  // another treatment is prescribed there, or none: that is the rival
};

// What prescribes.
struct Prescriber {
    const ReluNetwork& network;
    const BoundRules& rules;
};

// At one point. No suspect if the tree does not send it to the leaf.
[[nodiscard]] Suspect suspect_at(const Prescriber& by, const Tree& tree, int leaf, const Vector& point);

// The worst of many points: where walks from the leaf's inner point, or another that is found, leave it. They go
// towards `corner`, which may be empty, and random rows of the domain. The same points for the same leaf.
[[nodiscard]] Suspect find_suspect(const Prescriber& by, const Tree& tree, int leaf, const Vector& corner);

}  // namespace polyrx::checking
