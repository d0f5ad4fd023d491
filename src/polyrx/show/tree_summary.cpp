// SPDX-License-Identifier: Apache-2.0
#include "polyrx/show/tree_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "polyrx/core/error.hpp"
#include "polyrx/core/text/text_table.hpp"
#include "polyrx/rules/language/rules_text.hpp"
#include "polyrx/show/draw/label_text.hpp"
#include "polyrx/show/split_words.hpp"

namespace polyrx {
namespace {

std::string counted(std::size_t count, const char* one, const char* many) {
    return fmt::format("{} {}", grouped(count), count == 1 ? one : many);
}

// A share that is not whole is never rounded to 0 or to 100 %.
std::string percent(double share) {
    if (share > 0 && share < 0.0005) return "< 0.1 %";
    if (share < 1 && share >= 0.9995) return "> 99.9 %";
    return fmt::format("{:.{}f} %", 100 * share, share == 0 || share == 1 ? 0 : 1);
}

double widest_guard(const Tree& tree) {
    double widest = 0;
    for (const Node& node : tree.nodes)
        if (const auto* split = std::get_if<Split>(&node.what)) widest = std::max(widest, split->guard);
    return widest;
}

// To a tree that is the whole model.
std::string_view added_splits(const Tree& tree) {
    bool by_rules = false;
    bool by_support = false;
    for (const Node& node : tree.nodes)
        if (const auto* split = std::get_if<Split>(&node.what)) {
            by_rules = by_rules || split->origin.kind == SplitOrigin::Kind::rule;
            by_support = by_support || split->origin.kind == SplitOrigin::Kind::support;
        }
    return by_rules && by_support ? ", with the splits of its rules and of support"
           : by_rules             ? ", with the splits of its rules"
           : by_support           ? ", with the splits of support"
                                  : "";
}

std::string what_is_proved(const Policy& policy, const Tree& tree) {
    const bool has_rules = !policy.rules.empty();
    const bool has_support = policy.rules.support.has_value();
    const std::string_view who = has_rules && has_support ? ", its rules and support do"
                                 : has_rules              ? " and its rules do"
                                 : has_support            ? " and its support do"
                                                          : " does";
    if (tree.mode == TreeMode::whole) return fmt::format("The model is this tree{}.", added_splits(tree));
    const std::string mode = tree.mode == TreeMode::exact ? "Exact" : "Supported";
    if (!some_empirical(tree))
        return fmt::format("{}: every leaf is certified, so on its domain the tree prescribes as the network{}.", mode,
                           who);
    const std::size_t leaves = leaf_count(tree);
    if (leaves == 1)
        return fmt::format("{}: its only leaf is not certified. The network is asked for every row.", mode);
    const std::size_t certified = certified_leaves(tree);
    const std::string share = tree.rows > 0
                                  ? fmt::format("; {} {} of the rows", certified == 1 ? "it answers" : "they answer",
                                                percent(tree.certified_share))
                                  : "";
    return fmt::format("{}: {} of {} leaves {} certified{}. Elsewhere the network is asked.", mode, grouped(certified),
                       grouped(leaves), certified == 1 ? "is" : "are", share);
}

struct LeavesBelow {
    bool some = false;  // prescribe the treatment
    bool all = true;
};

LeavesBelow leaves_below(const Tree& tree, int root, int treatment) {
    LeavesBelow below;
    std::vector<int> stack{root};
    while (!stack.empty()) {
        const Node& node = tree.nodes[static_cast<std::size_t>(stack.back())];
        stack.pop_back();
        if (const auto* split = std::get_if<Split>(&node.what)) {
            stack.push_back(split->yes);
            stack.push_back(split->no);
            continue;
        }
        const bool same = std::get<Leaf>(node.what).treatment == treatment;
        below.some = below.some || same;
        below.all = below.all && same;
    }
    return below;
}

std::string times_as_often(const Support& support) {
    return support.epsilon == most_likely_epsilon ? "more often"
                                                  : fmt::format("more than {:.3g} times as often", 1 / support.epsilon);
}

// What follows from a split of support, by the leaves on its sides: it is tested only where the treatment would
// otherwise be prescribed.
std::string support_mark(const Policy& policy, const Tree& tree, const Split& split) {
    const std::string label = label_of(policy, split.origin.first);
    const LeavesBelow yes = leaves_below(tree, split.yes, split.origin.first);
    const LeavesBelow no = leaves_below(tree, split.no, split.origin.first);
    if (yes.some == no.some)  // another split decides on one side, or on both
        return yes.all   ? fmt::format("(if so, {} is supported)", label)
               : no.all  ? fmt::format("(if not, {} is supported)", label)
               : no.some ? fmt::format("(decides with others whether {} is supported)", label)
                         : fmt::format("({} is not supported)", label);
    const std::string_view side = yes.some ? "if not" : "if so";
    const auto& support = policy.rules.support;
    if (!support || support->design || !std::holds_alternative<LinearLogOdds>(support->model))
        return fmt::format("({}, {} is not supported)", side, label);
    return fmt::format("({}, not {}: rows like this received {} {})", side, label,
                       label_of(policy, split.origin.second), times_as_often(*support));
}

class LeafWords {
public:
    LeafWords(const Policy& policy, const PropensityTree& tree) : policy_(policy), tree_(tree) {}

