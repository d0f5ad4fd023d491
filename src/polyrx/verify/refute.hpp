// SPDX-License-Identifier: Apache-2.0
// Searches for a row of a leaf to which network and rules prescribe something else.
#pragma once

#include "polyrx/network/relu_network.hpp"
#include "polyrx/rules/bound_rules.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx::checking {

struct Suspect {
    Vector point;  // a row in the leaf; empty if none was found
    // The largest computed outcome of the leaf's treatment minus that of an allowed rival. Infinite if rules forbid the
    // leaf's treatment, or allow any where the leaf has none.
    double gap = 0;
    int rival = -1;
    bool refutes = false;  // the prescription there is `rival`, not the leaf's treatment
};

// The network and rules.
struct Prescriber {
    const ReluNetwork& network;
    const BoundRules& rules;
};

// Evaluates one point. The result is empty if the point is not in the leaf.
[[nodiscard]] Suspect suspect_at(const Prescriber& by, const Tree& tree, int leaf, const Vector& point);

// The worst of many points where walks from an inner point leave the leaf. Walks go toward `corner`, which may be
// empty, and random rows of the domain. Deterministic for each leaf.
[[nodiscard]] Suspect find_suspect(const Prescriber& by, const Tree& tree, int leaf, const Vector& corner);

}  // namespace polyrx::checking
