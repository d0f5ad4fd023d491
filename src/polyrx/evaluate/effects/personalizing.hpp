// SPDX-License-Identifier: Apache-2.0
// Whether personalizing pays: the gain of a policy over the best single treatment for all.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

// Gains are doubly robust, paired by row, in units of the outcome, and positive if the policy is better. They are
// bounds where treatments are not supported.
struct PersonalizingTest {
    // A treatment that is unsupported for a larger share of rows is not compared. Its value for all rows is unknown, so
    // the policy is not shown to be better.
    static constexpr double most_unsupported = 0.05;

    // Gains over each treatment for all; simultaneous intervals (Bonferroni).
    std::vector<MeanEstimate> over_each;
    std::vector<int> not_compared;  // treatments that are not widely supported, or that too few rows received
    // The gain over the best other treatment for all: the smallest gain over each. Which treatment is best is
    // uncertain, and an interval that ignores this does not have its level. Cross-fitted choice does not help: with two
    // equally good treatments, a fold in which one does badly is the fold for which the others choose it. So no
    // treatment is chosen: `low` is the smallest lower limit, and `high` the smallest upper limit with Bonferroni
    // correction. The estimate is a minimum, so it is biased against the policy.
    MeanEstimate over_best;
    std::optional<int> best;  // the treatment with the smallest gain
    // One-sided p-value of "some treatment for all is at least as good as the policy": the largest p-value against each
    // treatment (an intersection-union test, Berger 1982). It is below (1 - level) / 2 exactly if over_best.low > 0.
    std::optional<double> p_value;
};

// Nothing is estimable if no row received its prescription.
[[nodiscard]] PersonalizingTest test_personalizing(const ScoredRows& rows, double level = 0.95);

}  // namespace polyrx
