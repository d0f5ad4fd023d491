// SPDX-License-Identifier: Apache-2.0
// Looks for a row of a leaf for which the network prescribes something else than the leaf does.
#pragma once

#include "polyrx/network/relu_network.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx::checking {

struct Suspect {
    Vector point;  // a row that the tree sends to the leaf; empty if none was found
    // The largest outcome of the leaf's treatment minus that of a rival, as the network computes them.
    double gap = 0;
    int rival = -1;
    bool refutes = false;  // the network prescribes another treatment there
};

// At one point. No suspect if the tree does not send it to the leaf.
[[nodiscard]] Suspect suspect_at(const ReluNetwork& network, const Tree& tree, int leaf, const Vector& point);

// The worst of many points: where walks from the leaf's inner point, or another that is found, leave it. They go
// towards `corner`, which may be empty, and random rows of the domain. The same points for the same leaf.
[[nodiscard]] Suspect find_suspect(const ReluNetwork& network, const Tree& tree, int leaf, const Vector& corner);

}  // namespace polyrx::checking
