// SPDX-License-Identifier: Apache-2.0
// What a policy may have in place of a network: one of the methods that networks are compared with.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <variant>

#include "polyrx/baselines/causal/effect_schemes.hpp"
#include "polyrx/baselines/meta/meta_learners.hpp"
#include "polyrx/baselines/method.hpp"
#include "polyrx/baselines/optimal/optimal_tree.hpp"
#include "polyrx/baselines/personalization/personalization_forest.hpp"
#include "polyrx/baselines/regress/regress_compare.hpp"
#include "polyrx/encode/encoder.hpp"

namespace polyrx {

class JsonCursor;

struct Baseline {
    Method method = Method::constant;
    std::variant<ConstantOutcomes, LinearOutcomes, ForestOutcomes, PairwiseEffects, PersonalizationTree,
                 PersonalizationForest, TreatmentForest, ForestPairs, OptimalTree>
        model;
    friend bool operator==(const Baseline&, const Baseline&) = default;
};

// How a causal method chooses among treatments.
[[nodiscard]] EffectScheme scheme_of(Method method);

// What the scores of a method are.
enum class ScoreKind {
    outcomes,  // expected of each treatment
    effects,   // of each treatment against others
    votes,     // minus how many are for it
};
[[nodiscard]] ScoreKind kind_of(const Baseline& baseline);

// Whether scores() asks for features, or for encoded rows alone.
[[nodiscard]] bool reads_features(const Baseline& baseline);

// Rows x treatments; the first of the smallest is prescribed. Never NaN; infinite for a treatment that the method knows
// nothing of. The features are of the same rows; they may be empty where reads_features() is false.
[[nodiscard]] Matrix scores(const Baseline& baseline, const Matrix& encoded, const FeatureRows& features, int threads);

// For an encoder that has so many more inputs at its end, which say nothing.
[[nodiscard]] Baseline add_ignored_inputs(Baseline baseline, Eigen::Index more);

// The part of a model file (docs/formats.md), in pieces: a forest on a million rows has gigabytes of it.
void write_json(const Baseline& baseline, const std::function<void(std::string_view)>& write);
[[nodiscard]] std::string to_json(const Baseline& baseline);

// What is read must be of the features and of so many treatments; throws a data error that says where it is not.
// `checked` trees are read like others and then left out, so that a look through a file of gigabytes takes no memory.
enum class TreeReading { kept, checked };
[[nodiscard]] Baseline baseline_in(const JsonCursor& json, const Encoder& encoder, std::size_t treatments,
                                   TreeReading trees = TreeReading::kept);

}  // namespace polyrx
