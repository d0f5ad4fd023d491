// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "polyrx/core/error.hpp"
#include "polyrx/tree/tree.hpp"

namespace polyrx {
namespace {

[[noreturn]] void fail(std::size_t node, std::string_view what) {
    throw data_error(fmt::format("node {}: {}", node, what));
}

bool is_finite(const AffineFunction& function) {
    return function.weights.allFinite() && std::isfinite(function.constant);
}

void check_multipliers(const std::vector<Multiplier>& multipliers, int constraints, std::size_t node) {
    for (const Multiplier& multiplier : multipliers) {
        if (multiplier.constraint < 0 || multiplier.constraint >= constraints)
            fail(node, "a multiplier refers to a constraint that is not on the path to the leaf");
        if (!(multiplier.value >= 0) || !std::isfinite(multiplier.value))
            fail(node, "a multiplier is negative or not finite");
    }
}

void check_certificate(const Certificate& certificate, int above, Eigen::Index inputs, std::size_t node) {
    const std::size_t steps = certificate.steps.size();
    if (steps == 0) fail(node, "the certificate has no steps");
    std::vector<int> constraints(steps, -1);
    constraints[0] = above;
    for (std::size_t i = 0; i < steps; ++i) {
        const ProofStep& step = certificate.steps[i];
        if (constraints[i] < 0) fail(node, "a step of the certificate is not a case of an earlier step");
        for (const BoundProof& bound : step.bounds) check_multipliers(bound.multipliers, constraints[i], node);
        for (const ComparisonProof& comparison : step.comparisons)
            check_multipliers(comparison.multipliers, constraints[i], node);
        if (!step.cases) continue;
        if (step.cases->function.weights.size() != inputs || !is_finite(step.cases->function))
            fail(node, "a case of the certificate does not have one finite weight for each input");
        for (const int next : {step.cases->yes, step.cases->no}) {
            if (next <= static_cast<int>(i) || next >= static_cast<int>(steps) ||
                constraints[static_cast<std::size_t>(next)] >= 0)
                fail(node, "the steps of the certificate do not form a tree");
            constraints[static_cast<std::size_t>(next)] = constraints[i] + 1;
        }
    }
}

}  // namespace

void check_well_formed(const Tree& tree, int treatments) {
    if (tree.nodes.empty()) throw data_error("the tree has no nodes");
    std::vector<int> above(tree.nodes.size(), -1);
    above[0] = 0;
    for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
        if (above[i] < 0) fail(i, "no node has it as a child");
        if (const auto* split = std::get_if<Split>(&tree.nodes[i].what)) {
            if (split->function.weights.size() != tree.domain.inputs() || !is_finite(split->function))
                fail(i, "the split does not have one finite weight for each input");
            if (!(split->guard > 0) || !std::isfinite(split->guard)) fail(i, "the guard is not finite and above 0");
            for (const int child : {split->yes, split->no}) {
                if (child <= static_cast<int>(i) || child >= static_cast<int>(tree.nodes.size()) ||
                    above[static_cast<std::size_t>(child)] >= 0)
                    fail(i, "the nodes do not form a tree");
                above[static_cast<std::size_t>(child)] = above[i] + 1;
            }
        } else {
            const Leaf& leaf = std::get<Leaf>(tree.nodes[i].what);
            if (leaf.treatment < no_treatment || leaf.treatment >= treatments) fail(i, "there is no such treatment");
            if (leaf.inside.size() != 0 && leaf.inside.size() != tree.domain.inputs())
                fail(i, "the inner point does not have one value for each input");
            for (std::size_t rule = 0; rule < leaf.rules.size(); ++rule)
                if (leaf.rules[rule] < 0 || (rule > 0 && leaf.rules[rule] <= leaf.rules[rule - 1]))
                    fail(i, "the rules of the leaf are not in ascending order");
            for (std::size_t j = 0; j < leaf.unsupported.size(); ++j)
                if (leaf.unsupported[j] < 0 || leaf.unsupported[j] >= treatments ||
                    (j > 0 && leaf.unsupported[j] <= leaf.unsupported[j - 1]))
                    fail(i, "the unsupported treatments of the leaf are not in ascending order");
            if (leaf.certificate) check_certificate(*leaf.certificate, above[i], tree.domain.inputs(), i);
        }
    }
}

}  // namespace polyrx
