// SPDX-License-Identifier: Apache-2.0
#include "polyrx/extract/cells/certify.hpp"

#include <algorithm>
#include <atomic>

#include "polyrx/core/parallel_for.hpp"
#include "polyrx/extract/cells/prove.hpp"
#include "polyrx/geometry/interior.hpp"
#include "polyrx/rules/choose.hpp"
#include "polyrx/tree/guard.hpp"

namespace polyrx {
namespace {

// The constraints of each leaf: functions that are >= 0 on its rows. See tree/certificate.hpp for the margin.
std::vector<std::vector<AffineFunction>> constraints_of(const Tree& tree) {
    std::vector<std::vector<AffineFunction>> constraints(tree.nodes.size());
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        const auto* split = std::get_if<Split>(&tree.nodes[i].what);
        if (!split) continue;
        const double margin = split->guard - rounding_bound(split->function, tree.domain);
        for (const bool yes : {true, false}) {
            AffineFunction beyond = yes ? split->function : -split->function;
            beyond.constant -= margin;
            auto& child = constraints[static_cast<std::size_t>(yes ? split->yes : split->no)];
            child = constraints[i];
            child.push_back(std::move(beyond));
        }
        constraints[i].clear();
    }
    return constraints;
}

// Per node: whether a row is prescribed another treatment than the leaf's.
std::vector<char> refuted_by(const Matrix& rows, const Tree& tree, const ReluNetwork& network,
                             const BoundRules& rules) {
    std::vector<char> refuted(tree.nodes.size());
    const std::vector<int> prescribed = choose(rules, rows, forward(network, rows));
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        const Vector row = rows.row(i);
        if (!contains(tree.domain, row)) continue;
        const auto node = static_cast<std::size_t>(descend(tree, row).node);
        const auto* leaf = std::get_if<Leaf>(&tree.nodes[node].what);
        if (leaf && leaf->treatment != prescribed[static_cast<std::size_t>(i)]) refuted[node] = 1;
    }
    return refuted;
}

// Records which rules apply to all rows of a leaf, and which better treatments are supported for none of them.
void name_rules(Leaf& leaf, Cell cell, const RuleGround& rules) {
    RuleTruths truths(rules);
    truths.learn(cell);
    truths.learn_support(cell, leaf.treatment);
    leaf.rules = truths.applying();
    leaf.unsupported = truths.unsupported();
    if (leaf.unsupported.empty() || leaf.treatment == no_treatment) return;
    const Vector point = leaf.inside.size() > 0 ? leaf.inside : cell.center();
    const Matrix outcomes = forward(cell.ground().network, point.transpose());
    std::erase_if(leaf.unsupported, [&](int k) { return !(outcomes(0, k) < outcomes(0, leaf.treatment)); });
}

}  // namespace

void certify(Tree& tree, const ReluNetwork& network, const BoundRules& rules, const Matrix& rows,
             const CertifyOptions& options, Budget& budget, const Progress& progress) {
    const Ground ground(network, tree.domain, budget);
    const RuleGround rule_ground(rules, tree.domain, network.outputs());
    const auto constraints = constraints_of(tree);
    const std::vector<char> refuted = refuted_by(rows, tree, network, rules);
    std::atomic<std::size_t> done{0};
    std::atomic<bool> failed{false};
    parallel_for(tree.nodes.size(), options.threads, [&](std::size_t i) {
        report(progress, static_cast<double>(done++) / static_cast<double>(tree.nodes.size()), "proving the leaves");
        auto* leaf = std::get_if<Leaf>(&tree.nodes[i].what);
        if (!leaf || (options.all_or_nothing && failed)) return;
        if (leaf->inside.size() == 0) {
            InteriorPoint found = interior_point(tree.domain, constraints[i]);
            if (found.depth > 0) leaf->inside = std::move(found.point);
        }
        if (refuted[i] && rules.empty()) return;
        Cell cell(ground);
        const bool any_rows = std::all_of(constraints[i].begin(), constraints[i].end(),
                                          [&](const AffineFunction& constraint) { return cell.constrain(constraint); });
        if (any_rows) name_rules(*leaf, cell, rule_ground);
        if (refuted[i]) return;
        leaf->certificate =
            any_rows ? prove_leaf(cell, rule_ground, leaf->treatment, options.most_cases) : prove_empty_leaf(cell);
        if (!leaf->certificate) failed = true;
    });
}

}  // namespace polyrx
