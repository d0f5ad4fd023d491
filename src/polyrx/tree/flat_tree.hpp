// SPDX-License-Identifier: Apache-2.0
// A tree in flat arrays of nodes and terms, for many rows. The simple reference implementations are contains() and
// descend().
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "polyrx/core/matrix.hpp"
#include "polyrx/tree/flat_groups.hpp"
#include "polyrx/tree/lane_tree.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

class FlatTree {
public:
    static constexpr int nowhere = -1;

    // The tree must be well formed.
    explicit FlatTree(const Tree& tree);

    // The node where each row ends: as in descend() for rows in the domain, `nowhere` for others.
    //
    // The terms of a split are summed in another order than in descend(), or fused. The guard exceeds the rounding
    // error of any order, so if both answer a row, they return the same leaf.
    void arrive(const Matrix& rows, std::span<int> ends) const;

private:
    struct FlatNode {
        double constant = 0;
        double guard = 0;
        std::size_t weight = 0;  // index of its first weight
        std::size_t input = 0;   // first input of its run, or index of its first input number
        std::uint32_t terms = 0;
        bool run = false;  // its inputs are consecutive, some perhaps with weight 0
        bool split = false;
        std::int32_t yes = 0;
        std::int32_t no = 0;
    };

    void add_split(const Split& split, FlatNode& node);
    [[nodiscard]] std::vector<std::uint32_t> rows_inside(const Matrix& rows) const;
    [[nodiscard]] bool groups_hold(const double* row) const;
    void values(const FlatNode& node, const Matrix& rows, std::span<const std::uint32_t> which, double* into) const;
    void descend_together(const Matrix& rows, std::span<std::uint32_t> which, std::span<int> ends) const;

    std::optional<LaneTree> small_;  // replaces the rest if the tree is small

    std::vector<FlatNode> nodes_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> inputs_;

    Domain domain_;
    Vector kernel_lower_;
    std::vector<double> fraction_;  // by input: 0 for whole numbers, otherwise 1
    FlatGroups groups_;
};

}  // namespace polyrx
