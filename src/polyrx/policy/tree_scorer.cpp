// SPDX-License-Identifier: Apache-2.0
#include "polyrx/policy/tree_scorer.hpp"

#include <algorithm>
#include <span>

#include "polyrx/rules/choose.hpp"
#include "polyrx/tree/flat_tree.hpp"

namespace polyrx {

static_assert(TreePrescriptions::nowhere == FlatTree::nowhere);
static_assert(FlatTree::nowhere == -1);

namespace {

bool lies_within(const Domain& domain, const SafeInputs& safe) {
    return (domain.lower.array().abs() <= safe.largest).all() && (domain.upper.array().abs() <= safe.largest).all();
}

}  // namespace

TreeScorer::Answer TreeScorer::answer_at(const Node& node) {
    const auto* leaf = std::get_if<Leaf>(&node.what);
    if (!leaf) return {AnsweredBy::guard, 0};
    return {leaf->certificate ? AnsweredBy::tree : AnsweredBy::empirical, leaf->treatment};
}

TreeScorer::TreeScorer(const TreePolicy& tree)
    : policy_(&tree.policy),
      reader_(tree.policy.encoder),
      flat_(std::make_unique<const FlatTree>(tree.tree)),
      safe_(safe_inputs(tree.policy.network)),
      domain_is_safe_(lies_within(tree.tree.domain, safe_)) {
    answers_.emplace_back();
    for (const Node& node : tree.tree.nodes) answers_.push_back(answer_at(node));
}

TreeScorer::TreeScorer(TreeScorer&&) noexcept = default;
TreeScorer& TreeScorer::operator=(TreeScorer&&) noexcept = default;
TreeScorer::~TreeScorer() = default;

// Answers rows of the block that begins at row `first` by the tree, and returns the unanswered rows.
std::vector<Eigen::Index> TreeScorer::ask_tree(std::size_t first, const Matrix& rows, TreePrescriptions& into) const {
    const auto count = static_cast<std::size_t>(rows.rows());
    const std::span<int> ends = std::span(into.node).subspan(first, count);
    flat_->arrive(rows, ends);
    std::size_t answered = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const Answer& answer = answers_[static_cast<std::size_t>(ends[i]) + 1];
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

// Evaluates the network on the unanswered rows, or on all rows if outcomes or reasons are requested.
void TreeScorer::ask_network(std::size_t first, const Matrix& rows, std::span<const Eigen::Index> unanswered,
                             const PrescribeOptions& options, TreePrescriptions& into) const {
    const RuleBook& rules = policy_->rules;
    std::vector<int>& treatment = into.prescriptions.treatment;
    if (options.outcomes || options.reasons) {
        const Matrix outputs = forward(policy_->network, rows);
        if (options.outcomes) store_outcomes(*policy_, outputs, first, into.prescriptions.outcomes);
        const std::vector<int> chosen = choose(rules, rows, outputs);
        if (options.reasons)
            std::ranges::copy(reasons_of(rules.bound, rows, outputs, chosen),
                              into.prescriptions.reasons.begin() + static_cast<std::ptrdiff_t>(first));
        for (const Eigen::Index i : unanswered)
            treatment[first + static_cast<std::size_t>(i)] = chosen[static_cast<std::size_t>(i)];
    } else if (!unanswered.empty()) {
        const Matrix asked = rows(unanswered, Eigen::all);
        const std::vector<int> chosen = choose(rules, asked, forward(policy_->network, asked));
        for (std::size_t i = 0; i < unanswered.size(); ++i)
            treatment[first + static_cast<std::size_t>(unanswered[i])] = chosen[i];
    }
}

TreePrescriptions TreeScorer::prescribe(const Table& table, const PrescribeOptions& options,
                                        const Progress& progress) const {
    TreePrescriptions result;
    result.prescriptions.treatment.resize(table.rows());
    result.answered_by.resize(table.rows());
    result.node.resize(table.rows());
    if (options.outcomes)
        result.prescriptions.outcomes.resize(static_cast<Eigen::Index>(table.rows()), policy_->network.outputs());
    if (options.reasons) result.prescriptions.reasons.resize(table.rows());

    for_encoded_rows(reader_, table, options, progress, [&](std::size_t first, const Matrix& rows) {
        const std::vector<Eigen::Index> unanswered = ask_tree(first, rows, result);
        if (domain_is_safe_)
            check_safe(rows, safe_, table, first, unanswered);
        else
            check_safe(rows, safe_, table, first);
        ask_network(first, rows, unanswered, options, result);
    });
    // Counts one kind at a time, because this vectorizes, unlike adding to one of four counters.
    for (std::size_t who = 0; who < result.counts.size(); ++who)
        result.counts[who] = static_cast<std::size_t>(
            std::count(result.answered_by.begin(), result.answered_by.end(), static_cast<AnsweredBy>(who)));
    return result;
}

}  // namespace polyrx
