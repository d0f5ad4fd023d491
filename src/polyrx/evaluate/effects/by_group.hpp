// SPDX-License-Identifier: Apache-2.0
// What treatments and a policy are worth in each part of the rows: the leaves of a tree, or the values of a column.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "polyrx/evaluate/effects/scored_rows.hpp"
#include "polyrx/statistics/mean_estimate.hpp"

namespace polyrx {

struct GroupValue {
    std::size_t rows = 0;
    double weight = 0;                    // of the rows together
    std::vector<std::size_t> received;    // rows by treatment
    std::vector<std::size_t> prescribed;  // rows by treatment
    std::vector<int> never_observed;      // treatments that are prescribed here and that no row here received

    MeanEstimate observed;  // the outcomes as they were
    // Doubly robust, bounded where not supported, of giving one to all, and of the policy. Not estimable if no row
    // received it, or fewer than ScoredRows::needed_rows effective ones.
    std::vector<MeanEstimate> treatments;
    MeanEstimate policy;
    // The best of the treatments (by those estimates) that the policy does not give to all rows here anyway, and how
    // much better than it the policy is: in units of the outcome, positive if better. The rival is chosen by the rows
    // that it is judged by, so this errs against the policy.
    std::optional<int> rival;
    MeanEstimate margin;
};

// The group of each row is one of 0 .. groups-1. All intervals cover at once with the probability `level`: they count
// as one family, in which every treatment that could have been the rival has its margin.
[[nodiscard]] std::vector<GroupValue> value_by_group(const ScoredRows& rows, std::span<const std::size_t> group,
                                                     std::size_t groups, double level = 0.95);

// Numbers of rows: [received][prescribed].
[[nodiscard]] std::vector<std::vector<std::size_t>> cross_table(const ScoredRows& rows);

}  // namespace polyrx
