// SPDX-License-Identifier: Apache-2.0
// A model of another method than the network, which a policy can contain instead.
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

// How a causal method reduces pairwise effects to a choice.
[[nodiscard]] EffectScheme scheme_of(Method method);

// What the scores of a method mean. Smaller is better.
enum class ScoreKind {
    outcomes,  // predicted outcome under each treatment
    effects,   // effect of each treatment against others
    votes,     // minus the number of votes for the treatment
};
[[nodiscard]] ScoreKind kind_of(const Baseline& baseline);

// Whether scores() needs features, or only encoded rows.
[[nodiscard]] bool reads_features(const Baseline& baseline);

// Rows x treatments. The first of the smallest scores is prescribed. Scores are never NaN; a treatment that the method
// cannot predict has infinity. The features describe the same rows, and may be empty if reads_features() is false.
[[nodiscard]] Matrix scores(const Baseline& baseline, const Matrix& encoded, const FeatureRows& features, int threads);

// Adapts the baseline to an encoder with `more` additional inputs at its end, which it ignores.
[[nodiscard]] Baseline add_ignored_inputs(Baseline baseline, Eigen::Index more);

// Writes the part of a model file (docs/formats.md) in pieces: a forest on a million rows takes gigabytes.
void write_json(const Baseline& baseline, const std::function<void(std::string_view)>& write);
[[nodiscard]] std::string to_json(const Baseline& baseline);

// Checks that the baseline fits the encoder and the number of treatments; throws a data error that says where it does
// not. `checked` trees are read like others and then left out, so that checking a file of gigabytes takes no memory.
enum class TreeReading { kept, checked };
[[nodiscard]] Baseline baseline_in(const JsonCursor& json, const Encoder& encoder, std::size_t treatments,
                                   TreeReading trees = TreeReading::kept);

}  // namespace polyrx
