// SPDX-License-Identifier: Apache-2.0
#include "polyrx/verify/check_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <variant>

#include "polyrx/core/error.hpp"
#include "polyrx/core/parallel_for.hpp"
#include "polyrx/verify/refute.hpp"
#include "polyrx/verify/replay.hpp"
#include "polyrx/verify/rounding.hpp"

namespace polyrx {
namespace {

using namespace checking;

// The split above a node. The node's rows have sign * function(x) > 0.
struct Parent {
    int node = -1;  // -1 for the root
    double sign = 1;
};

std::vector<Parent> parents_of(const Tree& tree) {
    std::vector<Parent> parents(tree.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        if (const auto* split = std::get_if<Split>(&tree.nodes[i].what)) {
            parents[static_cast<std::size_t>(split->yes)] = {static_cast<int>(i), 1};
            parents[static_cast<std::size_t>(split->no)] = {static_cast<int>(i), -1};
        }
    return parents;
}

// guard - e, rounded down, for each split. A row goes to a side if sign * computed > guard, and then
// sign * real >= sign * computed - e > guard - e. If this is not above 0, the guard does not exceed rounding.
std::vector<double> margins_of(const Tree& tree, const Box& domain) {
    std::vector<double> margins(tree.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        if (const auto* split = std::get_if<Split>(&tree.nodes[i].what))
            margins[i] = add_down(split->guard, -split_error(split->function, domain));
    return margins;
}

// What all leaves share.
struct Setting {
    Prescriber by;
    const Tree& tree;
    RuleClaims rules;
    LinearBounds bounds;
    Known domain;
    std::vector<Parent> parents;
    std::vector<double> margins;
};

std::string name_of(int treatment) {
    return treatment == no_treatment ? "none" : fmt::format("treatment {}", treatment);
}

std::string reason_of(const Replay& replayed, int node, int treatment) {
    switch (replayed.failure) {
        case Failure::listed:
            return fmt::format(
                "the certificate of leaf {} does not prove a rule or lack of support that the leaf names", node);
        case Failure::rules:
            return treatment == no_treatment
                       ? fmt::format("the certificate of leaf {} does not prove that rules leave no treatment", node)
                       : fmt::format(
                             "the certificate of leaf {} does not prove that treatment {} is allowed and "
                             "supported",
                             node, treatment);
        default:
            return fmt::format(
                "the certificate of leaf {} bounds the outcome of treatment {} minus that of {} by {:.3g}, which "
                "does not prove that the network prescribes treatment {}",
                node, treatment, replayed.rival, replayed.gap, treatment);
    }
}

std::string refutation(int node, int treatment, int rival, bool by_rules) {
    if (!by_rules)
        return fmt::format("for a row of leaf {}, the tree prescribes treatment {} and the network {}", node, treatment,
                           rival);
    return fmt::format("for a row of leaf {}, the tree prescribes {}, and the network and its rules {}", node,
                       name_of(treatment), name_of(rival));
}

// Checks one leaf, as if the tree had no other.
TreeCheck check_leaf(const Setting& setting, int node) {
    const Leaf& leaf = std::get<Leaf>(setting.tree.nodes[static_cast<std::size_t>(node)].what);
    TreeCheck check{.leaves = 1, .certified = 1, .leaf = node};
    Claim claim{leaf.treatment, leaf.rules, leaf.unsupported, {}};
    int unguarded = -1;
    Parent parent = setting.parents[static_cast<std::size_t>(node)];
    for (; parent.node >= 0; parent = setting.parents[static_cast<std::size_t>(parent.node)]) {
        const auto split = static_cast<std::size_t>(parent.node);
        claim.constraints.push_back(
            {&std::get<Split>(setting.tree.nodes[split].what).function, parent.sign, setting.margins[split]});
        if (!(setting.margins[split] > 0)) unguarded = parent.node;
    }
    std::reverse(claim.constraints.begin(), claim.constraints.end());  // from the root down

    Vector corner;
    Suspect suspect = suspect_at(setting.by, setting.tree, node, leaf.inside);
    if (unguarded >= 0) {
        check.worst_gap = infinity;
        check.reason = fmt::format("the guard of node {} is not above the rounding error of its split", unguarded);
    } else {
        const Replay replayed =
            replay(setting.by.network, setting.rules, setting.bounds, setting.domain, claim, *leaf.certificate);
        check.proved = replayed.holds && !suspect.refutes;
        check.steps = replayed.steps;
        check.worst_gap = replayed.gap;
        check.rival = replayed.rival;
        if (check.proved) return check;
        corner = replayed.corner;
        check.reason = reason_of(replayed, node, leaf.treatment);
    }
    if (!suspect.refutes) suspect = find_suspect(setting.by, setting.tree, node, corner);
    check.point = suspect.point;
    if (suspect.refutes) {
        check.refuted = true;
        check.worst_gap = suspect.gap;
        check.rival = suspect.rival;
        check.reason = refutation(node, leaf.treatment, suspect.rival, setting.rules.any());
    }
    return check;
}

// Refuted is worse than not proved, which is worse than proved.
bool is_worse(const TreeCheck& a, const TreeCheck& b) {
    if (a.refuted != b.refuted) return a.refuted;
    if (a.proved != b.proved) return b.proved;
    return a.worst_gap > b.worst_gap;
}

void check_rule_names(const Tree& tree, std::size_t rules) {
    for (const Node& node : tree.nodes)
        if (const auto* leaf = std::get_if<Leaf>(&node.what))
            if (!leaf->rules.empty() && static_cast<std::size_t>(leaf->rules.back()) >= rules)  // ascending
                throw data_error("a leaf names a rule that does not exist");
}

}  // namespace

TreeCheck check_tree(const ReluNetwork& network, const BoundRules& rules, const Tree& tree, const CheckOptions& options,
                     const Progress& progress) {
    if (tree.domain.inputs() != network.inputs())
        throw data_error(
            fmt::format("the tree takes {} inputs, but the network takes {}", tree.domain.inputs(), network.inputs()));
    check_well_formed(tree, static_cast<int>(network.outputs()));
    const Box domain(tree.domain);
    if (domain.is_empty()) throw data_error("the tree's domain is empty: no row lies in it");
    LinearBounds bounds(network, tree.domain);
    Known known = bounds.of_domain();
    const Setting setting{{network, rules},
                          tree,
                          RuleClaims(rules, tree.domain, static_cast<std::size_t>(network.outputs())),
                          std::move(bounds),
                          std::move(known),
                          parents_of(tree),
                          margins_of(tree, domain)};
    check_rule_names(tree, rules.rules().size());

    std::vector<int> certified;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i)
        if (const auto* leaf = std::get_if<Leaf>(&tree.nodes[i].what); leaf && leaf->certificate)
            certified.push_back(static_cast<int>(i));
    std::vector<TreeCheck> checks(certified.size());
    std::atomic<std::size_t> done{0};
    parallel_for(certified.size(), options.threads, [&](std::size_t i) {
        report(progress, static_cast<double>(done) / static_cast<double>(certified.size()), "checking the tree");
        checks[i] = check_leaf(setting, certified[i]);
        ++done;
    });

    TreeCheck whole{.proved = true, .worst_gap = -infinity};
    std::size_t steps = 0;
    for (const TreeCheck& check : checks) {
        steps += check.steps;
        if (whole.leaf < 0 || is_worse(check, whole)) whole = check;
    }
    // An exact tree must prove all of its domain, so every leaf needs a certificate.
    const auto is_unproved = [](const Node& node) {
        const auto* leaf = std::get_if<Leaf>(&node.what);
        return leaf && !leaf->certificate;
    };
    if (const auto found = std::find_if(tree.nodes.begin(), tree.nodes.end(), is_unproved);
        tree.mode == TreeMode::exact && found != tree.nodes.end() && whole.proved) {
        whole = TreeCheck{.worst_gap = infinity, .leaf = static_cast<int>(found - tree.nodes.begin())};
        whole.reason = fmt::format("leaf {} of an exact tree has no certificate", whole.leaf);
    }
    if (certified.empty() && whole.proved) {
        whole.proved = false;
        whole.reason = "no leaf has a certificate, so nothing is claimed";
    }
    whole.leaves = leaf_count(tree);
    whole.certified = certified.size();
    whole.steps = steps;
    return whole;
}

}  // namespace polyrx
