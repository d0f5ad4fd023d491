// SPDX-License-Identifier: Apache-2.0
// A tree laid out for many rows: one array of nodes, one of terms. Its slow twins are contains() and descend().
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

    // Where each row ends: the node of descend() for those in the domain, and nowhere for the others.
    //
    // The terms of a split are added in another order than by descend(), or fused. Its guard is wider than the rounding
    // of any order, so that rows which both answer get the same leaf.
    void arrive(const Matrix& rows, std::span<int> ends) const;

private:
    struct FlatNode {
        double constant = 0;
        double guard = 0;
        std::size_t weight = 0;  // the first of its weights
        std::size_t input = 0;   // a run of inputs begins here, or the first of its input numbers
        std::uint32_t terms = 0;
        bool run = false;  // its weights belong to neighboring inputs, some of them perhaps 0
        bool split = false;
        std::int32_t yes = 0;
        std::int32_t no = 0;
    };

    void add_split(const Split& split, FlatNode& node);
    [[nodiscard]] std::vector<std::uint32_t> rows_inside(const Matrix& rows) const;
    [[nodiscard]] bool groups_hold(const double* row) const;
    void values(const FlatNode& node, const Matrix& rows, std::span<const std::uint32_t> which, double* into) const;
    void descend_together(const Matrix& rows, std::span<std::uint32_t> which, std::span<int> ends) const;

    std::optional<LaneTree> small_;  // answers in place of the rest if the tree is small

    std::vector<FlatNode> nodes_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> inputs_;

    Domain domain_;
    Vector kernel_lower_;
    std::vector<double> fraction_;  // for each input, 0 if it must be a whole number and else 1
    FlatGroups groups_;
};

}  // namespace polyrx
