// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact/exact_tree.hpp"

#include <optional>

#include "polyrx/extract/cells/certify.hpp"
#include "polyrx/extract/cells/exact_guard.hpp"
#include "polyrx/extract/exact/needless_splits.hpp"
#include "polyrx/extract/exact/plan_exact.hpp"
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

Tree certified_tree(const Plan& plan, const Ground& ground, const BoundRules& rules, const CertifyOptions& options) {
    Tree tree;
    tree.mode = TreeMode::exact;
    tree.domain = ground.domain;
    add_nodes(plan, ground, tree);
    certify(tree, ground.network, rules, Matrix(0, ground.domain.inputs()), options, ground.budget);
    std::size_t certified = 0;
    for (const Node& node : tree.nodes)
        if (const auto* leaf = std::get_if<Leaf>(&node.what)) certified += leaf->certificate ? 1 : 0;
    tree.certified_share = static_cast<double>(certified) / static_cast<double>(leaf_count(tree));
    return tree;
}

// The proved tree without the plan's needless splits; nothing if there are none, or if finding or proving it takes too
// much. A leaf that had a split is harder to prove: it needs cases, whose rounding errors grow with large weights. The
// tree is therefore used only if the checker accepts it.
std::optional<Tree> smaller_tree(const Plan& plan, const Ground& ground, const BoundRules& rules, int threads,
                                 const Progress& progress) {
    constexpr std::size_t cases_of_a_leaf = 256;
    Budget own(ground.budget.limits_aside(), progress);
    const Ground aside(ground.network, ground.domain, own);
    try {
        const PlanPtr smaller = without_needless_splits(plan, aside);
        if (smaller->leaves >= plan.leaves) return std::nullopt;
        Tree tree = certified_tree(*smaller, aside, rules,
                                   {.most_cases = cases_of_a_leaf, .all_or_nothing = true, .threads = threads});
        if (tree.certified_share < 1) return std::nullopt;
        if (!check_tree(ground.network, rules, tree, {.threads = threads}, progress).proved) return std::nullopt;
        return tree;
    } catch (const BudgetSpent&) {
        return std::nullopt;
    }
}

}  // namespace

Tree exact_tree(const ReluNetwork& network, const BoundRules& rules, const Domain& domain,
                const ExactTreeOptions& options, const Progress& progress) {
    Budget budget(options.limits, progress);
    const Ground ground(network, domain, budget);
    const PlanPtr plan = plan_exact(ground, RuleGround(rules, domain, network.outputs()));
    if (std::optional<Tree> smaller = smaller_tree(*plan, ground, rules, options.threads, progress))
        return std::move(*smaller);
    return certified_tree(*plan, ground, rules, {.threads = options.threads});
}

}  // namespace polyrx
