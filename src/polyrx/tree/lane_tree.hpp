// SPDX-License-Identifier: Apache-2.0
// A small tree for blocks of rows, one row per SIMD lane. The simple reference implementations are contains() and
// descend().
//
// Many splits of an exact tree test the same few neurons. Each function is computed once per block, in vectors as in
// the network, and a node only takes two ANDs of row sets.
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

    // The approximate cost of a block.
    [[nodiscard]] std::size_t work() const { return weights_.size() + 4 * leaves_.size(); }

    // The node where each row ends: as in descend() for rows in the domain, `nowhere` for others.
    void arrive(const Matrix& rows, std::span<int> ends) const;

private:
    Domain domain_;
    Vector kernel_lower_;
    FlatGroups groups_;
    std::vector<LaneSplit> splits_;
    std::vector<std::uint32_t> leaves_;
    std::vector<LaneFunction> functions_;
    std::vector<std::uint32_t> inputs_;  // inputs that any function uses
    std::vector<double> weights_;        // of these inputs, function after function
};

}  // namespace polyrx
