// SPDX-License-Identifier: Apache-2.0
// A tree prepared to prescribe for many tables, like Scorer (scorer.hpp). It answers rows where it is certified, and
// the network answers all other rows.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "polyrx/policy/encoded_blocks.hpp"
#include "polyrx/policy/tree_policy.hpp"

namespace polyrx {

class FlatTree;

class TreeScorer {
public:
    // The tree must outlive the scorer and must not change.
    explicit TreeScorer(const TreePolicy& tree);
    explicit TreeScorer(TreePolicy&& tree) = delete;
    TreeScorer(TreeScorer&&) noexcept;
    TreeScorer& operator=(TreeScorer&&) noexcept;
    ~TreeScorer();

    // Thread-safe.
    [[nodiscard]] TreePrescriptions prescribe(const Table& table, const PrescribeOptions& options = {},
                                              const Progress& progress = {}) const;

private:
    // The answer for rows that end at a node.
    struct Answer {
        AnsweredBy who = AnsweredBy::outside;
        int treatment = 0;  // for leaves
    };
    static Answer answer_at(const Node& node);

    [[nodiscard]] std::vector<Eigen::Index> ask_tree(std::size_t first, const Matrix& rows,
                                                     TreePrescriptions& into) const;
    void ask_network(std::size_t first, const Matrix& rows, std::span<const Eigen::Index> unanswered,
                     const PrescribeOptions& options, TreePrescriptions& into) const;

    const Policy* policy_;
    InputReader reader_;
    std::unique_ptr<const FlatTree> flat_;
    std::vector<Answer> answers_;  // by node, starting with node -1
    SafeInputs safe_;
    bool domain_is_safe_;  // the bounds of the domain are safe, so all rows that the tree answers are safe
};

}  // namespace polyrx
