// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/tree_policy.hpp"

#include "polyrx/policy/encoded_blocks.hpp"
#include "polyrx/tree/flat_tree.hpp"

namespace polyrx {

static_assert(TreePrescriptions::nowhere == FlatTree::nowhere);

namespace {

// What every block needs of the tree, looked up once.
struct Answers {
    explicit Answers(const Tree& tree) : flat(tree), treatment(tree.nodes.size()), is_leaf(tree.nodes.size()) {
        for (std::size_t i = 0; i < tree.nodes.size(); ++i)
            if (const auto* leaf = std::get_if<Leaf>(&tree.nodes[i].what)) {
                treatment[i] = leaf->treatment;
                is_leaf[i] = 1;
            }
    }

    FlatTree flat;
    std::vector<int> treatment;  // of leaves
    std::vector<char> is_leaf;
};

// Answers what the tree can of a block that begins at row `first`, and returns the block's other rows.
std::vector<Eigen::Index> ask_tree(const Answers& answers, std::size_t first, const Matrix& rows,
                                   TreePrescriptions& into) {
    const std::vector<Arrival> arrivals = answers.flat.arrive(rows);
    std::vector<Eigen::Index> unanswered;
    for (std::size_t i = 0; i < arrivals.size(); ++i) {
        const int node = arrivals[i].node;
        into.node[first + i] = node;
        if (arrivals[i].answered) {
            into.answered_by[first + i] = AnsweredBy::tree;
            into.prescriptions.treatment[first + i] = answers.treatment[static_cast<std::size_t>(node)];
            continue;
        }
        into.answered_by[first + i] = node == FlatTree::nowhere                         ? AnsweredBy::outside
                                      : answers.is_leaf[static_cast<std::size_t>(node)] ? AnsweredBy::empirical
                                                                                        : AnsweredBy::guard;
        unanswered.push_back(static_cast<Eigen::Index>(i));
    }
    return unanswered;
}

}  // namespace

std::string_view name_of(AnsweredBy answered_by) {
    switch (answered_by) {
        case AnsweredBy::tree:
            return "tree";
        case AnsweredBy::guard:
            return "guard";
        case AnsweredBy::empirical:
            return "empirical";
        default:
            return "outside";
    }
}

TreePrescriptions prescribe(const TreePolicy& tree, const Table& table, const PrescribeOptions& options,
                            const Progress& progress) {
    const Policy& policy = tree.policy;
    const Answers answers(tree.tree);
    TreePrescriptions result;
    std::vector<int>& treatment = result.prescriptions.treatment;
    treatment.resize(table.rows());
    result.answered_by.resize(table.rows());
    result.node.resize(table.rows());
    if (options.outcomes)
        result.prescriptions.outcomes.resize(static_cast<Eigen::Index>(table.rows()), policy.network.outputs());

    // Rows that are answered lie in the domain; where its bounds are safe, so are they.
    const double largest = largest_safe_input(policy.network);
    const Domain& domain = tree.tree.domain;
    const bool domain_is_safe =
        (domain.lower.array().abs() <= largest).all() && (domain.upper.array().abs() <= largest).all();

    for_encoded_blocks(policy, table, options, progress, [&](std::size_t first, const Matrix& rows) {
        const std::vector<Eigen::Index> unanswered = ask_tree(answers, first, rows, result);
        if (domain_is_safe)
            check_safe(rows, largest, table, first, unanswered);
        else
            check_safe(rows, largest, table, first);
        if (options.outcomes) {
            const Matrix outputs = forward(policy.network, rows);
            store_outcomes(policy, outputs, first, result.prescriptions.outcomes);
            const std::vector<int> chosen = argmin_rows(outputs);
            for (const Eigen::Index i : unanswered)
                treatment[first + static_cast<std::size_t>(i)] = chosen[static_cast<std::size_t>(i)];
        } else if (!unanswered.empty()) {
            const std::vector<int> chosen = argmin_rows(forward(policy.network, rows(unanswered, Eigen::all)));
            for (std::size_t i = 0; i < unanswered.size(); ++i)
                treatment[first + static_cast<std::size_t>(unanswered[i])] = chosen[i];
        }
    });
    for (const AnsweredBy who : result.answered_by) ++result.counts[static_cast<std::size_t>(who)];
    return result;
}

}  // namespace polyrx