    // Of each leaf in which a treatment is not supported: "Where age <= 30: 0 of 212 rows received High."
    [[nodiscard]] std::vector<std::string> sentences() {
        visit(0, "");
        return std::move(sentences_);
    }

private:
    void visit(int at, const std::string& path) {
        const PropensityTree::Node& node = tree_.nodes[static_cast<std::size_t>(at)];
        if (node.feature < 0) {
            tell(node, path);
            return;
        }
        const std::string before = path.empty() ? "" : path + " and ";
        visit(node.left, before + condition(node, true));
        visit(node.left + 1, before + condition(node, false));
    }

    [[nodiscard]] std::string condition(const PropensityTree::Node& node, bool left) const {
        const Feature& feature = policy_.encoder.features()[static_cast<std::size_t>(node.feature)];
        const std::string name = one_line(feature.name);
        const std::string missing = feature.indicator && node.missing_left == left ? " or missing" : "";
        if (feature.type != ColumnType::categorical)
            return fmt::format("{} {} {}{}", name, left ? "<=" : ">", shown_number(node.threshold, 4), missing);
        std::vector<std::string> categories;
        for (const int category : node.categories)
            categories.push_back(one_line(feature.categories[static_cast<std::size_t>(category)]));
        return fmt::format("{} is {}{}{}", name, left ? "" : "not ", fmt::join(categories, left ? " or " : " nor "),
                           missing);
    }

    void tell(const PropensityTree::Node& leaf, const std::string& path) {
        const Support& support = *policy_.rules.support;
        const double most = *std::ranges::max_element(leaf.rows);
        double all = 0;
        for (const double rows : leaf.rows) all += rows;
        std::string received;
        for (std::size_t k = 0; k < leaf.rows.size(); ++k) {
            const bool is_never = std::ranges::find(support.never, static_cast<int>(k)) != support.never.end();
            if (is_never || !(leaf.rows[k] < support.epsilon * most)) continue;
            const std::string label = label_of(policy_, static_cast<int>(k));
            received += received.empty() ? "" : ", ";
            received += support.design ? label : fmt::format("{} of {:.0f} rows received {}", leaf.rows[k], all, label);
        }
        if (received.empty()) return;
        sentences_.push_back(fmt::format("{}: {}{}.", path.empty() ? "Everywhere" : "Where " + path,
                                         support.design ? "by design, not every row could receive " : "", received));
    }

