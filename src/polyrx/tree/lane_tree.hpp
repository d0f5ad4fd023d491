// SPDX-License-Identifier: Apache-2.0
// A small tree laid out for blocks of rows that go through it side by side. Its slow twins are contains() and
// descend().
//
// Many splits of an exact tree ask for the sign of the same few neurons. Each function is computed once for a block, in
// vectors, as the network does, and a node is no more than two ANDs of sets of rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/tree/flat_groups.hpp"
#include "polyrx/tree/lane_tree_kernel.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

class LaneTree {
public:
    static constexpr int nowhere = -1;

    // The tree must be well formed.
    explicit LaneTree(const Tree& tree);

    // About what a block costs.
    [[nodiscard]] std::size_t work() const { return weights_.size() + 4 * leaves_.size(); }

    // Where each row ends: the node of descend() for those in the domain, and `nowhere` for the others.
    void arrive(const Matrix& rows, std::span<int> ends) const;

private:
    Domain domain_;
    Vector kernel_lower_;
    FlatGroups groups_;
    std::vector<LaneSplit> splits_;
    std::vector<std::uint32_t> leaves_;
    std::vector<LaneFunction> functions_;
    std::vector<std::uint32_t> inputs_;  // that any function has a weight for
    std::vector<double> weights_;        // of those, function after function
};

}  // namespace polyrx
