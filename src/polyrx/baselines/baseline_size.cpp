// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/baseline_size.hpp"

namespace polyrx {
namespace {

// Each leaf and each split counts as 1.
void count(const AxisTree& tree, BaselineSize& size) {
    size.leaves = size.leaves.value_or(0) + leaf_count(tree);
    size.terms = size.terms.value_or(0) + tree.nodes.size() - leaf_count(tree);
}

}  // namespace

BaselineSize size_of(const Baseline& baseline) {
    BaselineSize size;
    if (const auto* linear = std::get_if<LinearOutcomes>(&baseline.model)) {
        size.terms = 0;
        for (const LinearModel& arm : linear->arms)
            *size.terms += static_cast<std::size_t>((arm.weights.array() != 0).count());
    } else if (const auto* forests = std::get_if<ForestOutcomes>(&baseline.model)) {
        for (const RegressionForest& arm : forests->arms)
            for (const AxisTree& tree : arm.trees) count(tree, size);
    } else if (const auto* single = std::get_if<TreatmentForest>(&baseline.model)) {
        for (const AxisTree& tree : single->forest.trees) count(tree, size);
    } else if (const auto* pairs = std::get_if<ForestPairs>(&baseline.model)) {
        for (const ForestPair& pair : pairs->pairs)
            for (const RegressionForest* forest : {&pair.effect, &pair.effect_against, &pair.centered_propensity})
                for (const AxisTree& tree : forest->trees) count(tree, size);
    } else if (const auto* personal = std::get_if<PersonalizationTree>(&baseline.model)) {
        count(personal->tree, size);
    } else if (const auto* optimal = std::get_if<OptimalTree>(&baseline.model)) {
        size.leaves = optimal->nodes.size() / 2 + 1;
        size.terms = 0;  // only those in splits: a leaf prescribes one treatment, whatever its regressions
        for (const OptimalNode& node : optimal->nodes)
            *size.terms += static_cast<std::size_t>((node.weights.array() != 0).count());
    } else if (const auto* forest = std::get_if<PersonalizationForest>(&baseline.model)) {
        for (const PersonalizationTree& tree : forest->trees) count(tree.tree, size);
    } else if (const auto* effects = std::get_if<PairwiseEffects>(&baseline.model)) {
        for (const ComparedPair& pair : effects->pairs) {
            if (const auto* tree = std::get_if<CausalTree>(&pair.model)) count(tree->tree, size);
            if (const auto* trees = std::get_if<CausalForest>(&pair.model))
                for (const EffectTree& tree : trees->trees) count(tree.tree, size);
        }
    }
    return size;
}

}  // namespace polyrx
