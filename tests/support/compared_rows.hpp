// SPDX-License-Identifier: Apache-2.0
// Rows of two arms or more, with effects that are known.
#pragma once

#include "tests/support/slow_axis_tree.hpp"

namespace polyrx::test {

struct ComparedRows {
    FeatureRows features;
    std::vector<int> treatment;
    std::vector<double> outcome;
    std::vector<double> weight;
    std::vector<double> effect;  // of treatment 1 against 0

    [[nodiscard]] Rows all() const { return all_of(treatment.size()); }
};

// Treatments drawn at random; the effect jumps where the first feature is above 0.
inline ComparedRows compared_rows(Rng& rng, std::size_t rows, std::size_t features, double missing,
                                  int treatments = 2) {
    ComparedRows result{random_features(rng, rows, features, missing), {}, {}, {}, {}};
    for (std::size_t i = 0; i < rows; ++i) {
        const double x = result.features.values(static_cast<Eigen::Index>(i), 0);
        result.treatment.push_back(static_cast<int>(rng.below(static_cast<std::uint64_t>(treatments))));
        result.effect.push_back(x > 0 ? 2 : -1);
        result.outcome.push_back(result.treatment.back() * result.effect.back() + rng.normal());
        result.weight.push_back(0.5 + rng.uniform());
    }
    return result;
}

}  // namespace polyrx::test