    const Policy& policy_;
    const PropensityTree& tree_;
    std::vector<std::string> sentences_;
};

// What support means, and where a tree of counts or a design takes it from.
std::vector<std::string> support_sentences(const Policy& policy) {
    const Support& support = *policy.rules.support;
    std::vector<std::string> sentences;
    if (support.design)
        sentences.push_back(
            fmt::format("Support: a treatment is not prescribed where the design gave it a probability below {}.",
                        least_design_probability));
    else
        sentences.push_back(fmt::format(
            "Support: a treatment is not prescribed where rows like it received another allowed treatment {}.",
            times_as_often(support)));
    for (const int k : support.never)
        sentences.push_back(fmt::format(
            "{} is prescribed only where rules leave nothing else: {}.", label_of(policy, k),
            support.design ? "few training rows received it, or the design never gave it"
                           : fmt::format("fewer than {} training rows received it", least_rows_of_treatment)));
    if (const auto* tree = std::get_if<PropensityTree>(&support.model); tree && support.epsilon != most_likely_epsilon)
        for (std::string& sentence : LeafWords(policy, *tree).sentences()) sentences.push_back(std::move(sentence));
    return sentences;
}

}  // namespace

std::string title_of(const Policy& policy) {
    const std::string treatment = one_line(policy.treatment_name);
    const std::string outcome = one_line(policy.outcome_name);
    return fmt::format("Which {} for the {} {}", treatment.empty() ? "treatment" : treatment,
                       policy.objective == Objective::min ? "lowest" : "highest",
                       outcome.empty() ? "outcome" : outcome);
}

std::string warning_of(const Policy& policy) {
    if (!policy.recommendation || policy.recommendation->recommended) return "";
    return one_line(policy.recommendation->sentence);
}

std::vector<std::string> summary_of(const Policy& policy, const Tree& tree, const LeftOut& left_out) {
    std::vector<std::string> sentences;
    std::string size = fmt::format("{}, depth {}", counted(leaf_count(tree), "leaf", "leaves"), depth(tree));
    if (tree.rows > 0) size += fmt::format("; shown {}", counted(tree.rows, "row", "rows"));
    if (tree.rows > 0 && tree.outside > 0)
        size += fmt::format(", of which {} outside of its domain and {} not counted",
                            counted(tree.outside, "lies", "lie"), tree.outside == 1 ? "is" : "are");
    sentences.push_back(size + ".");
    if (std::string words = left_out_words(left_out); !words.empty()) sentences.push_back(std::move(words));
    sentences.push_back(what_is_proved(policy, tree));
    if (tree.fidelity)
        sentences.push_back(fmt::format("Held out: without the network, the leaves agree with it on {} of {}.",
                                        percent(*tree.fidelity), counted(tree.held_out, "row", "rows")));
    if (const double guard = widest_guard(tree); guard > 0 && tree.mode != TreeMode::whole)
        sentences.push_back(fmt::format(
            "Guards: where the value of a split is within {:.1g} of 0, rounding could decide; the network is asked.",
            guard));
    if (policy.rules.support)
        for (std::string& sentence : support_sentences(policy)) sentences.push_back(std::move(sentence));
    for (std::size_t i = 0; i < policy.rules.rules.rules.size(); ++i)
        sentences.push_back(fmt::format("Rule {}: {}", i + 1, one_line(to_text(policy.rules.rules.rules[i]))));
    return sentences;
}

std::string reasons_in(const Policy& policy, const Leaf& leaf) {
    std::string reasons;
    for (const int rule : leaf.rules) reasons += fmt::format("{}{}", reasons.empty() ? "" : ", ", rule + 1);
    if (!leaf.rules.empty()) reasons = fmt::format("{} {}", leaf.rules.size() == 1 ? "rule" : "rules", reasons);
    std::string unsupported;
    for (const int treatment : leaf.unsupported)
        unsupported += fmt::format("{}{}", unsupported.empty() ? "" : ", ", label_of(policy, treatment));
    if (unsupported.empty()) return reasons;
    return fmt::format("{}{}{} not supported", reasons, reasons.empty() ? "" : "; ", unsupported);
}

std::vector<std::string> split_pieces(const Policy& policy, const Tree& tree, const Split& split,
                                      const WordOptions& options) {
    std::vector<std::string> pieces = word_pieces(split.function, policy.encoder, tree.domain, options);
    if (split.origin.kind == SplitOrigin::Kind::support)
        for (std::string& word : words_in(support_mark(policy, tree, split))) pieces.push_back(std::move(word));
    return pieces;
}

std::string share_of_rows(const Tree& tree, std::size_t rows) {
    const std::size_t all = tree.rows > 0 ? tree.nodes.front().rows : 0;
    if (all == 0) return "";
    return rows == 0 ? "no rows" : percent(static_cast<double>(rows) / static_cast<double>(all));
}

std::size_t certified_leaves(const Tree& tree) {
    return static_cast<std::size_t>(std::count_if(tree.nodes.begin(), tree.nodes.end(), [](const Node& node) {
        const auto* leaf = std::get_if<Leaf>(&node.what);
        return leaf && leaf->certificate;
    }));
}

bool some_empirical(const Tree& tree) {
    return tree.mode != TreeMode::whole && certified_leaves(tree) < leaf_count(tree);
}

std::string label_of(const Policy& policy, int treatment) {
    if (treatment == no_treatment) return none_label;
    const auto index = static_cast<std::size_t>(treatment);
    const std::string label = index < policy.treatments.size() ? one_line(policy.treatments[index]) : "";
    return label.empty() ? fmt::format("treatment {}", treatment) : label;
}

void check_shows(const Policy& policy, const Tree& tree) {
    check_well_formed(tree, static_cast<int>(policy.treatments.size()));
    if (tree.domain.inputs() != static_cast<Eigen::Index>(policy.encoder.columns().size()))
        throw data_error(fmt::format("the tree has {} inputs, but the policy has {}: they do not belong together",
                                     tree.domain.inputs(), policy.encoder.columns().size()));
}

}  // namespace polyrx
