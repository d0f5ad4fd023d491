// SPDX-License-Identifier: Apache-2.0
// A policy whose tree answers rows where it is certified, and whose network answers all other rows.
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
    Tree tree;  // on the policy's encoded inputs
};

// What answered a row. All values except `tree` give the reason why the network answered.
enum class AnsweredBy : unsigned char {
    tree,       // a certified leaf
    guard,      // too close to a split's hyperplane to decide its side
    empirical,  // a leaf without a certificate
    outside,    // outside the domain
};

[[nodiscard]] std::string_view name_of(AnsweredBy answered_by);

struct TreePrescriptions {
    static constexpr int nowhere = -1;

    Prescriptions prescriptions;
    std::vector<AnsweredBy> answered_by;  // for each row
    std::vector<int> node;                // where the row ended: a leaf, the split of a guard band, or nowhere
    std::array<std::size_t, 4> counts{};  // rows per AnsweredBy

    [[nodiscard]] std::size_t count(AnsweredBy who) const { return counts[static_cast<std::size_t>(who)]; }
};

// If the tree's certificates hold, the treatments equal those of prescribe(tree.policy, ...) for every row. Only rows
// that the tree does not answer go through the network, unless outcomes or reasons are requested.
[[nodiscard]] TreePrescriptions prescribe(const TreePolicy& tree, const Table& table,
                                          const PrescribeOptions& options = {}, const Progress& progress = {});

}  // namespace polyrx
