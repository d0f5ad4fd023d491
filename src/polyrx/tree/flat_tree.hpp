// SPDX-License-Identifier: Apache-2.0
// A tree laid out for many rows: one array of nodes, one of terms, no branch but the splits'. Its twin is descend().
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "polyrx/tree/tree.hpp"

namespace polyrx {

class FlatTree {
public:
    // The tree must be well formed.
    explicit FlatTree(const Tree& tree);

    // A row begins at `row` and has as many values as the domain has inputs.
    [[nodiscard]] bool contains(const double* row) const;
    // As descend(), but the terms of a split are added in another order. A split's guard is wider than the rounding of
    // any order, so that rows which both answer get the same leaf.
    [[nodiscard]] Arrival descend(const double* row) const;

private:
    struct FlatNode {
        double constant = 0;
        double guard = 0;
        std::size_t weight = 0;  // the first of its weights
        std::size_t input = 0;   // a run of inputs begins here, or the first of its input numbers
        std::uint32_t terms = 0;
        bool run = false;  // its weights belong to neighbouring inputs, some of them perhaps 0
        bool split = false;
        bool certified = false;  // a leaf
        std::int32_t yes = 0;
        std::int32_t no = 0;
    };

    void add_split(const Split& split, FlatNode& node);
    [[nodiscard]] double value(const FlatNode& node, const double* row) const;

    std::vector<FlatNode> nodes_;
    std::vector<double> weights_;
    std::vector<std::uint32_t> inputs_;

    std::vector<double> lower_;
    std::vector<double> upper_;
    std::vector<std::uint32_t> whole_;          // inputs that must be whole numbers
    std::vector<std::uint32_t> group_members_;  // one group after the other
    std::vector<std::uint32_t> group_ends_;
};

}  // namespace polyrx
