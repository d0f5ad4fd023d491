// SPDX-License-Identifier: Apache-2.0
// A policy that a tree answers for where it is proved to, and the network everywhere else.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "polyrx/policy/policy.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {

struct TreePolicy {
    Policy policy;
    Tree tree;  // of the policy's encoded inputs
};

// Who answered for a row. All but `tree` mean that the network was asked, and why.
enum class AnsweredBy : unsigned char {
    tree,       // a certified leaf
    guard,      // too close to a split's hyperplane to be sure of its side
    empirical,  // a leaf without a certificate
    outside,    // of the domain
};

[[nodiscard]] std::string_view name_of(AnsweredBy answered_by);

struct TreePrescriptions {
    static constexpr int nowhere = -1;

    Prescriptions prescriptions;
    std::vector<AnsweredBy> answered_by;  // for each row
    std::vector<int> node;                // where it ended: the leaf, the split of a guard band, or nowhere
    std::array<std::size_t, 4> counts{};  // of each AnsweredBy

    [[nodiscard]] std::size_t count(AnsweredBy who) const { return counts[static_cast<std::size_t>(who)]; }
};

// The treatments are those of prescribe(tree.policy, ...), whatever the row, if the tree's certificates hold. Only rows
// that the tree does not answer go through the network; all do if outcomes or reasons are asked for.
[[nodiscard]] TreePrescriptions prescribe(const TreePolicy& tree, const Table& table,
                                          const PrescribeOptions& options = {}, const Progress& progress = {});

}  // namespace polyrx
