// SPDX-License-Identifier: Apache-2.0
// A tree ready to prescribe for any number of tables, as a Scorer is (scorer.hpp). It answers where it is proved to,
// and the network everywhere else.
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
    // The tree must outlive the scorer, and stay as it is.
    explicit TreeScorer(const TreePolicy& tree);
    explicit TreeScorer(TreePolicy&& tree) = delete;
    TreeScorer(TreeScorer&&) noexcept;
    TreeScorer& operator=(TreeScorer&&) noexcept;
    ~TreeScorer();

    // May be called from several threads at once.
    [[nodiscard]] TreePrescriptions prescribe(const Table& table, const PrescribeOptions& options = {},
                                              const Progress& progress = {}) const;

private:
    // What is said of a row that ends at a node.
    struct Answer {
        AnsweredBy who = AnsweredBy::outside;
        int treatment = 0;  // of a leaf
    };
    static Answer answer_at(const Node& node);

    [[nodiscard]] std::vector<Eigen::Index> ask_tree(std::size_t first, const Matrix& rows,
                                                     TreePrescriptions& into) const;
    void ask_network(std::size_t first, const Matrix& rows, std::span<const Eigen::Index> unanswered,
                     const PrescribeOptions& options, TreePrescriptions& into) const;

    const Policy* policy_;
    InputReader reader_;
    std::unique_ptr<const FlatTree> flat_;
    std::vector<Answer> answers_;  // by node, that of number -1 first
    SafeInputs safe_;
    bool domain_is_safe_;  // rows that are answered lie in the domain; where its bounds are safe, so are they
};

}  // namespace polyrx
