// SPDX-License-Identifier: Apache-2.0
// Whether a tree prescribes what the network does, row by row.
#pragma once

#include <gtest/gtest.h>

#include "polyrx/network/relu_network.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx::test {

struct Agreement {
    std::size_t rows = 0;
    std::size_t answered = 0;
    std::size_t wrong = 0;  // of those answered

    Agreement& operator+=(const Agreement& other) {
        rows += other.rows;
        answered += other.answered;
        wrong += other.wrong;
        return *this;
    }
};

inline Agreement agreement(const Tree& tree, const ReluNetwork& network, const Matrix& rows) {
    Agreement result{static_cast<std::size_t>(rows.rows()), 0, 0};
    const std::vector<int> prescribed = argmin_rows(forward(network, rows));
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        const Vector row = rows.row(i);
        EXPECT_TRUE(contains(tree.domain, row));
        const Arrival arrival = descend(tree, row);
        if (!arrival.answered) continue;
        ++result.answered;
        const Leaf& leaf = std::get<Leaf>(tree.nodes[static_cast<std::size_t>(arrival.node)].what);
        if (leaf.treatment != prescribed[static_cast<std::size_t>(i)]) ++result.wrong;
    }
    return result;
}

inline std::size_t certified_leaves(const Tree& tree) {
    std::size_t count = 0;
    for (const Node& node : tree.nodes)
        if (const auto* leaf = std::get_if<Leaf>(&node.what)) count += leaf->certificate ? 1 : 0;
    return count;
}

}  // namespace polyrx::test
