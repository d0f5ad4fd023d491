// SPDX-License-Identifier: Apache-2.0
// Reduces effects between pairs of treatments to a choice among many (the paper's appendix on causal trees and forests;
// Kallus 2017).
#pragma once

#include <string_view>
#include <variant>

#include "polyrx/baselines/causal/causal_forest.hpp"
#include "polyrx/baselines/causal/causal_tree.hpp"

namespace polyrx {

enum class EffectScheme {
    plain,         // two treatments: the second against the first
    one_vs_all,    // 1vA: the lowest effect against all others together
    one_vs_one_a,  // 1v1-A: the treatment whose lowest effect against any other is lowest
    one_vs_one_b,  // 1v1-B: the treatment with negative effects against the most others
};

[[nodiscard]] std::string_view name_of(EffectScheme scheme);

using EffectModel = std::variant<CausalTree, CausalForest>;
using EffectOptions = std::variant<CausalTreeOptions, CausalForestOptions>;  // determines the model that is learned

struct ComparedPair {
    static constexpr int all_others = -1;
    int treatment = 0;
    int against = all_others;
    EffectModel model;  // effect of `treatment` minus that of `against`
    friend bool operator==(const ComparedPair&, const ComparedPair&) = default;
};

struct PairwiseEffects {
    EffectScheme scheme = EffectScheme::plain;
    std::vector<std::size_t> rows;  // rows per treatment
    // Each pair of observed treatments once: the effect of s against p is minus that of p against s.
    std::vector<ComparedPair> pairs;
    friend bool operator==(const PairwiseEffects&, const PairwiseEffects&) = default;
};

// Learns from all rows with positive weight. Treatments are 0 .. treatments-1. No weights: all rows have weight 1. All
// models draw the same random numbers, so the numbering of treatments does not matter.
[[nodiscard]] PairwiseEffects fit_pairwise_effects(const FeatureRows& features, std::span<const int> treatment,
                                                   int treatments, std::span<const double> outcome,
                                                   std::span<const double> weight, EffectScheme scheme,
                                                   const EffectOptions& options, const Progress& progress = {});

// Rows x treatments; the first of the smallest is prescribed. The scores are: plain, 0 and the effect; 1vA, the effect
// against all others; 1v1-A, the lowest effect against another; 1v1-B, minus the number of votes. A treatment that was
// never observed has infinity and is never prescribed. If only one was observed, it has 0.
[[nodiscard]] Matrix scores(const PairwiseEffects& effects, const FeatureRows& features, int threads);

}  // namespace polyrx
