// SPDX-License-Identifier: Apache-2.0
// Small random studies in which the treatment that is best depends on the features.
#pragma once

#include "polyrx/study/treated_rows.hpp"
#include "tests/support/slow_axis_tree.hpp"

namespace polyrx::test {

struct RandomStudy {
    FeatureRows features;
    std::vector<int> treatment;
    int treatments = 2;
    std::vector<double> outcome;
    std::vector<double> weight;

    [[nodiscard]] TreatedRows rows() const { return {features, treatment, treatments, outcome, weight}; }
    [[nodiscard]] Rows all() const { return all_of(outcome.size()); }
};

// Outcomes and weights are eighths, so that sums of them are the same in any order.
inline RandomStudy random_treated_rows(Rng& rng, std::size_t rows, std::size_t features, int treatments) {
    RandomStudy study{random_features(rng, rows, features, 0.2), {}, treatments, {}, {}};
    for (std::size_t i = 0; i < rows; ++i) {
        const auto t = static_cast<int>(rng.below(static_cast<std::uint64_t>(treatments)));
        const double effect = study.features.values(static_cast<Eigen::Index>(i), 0) > 0 ? t : -t;
        study.treatment.push_back(t);
        study.outcome.push_back(std::round(8 * (5 + effect + rng.normal())) / 8);
        study.weight.push_back(static_cast<double>(1 + rng.below(16)) / 8);
    }
    return study;
}

}  // namespace polyrx::test
