// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact_tree.hpp"

#include "polyrx/extract/certify.hpp"
#include "polyrx/extract/exact_guard.hpp"
#include "polyrx/extract/plan_exact.hpp"

namespace polyrx {
namespace {

// Parents before children.
int add_nodes(const Plan& plan, const Ground& ground, Tree& tree) {
    const int index = static_cast<int>(tree.nodes.size());
    tree.nodes.emplace_back();
    if (plan.is_leaf()) {
        tree.nodes.back().what = Leaf{plan.treatment, std::nullopt, {}};
        return index;
    }
    Split split;
    split.function = plan.function;
    split.origin = plan.origin;
    split.guard = exact_guard(ground, plan);
    split.yes = add_nodes(*plan.yes, ground, tree);
    split.no = add_nodes(*plan.no, ground, tree);
    tree.nodes[static_cast<std::size_t>(index)].what = std::move(split);
    return index;
}

}  // namespace

Tree exact_tree(const ReluNetwork& network, const BoundRules& rules, const Domain& domain,
                const ExactTreeOptions& options, const Progress& progress) {
    Budget budget(options.limits, progress);
    const Ground ground(network, domain, budget);
    const RuleGround rule_ground(rules, domain, network.outputs());
    Tree tree;
    tree.mode = TreeMode::exact;
    tree.domain = domain;
    add_nodes(*plan_exact(ground, rule_ground), ground, tree);
    certify(tree, network, rules, Matrix(0, domain.inputs()), {.threads = options.threads}, budget);
    std::size_t certified = 0;
    for (const Node& node : tree.nodes)
        if (const auto* leaf = std::get_if<Leaf>(&node.what)) certified += leaf->certificate ? 1 : 0;
    tree.certified_share = static_cast<double>(certified) / static_cast<double>(leaf_count(tree));
    return tree;
}

}  // namespace polyrx
