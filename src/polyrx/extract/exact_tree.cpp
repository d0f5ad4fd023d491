// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/exact_tree.hpp"

#include <cmath>

#include "polyrx/extract/certify.hpp"
#include "polyrx/extract/plan_exact.hpp"
#include "polyrx/tree/guard.hpp"

namespace polyrx {
namespace {

// Beyond the guard a row must be on the split's side for the network too, which computes the neuron, or the outcomes,
// in its own way; and the proof that it is has multipliers from a linear program, with rounding errors of their own.
// The last term is for those, and for slivers that were too thin to plan for (see Cell::reaches): most lie along a
// split that there is. It takes about one row in a hundred million to the network.
double exact_guard(const Ground& ground, const Plan& plan) {
    constexpr double room = 8;
    constexpr double share_of_range = 4e-9;
    const SplitOrigin& origin = plan.origin;
    const double error = origin.kind == SplitOrigin::Kind::neuron
                             ? ground.errors[static_cast<std::size_t>(origin.first)][origin.second]
                             : ground.errors.back()[origin.first] + ground.errors.back()[origin.second];
    double range = 0;
    for (Eigen::Index i = 0; i < ground.domain.inputs(); ++i)
        if (plan.function.weights[i] != 0)
            range += std::abs(plan.function.weights[i]) * (ground.domain.upper[i] - ground.domain.lower[i]);
    return guard_for(plan.function, ground.domain) + room * error + share_of_range * range;
}

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

Tree exact_tree(const ReluNetwork& network, const Domain& domain, const ExactTreeOptions& options,
                const Progress& progress) {
    Budget budget(options.limits, progress);
    const Ground ground(network, domain, budget);
    Tree tree;
    tree.mode = TreeMode::exact;
    tree.domain = domain;
    add_nodes(*plan_exact(ground), ground, tree);
    certify(tree, network, Matrix(0, domain.inputs()), {.threads = options.threads}, budget);
    std::size_t certified = 0;
    for (const Node& node : tree.nodes)
        if (const auto* leaf = std::get_if<Leaf>(&node.what)) certified += leaf->certificate ? 1 : 0;
    tree.certified_share = static_cast<double>(certified) / static_cast<double>(leaf_count(tree));
    return tree;
}

}  // namespace polyrx
