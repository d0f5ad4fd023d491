// SPDX-License-Identifier: Apache-2.0
// From effects of one treatment against another to a choice among many (the paper's appendix on causal trees and
// forests; Kallus 2017).
#pragma once

#include <string_view>
#include <variant>

#include "polyrx/baselines/causal/causal_forest.hpp"
#include "polyrx/baselines/causal/causal_tree.hpp"

namespace polyrx {

enum class EffectScheme {
    plain,         // two treatments: the second against the first
    one_vs_all,    // 1vA: whose effect against all others together is the lowest
    one_vs_one_a,  // 1v1-A: whose lowest effect against any other is the lowest
    one_vs_one_b,  // 1v1-B: which has negative effects against most others
};

[[nodiscard]] std::string_view name_of(EffectScheme scheme);

using EffectModel = std::variant<CausalTree, CausalForest>;
using EffectOptions = std::variant<CausalTreeOptions, CausalForestOptions>;  // which of the models is learned

struct ComparedPair {
    static constexpr int all_others = -1;
    int treatment = 0;
    int against = all_others;
    EffectModel model;  // of the outcome with `treatment` minus that with `against`
    friend bool operator==(const ComparedPair&, const ComparedPair&) = default;
};

struct PairwiseEffects {
    EffectScheme scheme = EffectScheme::plain;
    std::vector<std::size_t> rows;  // by treatment: how many it was observed in
    // Of treatments that were observed, once in either order: the effect of s against p is minus that of p against s.
    std::vector<ComparedPair> pairs;
    friend bool operator==(const PairwiseEffects&, const PairwiseEffects&) = default;
};

// Learns from all rows of the features that have weight. Treatments are 0 .. treatments-1. No weights: every row counts
// once. All models draw the same random numbers, so that what is learned does not depend on how treatments are
// numbered.
[[nodiscard]] PairwiseEffects fit_pairwise_effects(const FeatureRows& features, std::span<const int> treatment,
                                                   int treatments, std::span<const double> outcome,
                                                   std::span<const double> weight, EffectScheme scheme,
                                                   const EffectOptions& options, const Progress& progress = {});

// Rows x treatments; the first of the smallest is to be prescribed. Of `plain` 0 and the effect; of 1vA the effect
// against all others; of 1v1-A the lowest effect against another; of 1v1-B minus the votes.
// A treatment that was never observed is compared with none, and its score is infinity: it is never prescribed. One
// that was observed alone has 0.
[[nodiscard]] Matrix scores(const PairwiseEffects& effects, const FeatureRows& features, int threads);

}  // namespace polyrx
