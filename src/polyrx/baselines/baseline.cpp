// SPDX-License-Identifier: Apache-2.0
#include "polyrx/baselines/baseline.hpp"

namespace polyrx {

EffectScheme scheme_of(Method method) {
    switch (method) {
        case Method::ct_1va:
        case Method::cf_1va:
            return EffectScheme::one_vs_all;
        case Method::ct_1v1a:
        case Method::cf_1v1a:
            return EffectScheme::one_vs_one_a;
        case Method::ct_1v1b:
        case Method::cf_1v1b:
            return EffectScheme::one_vs_one_b;
        default:
            return EffectScheme::plain;
    }
}

ScoreKind kind_of(const Baseline& baseline) {
    if (std::holds_alternative<PersonalizationForest>(baseline.model)) return ScoreKind::votes;
    if (const auto* pairs = std::get_if<PairwiseEffects>(&baseline.model))
        return pairs->scheme == EffectScheme::one_vs_one_b ? ScoreKind::votes : ScoreKind::effects;
    if (std::holds_alternative<ForestPairs>(baseline.model)) return ScoreKind::effects;
    return ScoreKind::outcomes;
}

bool reads_features(const Baseline& baseline) {
    return !std::holds_alternative<ConstantOutcomes>(baseline.model) &&
           !std::holds_alternative<LinearOutcomes>(baseline.model) &&
           !std::holds_alternative<OptimalTree>(baseline.model);
}

Matrix scores(const Baseline& baseline, const Matrix& encoded, const FeatureRows& features, int threads) {
    if (const auto* constant = std::get_if<ConstantOutcomes>(&baseline.model))
        return Eigen::Map<const Eigen::RowVectorXd>(constant->means.data(),
                                                    static_cast<Eigen::Index>(constant->means.size()))
            .replicate(encoded.rows(), 1);
    if (const auto* linear = std::get_if<LinearOutcomes>(&baseline.model)) return scores(*linear, encoded);
    if (const auto* tree = std::get_if<OptimalTree>(&baseline.model)) return scores(*tree, encoded, threads);
    if (const auto* forests = std::get_if<ForestOutcomes>(&baseline.model)) return scores(*forests, features, threads);
    if (const auto* pairs = std::get_if<PairwiseEffects>(&baseline.model)) return scores(*pairs, features, threads);
    if (const auto* tree = std::get_if<PersonalizationTree>(&baseline.model)) return scores(*tree, features, threads);
    if (const auto* single = std::get_if<TreatmentForest>(&baseline.model)) return scores(*single, features, threads);
    if (const auto* pairs = std::get_if<ForestPairs>(&baseline.model)) return scores(*pairs, features, threads);
    return scores(std::get<PersonalizationForest>(baseline.model), features, threads);
}

Baseline add_ignored_inputs(Baseline baseline, Eigen::Index more) {
    const auto add_to = [more](Vector& weights) {
        weights.conservativeResize(weights.size() + more);
        weights.tail(more).setZero();
    };
    if (auto* linear = std::get_if<LinearOutcomes>(&baseline.model))
        for (LinearModel& arm : linear->arms) add_to(arm.weights);
    if (auto* tree = std::get_if<OptimalTree>(&baseline.model))
        for (OptimalNode& node : tree->nodes) {
            if (!node.is_leaf()) add_to(node.weights);
            for (LinearModel& arm : node.leaf.arms) add_to(arm.weights);
        }
    return baseline;
}

}  // namespace polyrx
