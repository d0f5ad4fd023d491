// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact_tree.hpp"

#include "polyrx/extract/certify.hpp"
#include "polyrx/extract/exact_guard.hpp"
#include "polyrx/extract/needless_splits.hpp"
#include "polyrx/extract/plan_exact.hpp"
#include "polyrx/verify/check_tree.hpp"

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

Tree certified_tree(const Plan& plan, const Ground& ground, const BoundRules& rules, int threads) {
    Tree tree;
    tree.mode = TreeMode::exact;
    tree.domain = ground.domain;
    add_nodes(plan, ground, tree);
    certify(tree, ground.network, rules, Matrix(0, ground.domain.inputs()), {.threads = threads}, ground.budget);
    std::size_t certified = 0;
    for (const Node& node : tree.nodes)
        if (const auto* leaf = std::get_if<Leaf>(&node.what)) certified += leaf->certificate ? 1 : 0;
    tree.certified_share = static_cast<double>(certified) / static_cast<double>(leaf_count(tree));
    return tree;
}

// Nothing where there is none, or where finding it would take more than the plan itself may.
PlanPtr smaller_plan(const Plan& plan, const Ground& ground, const Progress& progress) {
    Budget own(ground.budget.limits_aside(), progress);
    try {
        PlanPtr smaller = without_needless_splits(plan, Ground(ground.network, ground.domain, own));
        return smaller->leaves < plan.leaves ? std::move(smaller) : nullptr;
    } catch (const BudgetSpent&) {
        return nullptr;
    }
}

}  // namespace

Tree exact_tree(const ReluNetwork& network, const BoundRules& rules, const Domain& domain,
                const ExactTreeOptions& options, const Progress& progress) {
    Budget budget(options.limits, progress);
    const Ground ground(network, domain, budget);
    const PlanPtr plan = plan_exact(ground, RuleGround(rules, domain, network.outputs()));
    if (const PlanPtr smaller = smaller_plan(*plan, ground, progress)) {
        // A leaf that a split went through is harder to prove: by cases, whose rounding errors large weights make
        // larger. Such a tree is taken only if the checker is content with it.
        Tree tree = certified_tree(*smaller, ground, rules, options.threads);
        if (tree.certified_share == 1 && check_tree(network, rules, tree, {.threads = options.threads}).proved)
            return tree;
    }
    return certified_tree(*plan, ground, rules, options.threads);
}

}  // namespace polyrx
