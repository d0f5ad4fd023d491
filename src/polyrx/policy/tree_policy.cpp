// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/tree_policy.hpp"

#include <algorithm>
#include <span>

#include "polyrx/policy/encoded_blocks.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/tree/flat_tree.hpp"

namespace polyrx {

static_assert(TreePrescriptions::nowhere == FlatTree::nowhere);

namespace {

// What is said of a row that ends at a node.
struct Answer {
    AnsweredBy who = AnsweredBy::outside;
    int treatment = 0;  // of a leaf
};

Answer answer_at(const Node& node) {
    const auto* leaf = std::get_if<Leaf>(&node.what);
    if (!leaf) return {AnsweredBy::guard, 0};
    return {leaf->certificate ? AnsweredBy::tree : AnsweredBy::empirical, leaf->treatment};
}

// What every block needs of the tree, looked up once.
struct Answers {
    explicit Answers(const Tree& tree) : flat(tree) {
        static_assert(FlatTree::nowhere == -1);
        at.emplace_back();
        for (const Node& node : tree.nodes) at.push_back(answer_at(node));
    }

    FlatTree flat;
    std::vector<Answer> at;  // by node, that of number -1 first
};

// Answers what the tree can of a block that begins at row `first`, and returns the block's other rows.
std::vector<Eigen::Index> ask_tree(const Answers& answers, std::size_t first, const Matrix& rows,
                                   TreePrescriptions& into) {
    const auto count = static_cast<std::size_t>(rows.rows());
    const std::span<int> ends = std::span(into.node).subspan(first, count);
    answers.flat.arrive(rows, ends);
    std::size_t answered = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Answer& answer = answers.at[static_cast<std::size_t>(ends[i]) + 1];
        into.answered_by[first + i] = answer.who;
        into.prescriptions.treatment[first + i] = answer.treatment;
        answered += answer.who == AnsweredBy::tree ? 1 : 0;
    }
    std::vector<Eigen::Index> unanswered;
    if (answered == count) return unanswered;
    unanswered.reserve(count - answered);
    for (std::size_t i = 0; i < count; ++i)
        if (into.answered_by[first + i] != AnsweredBy::tree) unanswered.push_back(static_cast<Eigen::Index>(i));
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

    if (options.reasons) result.prescriptions.reasons.resize(table.rows());

    // Rows that are answered lie in the domain; where its bounds are safe, so are they.
    const SafeInputs safe = safe_inputs(policy.network);
    const Domain& domain = tree.tree.domain;
    const bool domain_is_safe =
        (domain.lower.array().abs() <= safe.largest).all() && (domain.upper.array().abs() <= safe.largest).all();

    for_encoded_blocks(policy.encoder, table, options, progress, [&](std::size_t first, const Matrix& rows) {
        const std::vector<Eigen::Index> unanswered = ask_tree(answers, first, rows, result);
        if (domain_is_safe)
            check_safe(rows, safe, table, first, unanswered);
        else
            check_safe(rows, safe, table, first);
        if (options.outcomes || options.reasons) {
            const Matrix outputs = forward(policy.network, rows);
            if (options.outcomes) store_outcomes(policy, outputs, first, result.prescriptions.outcomes);
            const std::vector<int> chosen = choose(policy.rules, rows, outputs);
            if (options.reasons)
                std::ranges::copy(reasons_of(policy.rules.bound, rows, outputs, chosen),
                                  result.prescriptions.reasons.begin() + static_cast<std::ptrdiff_t>(first));
            for (const Eigen::Index i : unanswered)
                treatment[first + static_cast<std::size_t>(i)] = chosen[static_cast<std::size_t>(i)];
        } else if (!unanswered.empty()) {
            const Matrix asked = rows(unanswered, Eigen::all);
            const std::vector<int> chosen = choose(policy.rules, asked, forward(policy.network, asked));
            for (std::size_t i = 0; i < unanswered.size(); ++i)
                treatment[first + static_cast<std::size_t>(unanswered[i])] = chosen[i];
        }
    });
    // One kind after the other, which compares many rows at once; adding to one of four counters would wait for it.
    for (std::size_t who = 0; who < result.counts.size(); ++who)
        result.counts[who] = static_cast<std::size_t>(
            std::count(result.answered_by.begin(), result.answered_by.end(), static_cast<AnsweredBy>(who)));
    return result;
}

}  // namespace polyrx
