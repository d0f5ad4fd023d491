// SPDX-License-Identifier: Apache-2.0
// Does personalizing pay? A policy against giving the best one treatment to everybody.
#pragma once

#include <optional>
#include <vector>

#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

// Gains are in units of the outcome, doubly robust (bounded where treatments are not supported), paired by row, and
// positive where the policy is better.
struct PersonalizingTest {
    // A treatment that is not supported for a larger share of the rows cannot be compared: nobody knows what giving it
    // to all comes to, so the policy is not shown to be better.
    static constexpr double most_unsupported = 0.05;

    // Over each treatment given to all; intervals of all of them at once (Bonferroni).
    std::vector<MeanEstimate> over_each;
    std::vector<int> not_compared;  // treatments that are not supported widely enough, or that too few rows received
    // Over the best of the other treatments given to all, which is the smallest of the gains over each. Which treatment
    // that is, the data say only more or less, and to take it as known would spoil the level, even if it were chosen
    // for each fold by the others: where two are equally good, the fold in which one does badly is the one whose others
    // chose it. So none is chosen: the gain is above low unless the gain over *some* treatment may be below, and below
    // high if that over any one is (Bonferroni). The value itself, as a smallest of several, errs against the policy.
    MeanEstimate over_best;
    std::optional<int> best;  // the treatment with the smallest gain: the rival by name
    // One-sided, of "some treatment given to all is at least as good as the policy": the largest of the p-values
    // against each (an intersection-union test, Berger 1982). Below (1 - level) / 2 just where over_best's low is
    // positive.
    std::optional<double> p_value;
};

// All not estimable if no row received what was prescribed.
[[nodiscard]] PersonalizingTest test_personalizing(const ScoredRows& rows, double level = 0.95);

}  // namespace polyrx
